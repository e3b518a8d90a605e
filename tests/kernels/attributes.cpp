// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language's attributes do to types, variables, statements and functions. Those that
// queries show are in tests/api/kernel/attributes_test.cpp.
#include <cstddef>
#include <numeric>

#include "harness.h"

// The same text for host and kernel: both are to lay it out alike.
#define WEFT_LAYOUTS                                \
  typedef int WideInt __attribute__((aligned(16))); \
  struct __attribute__((packed)) Packed {           \
    char a;                                         \
    int b;                                          \
    short c;                                        \
    double d;                                       \
  };                                                \
  struct PackedMember {                             \
    char a;                                         \
    int b __attribute__((packed));                  \
    short c;                                        \
    long d;                                         \
  };                                                \
  struct __attribute__((aligned(32))) Aligned {     \
    char a, b, c, d;                                \
  };                                                \
  struct AlignedMember {                            \
    char a;                                         \
    int b __attribute__((aligned(64)));             \
    char c;                                         \
    int d __attribute__((aligned(2)));              \
  };                                                \
  struct PackedAligned {                            \
    char a;                                         \
    long b;                                         \
    char c;                                         \
    short d;                                        \
  } __attribute__((packed, aligned(8)));            \
  struct OfAlignedType {                            \
    char a;                                         \
    WideInt b;                                      \
    char c, d;                                      \
  };                                                \
  struct Nested {                                   \
    char a;                                         \
    struct Packed b;                                \
    struct Aligned c;                               \
    char d __attribute__((__aligned__(4)));         \
  };                                                \
  struct Bits {                                     \
    char a;                                         \
    union __attribute__((packed)) {                 \
      int i;                                        \
      char s[6];                                    \
    } b;                                            \
    enum __attribute__((packed)) { kOne, kTwo } c;  \
    union __attribute__((aligned(16))) {            \
      char i;                                       \
    } d;                                            \
  };
#define WEFT_TEXT_OF(...) #__VA_ARGS__
#define WEFT_TEXT(...) WEFT_TEXT_OF(__VA_ARGS__)

namespace weft::test {
namespace {

WEFT_LAYOUTS

template <class T>
void appendLayout(std::vector<uint32_t>& layout) {
  for (const size_t value : {sizeof(T), alignof(T), offsetof(T, b), offsetof(T, c), offsetof(T, d)})
    layout.push_back(static_cast<uint32_t>(value));
}

TEST(Attributes, PackedAndAlignedLayOutAsTheHostDoes) {
  const auto program = build(WEFT_TEXT(WEFT_LAYOUTS) R"(
    #define LAYOUT(S) { struct S s; private char* p = (private char*)&s; \
      *out++ = sizeof(struct S); *out++ = __alignof__(struct S); \
      *out++ = (private char*)&s.b - p; *out++ = (private char*)&s.c - p; \
      *out++ = (private char*)&s.d - p; }
    kernel void k(global uint* out) {
      LAYOUT(Packed) LAYOUT(PackedMember) LAYOUT(Aligned) LAYOUT(AlignedMember)
      LAYOUT(PackedAligned) LAYOUT(OfAlignedType) LAYOUT(Nested) LAYOUT(Bits)
    })");
  std::vector<uint32_t> expected;
  appendLayout<Packed>(expected);
  appendLayout<PackedMember>(expected);
  appendLayout<Aligned>(expected);
  appendLayout<AlignedMember>(expected);
  appendLayout<PackedAligned>(expected);
  appendLayout<OfAlignedType>(expected);
  appendLayout<Nested>(expected);
  appendLayout<Bits>(expected);
  std::vector<uint32_t> out(expected.size());
  Launch(program, "k").range(1).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(Attributes, PackedDataIsReadAndWrittenWhereItLies) {
  // 1 + 16 + 16 + 8 + 2 bytes: every vector is at every address in turn.
  const auto program = build(R"(
    typedef struct __attribute__((packed)) { char c; int4 v; float3 f; long l; uchar2 u; } Row;
    kernel void k(global Row* rows, global long* sums, local Row* l, Row one) {
      size_t g = get_global_id(0), i = get_local_id(0), n = get_local_size(0);
      l[i] = rows[g];
      barrier(CLK_LOCAL_MEM_FENCE);
      Row r = l[n - 1 - i];
      sums[g] = sizeof(Row) * 1000000000L + r.c + r.v.x + r.v.w + (long)r.f.z + r.l + r.u.y + one.v.y;
      rows[g].v += (int4)(1, 2, 3, 4);
      rows[g].f.y = 0.5f;
      rows[g].u = rows[g].u.yx;
    })");
  struct __attribute__((packed)) Row {
    char c;
    int v[4];
    float f[4];
    int64_t l;
    uint8_t u[2];
  };
  static_assert(sizeof(Row) == 43);
  constexpr int kRows = 48, kGroup = 16;
  std::vector<Row> rows(kRows);
  for (int g = 0; g < kRows; ++g)
    rows[g] = {static_cast<char>(g),
               {g, 2 * g, 3 * g, 4 * g},
               {0, 0, static_cast<float>(5 * g), 0},
               int64_t{g} << 24,
               {static_cast<uint8_t>(g), static_cast<uint8_t>(200 - g)}};
  Row one{};
  one.v[1] = 77777;
  std::vector<int64_t> sums(kRows), expected(kRows);
  std::vector<Row> after = rows;
  for (int g = 0; g < kRows; ++g) {
    const Row& r = rows[g / kGroup * kGroup + kGroup - 1 - g % kGroup];
    expected[g] = 43000000000 + r.c + r.v[0] + r.v[3] + static_cast<int64_t>(r.f[2]) + r.l +
                  r.u[1] + one.v[1];
    for (int j = 0; j < 4; ++j) after[g].v[j] += j + 1;
    after[g].f[1] = 0.5f;
    std::swap(after[g].u[0], after[g].u[1]);
  }
  Launch(program, "k")
      .range({kRows}, {kGroup})
      .buffer(rows)
      .buffer(sums)
      .local(kGroup * sizeof(Row))
      .value(one)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(sums, expected);
        EXPECT_EQ(std::memcmp(rows.data(), after.data(), kRows * sizeof(Row)), 0);
      });
}

TEST(Attributes, AlignedVariablesAreAlignedInEveryAddressSpace) {
  const auto program = build(R"(
    typedef struct { char c; } __attribute__((aligned(128))) Line;
    global char g0 __attribute__((aligned(64))) = 1;
    global Line g1[2];
    constant char c0 = 2;
    constant char c1 __attribute__((aligned(256))) = 3;
    bool at(const void* p, size_t alignment) { return (size_t)p % alignment == 0; }
    __attribute__((noinline)) int deep(int i) {
      char first __attribute__((aligned(128))) = (char)i;
      barrier(CLK_LOCAL_MEM_FENCE);
      return at(&first, 128) && first == (char)i;
    }
    kernel void k(global int* out) {
      size_t i = get_local_id(0);
      local char l0;
      local int l1 __attribute__((aligned(256)));
      local char l3[5] __attribute__((aligned(1024)));
      local Line l2[3];
      char p0 = (char)i;
      char p1 __attribute__((aligned(64))) = (char)(i + 1);
      Line p2[2];
      int p3[3] __attribute__((aligned(1024)));
      p2[1].c = p0; p3[2] = (int)i;
      if (i == 0) { l0 = 1; l1 = 2; l2[2].c = 3; l3[4] = 7; g1[1].c = 4; }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      int good = at(&g0, 64) && at(&g1[1], 128) && at(&l1, 256) && at(&l2[1], 128);
      good &= (size_t)&c1 % 256 == 0 && c0 + c1 == 5;
      good &= at(&p1, 64) && at(&p2[0], 128) && at(&p2[1], 128) && at(p3, 1024);
      good &= at(l3, 1024) && l0 + l1 + l2[2].c + l3[4] == 13 && p1 == p0 + 1 && p2[1].c == p0 && p3[2] == (int)i;
      good &= sizeof(l2) == 384 && g0 == 1;
      out[get_global_id(0)] = good && deep(p0 + 1);
    })",
                             "-cl-std=CL3.0");
  std::vector<int> out(96);
  Launch(program, "k").range({96}, {32}).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, std::vector<int>(96, 1));
  });
}

TEST(Attributes, StructArgumentsKeepTheirAlignment) {
  const auto program = build(R"(
    typedef struct { int i; } __attribute__((aligned(64))) Wide;
    typedef struct __attribute__((packed)) { char c; int i; } Tight;
    kernel void k(char a, Wide w, Tight t, Wide last, global int* out) {
      private Wide copy[2] = {w, last};
      out[get_global_id(0)] =
          a + copy[0].i + t.i + t.c + copy[1].i + ((size_t)&copy[1] % 64 == 0) * 100000;
    })");
  struct alignas(64) Wide {
    int i;
  };
  struct __attribute__((packed)) Tight {
    char c;
    int i;
  };
  std::vector<int> out(40);
  Launch(program, "k")
      .range(out.size())
      .value(char{1})
      .value(Wide{20})
      .value(Tight{3, 400})
      .value(Wide{5000})
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(40, 105424)); });
}

TEST(Attributes, UnrollHintsChangeNoResult) {
  const auto program = build(R"(
    kernel void k(global int* out, int n) {
      int g = (int)get_global_id(0), sum = 0;
      __attribute__((opencl_unroll_hint)) for (int i = 0; i < 5; ++i) sum += i * g;
      __attribute__((opencl_unroll_hint(4))) for (int i = 0; i < n; ++i) sum = sum * 3 + i;
      int j = g % 7;
      __attribute__((opencl_unroll_hint(1))) while (j > 0) sum += j--;
      __attribute__((__opencl_unroll_hint__(2))) do { sum ^= j++; } while (j < g % 5);
      out[g] = sum;
    })");
  std::vector<int> out(64), expected;
  for (int g = 0; g < 64; ++g) {
    auto sum = static_cast<uint32_t>(10 * g);
    for (uint32_t i = 0; i < 11; ++i) sum = sum * 3 + i;
    for (int j = g % 7; j > 0; --j) sum += static_cast<uint32_t>(j);
    uint32_t j = 0;
    do sum ^= j++;
    while (j < static_cast<uint32_t>(g % 5));
    expected.push_back(static_cast<int>(sum));
  }
  Launch(program, "k").range(64).buffer(out).value(11).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
  for (const char* wrong :
       {"__attribute__((opencl_unroll_hint)) int i = 0;",
        "__attribute__((opencl_unroll_hint(0))) for (int i = 0; i < 4; ++i) p[i] = i;",
        "__attribute__((opencl_unroll_hint(n))) for (int i = 0; i < n; ++i) p[i] = i;"})
    EXPECT_FALSE(tryBuild("kernel void k(global int* p, int n) {" + std::string(wrong) + "}"))
        << wrong;
}

TEST(Attributes, OfFunctionsKeepTheirMeaning) {
  const auto program = build(R"(
    __attribute__((overloadable)) int f(int x) { return x + 1; }
    __attribute__((overloadable)) int f(float x) { return (int)(x * 2); }
    __attribute__((overloadable, noinline)) int f(int2 x) { return x.x * x.y; }
    __attribute__((always_inline)) int twice(int x) { return 2 * x; }
    __attribute__((const)) int square(int x) { return x * x; }
    __attribute__((pure)) int first(global const int* p) { return p[0]; }
    __attribute__((unused)) static int unused(int x) { return x; }
    __attribute__((flatten, hot)) int all(int x) { return twice(square(x)) + f(x); }
    kernel void k(global int* out, global const int* in) {
      int g = (int)get_global_id(0);
      int idle __attribute__((unused)) = g;
      out[g] = all(g) + f(0.5f * g) + f((int2)(g, 3)) + first(in);
    })",
                             "-Werror");
  std::vector<int> in{1000}, out(64), expected;
  for (int g = 0; g < 64; ++g) expected.push_back(2 * g * g + g + 1 + g + 3 * g + 1000);
  Launch(program, "k").range(64).buffer(out).buffer(in).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

// Host and device have one byte order, so that all there is to it is that it is understood.
TEST(Attributes, EndianIsOfTheHost) {
  const auto program = build(R"(
    typedef int HostInt __attribute__((endian(host)));
    struct S {
      int a __attribute__((endian(host)));
      uint b __attribute__((endian(device)));
      short c __attribute__((__endian__(host), aligned(8)));
    };
    kernel void k(global int* in __attribute__((endian(host))), global struct S* s,
                  __attribute__((endian(device))) global HostInt* out) {
      size_t g = get_global_id(0);
      out[g] = in[g] + s->a + (int)s->b + s->c;
    })",
                             "-Werror");
  struct S {
    int32_t a;
    uint32_t b;
    alignas(8) int16_t c;
  };
  std::vector<S> s{{0x01020304, 0x10000000, 0x0500}};
  std::vector<int> in(16), out(16), expected(16);
  std::iota(in.begin(), in.end(), 0);
  std::iota(expected.begin(), expected.end(), 0x11020804);
  Launch(program, "k").range(16).buffer(in).buffer(s).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
  for (const char* wrong :
       {"endian(middle)", "endian(1)", "endian(host, device)", "endian(\"host\")"})
    EXPECT_FALSE(
        tryBuild("kernel void k(global int* p __attribute__((" + std::string(wrong) + "))) {}"))
        << wrong;
}

// Of OpenCL C 2.0; deprecated and ignored in 3.0.
TEST(Attributes, NoSvmIsTakenAndIgnored) {
  const char* const source = R"(
    kernel void k(global int* p __attribute__((nosvm))) {
      __attribute__((nosvm)) global int* q = p;
      q[get_global_id(0)] = 3;
    })";
  EXPECT_TRUE(tryBuild(source, "-cl-std=CL3.0"));
  EXPECT_FALSE(tryBuild(source, "-cl-std=CL1.2"));
  std::vector<int> out(16);
  Launch(build(source, "-cl-std=CL3.0"), "k")
      .range(16)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, std::vector<int>(16, 3)); });
}

// Attributes of other languages and machines: understood, ignored or refused, never a crash.
TEST(Attributes, OfOtherLanguagesDoNoHarm) {
  const char* const foreign[] = {"constructor",
                                 "weak",
                                 "alias(\"g\")",
                                 "address_space(77)",
                                 "ifunc(\"g\")",
                                 "naked",
                                 "target(\"avx512f\")",
                                 "optnone, noinline",
                                 "vectorcall",
                                 "ms_abi",
                                 "preserve_all",
                                 "swiftcall",
                                 "section(\".foo\")",
                                 "used",
                                 "dllexport",
                                 "interrupt",
                                 "target_clones(\"avx2\", \"default\")",
                                 "tls_model(\"local-exec\")",
                                 "vector_size(16)",
                                 "mode(DI)",
                                 "transparent_union",
                                 "cleanup(g)",
                                 "aligned(65536)",
                                 "aligned(268435456)",
                                 "aligned(4294967296)",
                                 "aligned(3)",
                                 "aligned(0)",
                                 "matrix_type(4, 4)",
                                 "asm(\"foo\")",
                                 "init_priority(101)",
                                 "packed(2)",
                                 "endian",
                                 "nonsense"};
  const std::string places[] = {
      "$ int f(int x) { return x + 1; } kernel void k(global int* p) { p[0] = f(1); }",
      "$ kernel void k(global int* p) { p[0] = 2; }",
      "kernel void k(global int* p) { $ int x = 2; p[0] = x; }",
      "kernel void k(global int* p) { local int x $; x = 2; p[0] = x; }",
      "global int x $ = 2; kernel void k(global int* p) { p[0] = x; }",
      "constant int x $ = 2; kernel void k(global int* p) { p[0] = x; }",
      "struct S { char c; int x $; }; kernel void k(global struct S* p) { p[0].x = 2; }",
      "typedef int $ T; kernel void k(global int* p) { T q = 2; p[0] = 2; }",
      "kernel void k(global int* p $) { p[0] = 2; }",
      "kernel void k(int $* p) { p[0] = 2; }"};
  for (const char* attribute : foreign) {
    for (const std::string& place : places) {
      std::string source = "int g(int x) { return x; } " + place;
      source.replace(source.find('$'), 1, "__attribute__((" + std::string(attribute) + "))");
      const auto built = tryBuild(source, "-cl-std=CL3.0");
      if (built) continue;
      EXPECT_EQ(built.error().kind, compiler::ErrorKind::SourceError) << source;
      EXPECT_NE(built.error().log.find("error: "), std::string::npos) << source;
    }
  }
}

}  // namespace
}  // namespace weft::test
