// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions of OpenCL C: bit fields, dot products, clocks, copies of rectangles, atomics on
// floating point numbers, hints.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "harness.h"

namespace weft::test {
namespace {

constexpr const char* kC30 = "-cl-std=CL3.0";
constexpr uint64_t kItems = 256;

template <class T>
std::vector<T> randomBits(size_t count, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(engine());
  return values;
}

// --- cl_khr_extended_bit_ops --------------------------------------------------------------------

template <class T>
void testBitFields(const std::string& type, const std::string& signedType,
                   const std::string& unsignedType) {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  constexpr unsigned kBits = sizeof(T) * 8;
  const std::string vector = type + "4";
  const auto program =
      build("kernel void k(global " + vector + "* a, global " + vector +
            "* b, global uint2* field, "
            "global " +
            vector + "* inserted, global " + signedType + "4* s, global " + unsignedType +
            "4* u, global " + vector + "* reversed, global " + type +
            "* scalar) {"
            "  size_t i = get_global_id(0);"
            "  uint2 f = field[i];"
            "  inserted[i] = bitfield_insert(a[i], b[i], f.x, f.y);"
            "  s[i] = bitfield_extract_signed(a[i], f.x, f.y);"
            "  u[i] = bitfield_extract_unsigned(a[i], f.x, f.y);"
            "  reversed[i] = bit_reverse(a[i]);"
            "  scalar[i] = bitfield_insert(a[i].x, b[i].x, f.x, f.y) ^ bit_reverse(a[i].y);"
            "}");
  auto a = randomBits<T>(4 * kItems, 1), b = randomBits<T>(4 * kItems, 2);
  std::vector<uint32_t> field;
  for (unsigned i = 0; i < kItems; ++i) {
    // Every pair of offset and count that fits, the first ones being the extremes.
    const unsigned count = i < 2 ? i * kBits : (i * 7) % (kBits + 1);
    field.insert(field.end(), {i < 2 ? 0 : (i * 5) % (kBits - count + 1), count});
  }
  std::vector<T> inserted(4 * kItems), reversed(4 * kItems), scalar(kItems);
  std::vector<S> s(4 * kItems);
  std::vector<U> u(4 * kItems);
  std::vector<T> wantInserted, wantReversed, wantScalar;
  std::vector<S> wantS;
  std::vector<U> wantU;
  for (size_t i = 0; i < 4 * kItems; ++i) {
    const unsigned offset = field[i / 4 * 2], count = field[i / 4 * 2 + 1];
    U insert = 0, extract = 0, reverse = 0;
    for (unsigned bit = 0; bit < kBits; ++bit) {
      const bool inside = bit >= offset && bit < offset + count;
      const U from = inside ? static_cast<U>(b[i]) >> (bit - offset) : static_cast<U>(a[i]) >> bit;
      insert |= static_cast<U>(static_cast<U>(from & 1) << bit);
      if (bit < count)
        extract |=
            static_cast<U>(static_cast<U>(static_cast<U>(a[i]) >> (offset + bit) & 1) << bit);
      reverse |=
          static_cast<U>(static_cast<U>(static_cast<U>(a[i]) >> bit & 1) << (kBits - 1 - bit));
    }
    wantInserted.push_back(static_cast<T>(insert));
    wantU.push_back(extract);
    U sign = extract;
    const bool negative = count > 0 && (extract >> (count - 1) & 1) != 0;
    for (unsigned bit = count; negative && bit < kBits; ++bit) sign |= static_cast<U>(U{1} << bit);
    wantS.push_back(static_cast<S>(sign));
    wantReversed.push_back(static_cast<T>(reverse));
  }
  for (size_t i = 0; i < kItems; ++i)
    wantScalar.push_back(static_cast<T>(wantInserted[4 * i] ^ wantReversed[4 * i + 1]));
  Launch(program, "k")
      .range(kItems)
      .buffer(a)
      .buffer(b)
      .buffer(field)
      .buffer(inserted)
      .buffer(s)
      .buffer(u)
      .buffer(reversed)
      .buffer(scalar)
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(inserted, wantInserted);
        EXPECT_EQ(s, wantS);
        EXPECT_EQ(u, wantU);
        EXPECT_EQ(reversed, wantReversed);
        EXPECT_EQ(scalar, wantScalar);
      });
}

TEST(BitFields, OfEveryType) {
  testBitFields<int8_t>("char", "char", "uchar");
  testBitFields<uint8_t>("uchar", "char", "uchar");
  testBitFields<int16_t>("short", "short", "ushort");
  testBitFields<uint16_t>("ushort", "short", "ushort");
  testBitFields<int32_t>("int", "int", "uint");
  testBitFields<uint32_t>("uint", "int", "uint");
  testBitFields<int64_t>("long", "long", "ulong");
  testBitFields<uint64_t>("ulong", "long", "ulong");
}

// --- cl_khr_integer_dot_product -----------------------------------------------------------------

TEST(DotProduct, OfBytesPlainAndPacked) {
  const auto program = build(R"(
    kernel void k(global uint* a, global uint* b, global int* sum, global int* out) {
      size_t i = get_global_id(0);
      uint x = a[i], y = b[i];
      global int* o = out + 16 * i;
      o[0] = as_int(dot(as_uchar4(x), as_uchar4(y)));
      o[1] = dot(as_char4(x), as_char4(y));
      o[2] = dot(as_uchar4(x), as_char4(y));
      o[3] = dot(as_char4(x), as_uchar4(y));
      o[4] = as_int(dot_4x8packed_uu_uint(x, y));
      o[5] = dot_4x8packed_ss_int(x, y);
      o[6] = dot_4x8packed_us_int(x, y);
      o[7] = dot_4x8packed_su_int(x, y);
      o[8] = as_int(dot_acc_sat(as_uchar4(x), as_uchar4(y), as_uint(sum[i])));
      o[9] = dot_acc_sat(as_char4(x), as_char4(y), sum[i]);
      o[10] = dot_acc_sat(as_uchar4(x), as_char4(y), sum[i]);
      o[11] = dot_acc_sat(as_char4(x), as_uchar4(y), sum[i]);
      o[12] = as_int(dot_acc_sat_4x8packed_uu_uint(x, y, as_uint(sum[i])));
      o[13] = dot_acc_sat_4x8packed_ss_int(x, y, sum[i]);
      o[14] = dot_acc_sat_4x8packed_us_int(x, y, sum[i]);
      o[15] = dot_acc_sat_4x8packed_su_int(x, y, sum[i]);
    })");
  auto a = randomBits<uint32_t>(kItems, 3), b = randomBits<uint32_t>(kItems, 4);
  auto sum = randomBits<int32_t>(kItems, 5);
  a[0] = b[0] = 0xffffffff;
  a[1] = b[1] = 0x80808080;
  a[2] = 0xffffffff, b[2] = 0x80808080;
  for (int i = 0; i < 12; ++i) sum[i] = i % 3 == 0 ? INT32_MAX : i % 3 == 1 ? INT32_MIN : -1;
  std::vector<int32_t> out(16 * kItems), expected;
  for (size_t i = 0; i < kItems; ++i) {
    int64_t dots[4] = {};
    for (int byte = 0; byte < 4; ++byte) {
      const auto ua = static_cast<uint8_t>(a[i] >> 8 * byte),
                 ub = static_cast<uint8_t>(b[i] >> 8 * byte);
      const auto sa = static_cast<int8_t>(ua), sb = static_cast<int8_t>(ub);
      dots[0] += ua * ub;
      dots[1] += sa * sb;
      dots[2] += ua * sb;
      dots[3] += sa * ub;
    }
    for (int round = 0; round < 2; ++round)
      for (const int64_t dot : dots) expected.push_back(static_cast<int32_t>(dot));
    for (int round = 0; round < 2; ++round) {
      const int64_t wide = dots[0] + static_cast<uint32_t>(sum[i]);
      expected.push_back(
          static_cast<int32_t>(static_cast<uint32_t>(std::min<int64_t>(wide, UINT32_MAX))));
      for (int j = 1; j < 4; ++j)
        expected.push_back(
            static_cast<int32_t>(std::clamp<int64_t>(dots[j] + sum[i], INT32_MIN, INT32_MAX)));
    }
  }
  Launch(program, "k")
      .range(kItems)
      .buffer(a)
      .buffer(b)
      .buffer(sum)
      .buffer(out)
      .inEveryForm([&](const Outcome&) { EXPECT_EQ(out, expected); });
}

// --- cl_khr_kernel_clock ------------------------------------------------------------------------

TEST(KernelClock, NeverGoesBack) {
  const auto program = build(R"(
    kernel void k(global ulong* out) {
      size_t i = get_global_id(0);
      ulong before = clock_read_device();
      uint2 both = clock_read_hilo_work_group();
      ulong middle = (ulong)both.hi << 32 | both.lo;
      ulong after = as_ulong(clock_read_hilo_device());
      ulong third = clock_read_sub_group();
      ulong fourth = as_ulong(clock_read_hilo_sub_group());
      ulong last = clock_read_work_group();
      out[i] = before != 0 && before <= middle && middle <= after && after <= third &&
               third <= fourth && fourth <= last;
    })",
                             kC30);
  std::vector<uint64_t> out(kItems);
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, std::vector<uint64_t>(kItems, 1));
  });
}

// --- cl_khr_extended_async_copies, cl_khr_async_work_group_copy_fence --------------------------

TEST(AsyncCopies, OfRectanglesAndBoxes) {
  const auto program = build(R"(
    kernel void k(global int* source, global int* plane, global int* box, local int* block) {
      // Three lines of 5 from lines of 8, to lines of 7; there and back again.
      event_t event = async_work_group_copy_2D2D(block, 2, source, 1, sizeof(int), 5, 3, 8, 7, 0);
      wait_group_events(1, &event);
      event = async_work_group_copy_2D2D(plane, 3, block, 2, sizeof(int), 5, 3, 7, 6, event);
      wait_group_events(1, &event);
      barrier(CLK_LOCAL_MEM_FENCE);
      // Two planes of two lines of 3.
      event = async_work_group_copy_3D3D(block, 0, source, 4, sizeof(int), 3, 2, 2, 5, 20, 3, 6, 0);
      async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
      event = async_work_group_copy_3D3D(box, 1, block, 0, sizeof(int), 3, 2, 2, 3, 6, 4, 9, event);
      wait_group_events(1, &event);
    })");
  std::vector<int> source(64), plane(64, -1), box(64, -1);
  std::iota(source.begin(), source.end(), 100);
  std::vector<int> wantPlane(64, -1), wantBox(64, -1);
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) wantPlane[3 + 6 * y + x] = source[1 + 8 * y + x];
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 2; ++y)
      for (int x = 0; x < 3; ++x) wantBox[1 + 9 * z + 4 * y + x] = source[4 + 20 * z + 5 * y + x];
  Launch(program, "k")
      .range({16}, {16})
      .buffer(source)
      .buffer(plane)
      .buffer(box)
      .local(64 * sizeof(int))
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(plane, wantPlane);
        EXPECT_EQ(box, wantBox);
      });
}

// --- cl_ext_float_atomics -----------------------------------------------------------------------

template <class T>
void testFloatAtomics(const std::string& type) {
  const std::string source =
      "kernel void k(global atomic_" + type + "* cells, global " + type +
      "* out) {"
      "  local atomic_" +
      type +
      " sum, least, most;"
      "  " +
      type + " x = (" + type +
      ")get_global_id(0);"
      "  if (get_local_id(0) == 0) {"
      "    atomic_store(&sum, (" +
      type + ")0); atomic_store(&least, (" + type +
      ")1000);"
      "    atomic_store(&most, (" +
      type +
      ")-1000); }"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  atomic_fetch_add_explicit(&sum, (" +
      type +
      ")2, memory_order_relaxed, memory_scope_work_group);"
      "  atomic_fetch_sub(&sum, (" +
      type +
      ")1);"
      "  atomic_fetch_min(&least, x); atomic_fetch_max_explicit(&most, x, memory_order_relaxed);"
      "  atomic_fetch_add(&cells[0], (" +
      type +
      ")1);"
      "  atomic_fetch_sub_explicit(&cells[1], (" +
      type +
      ")0.5, memory_order_acq_rel, memory_scope_device);"
      "  atomic_fetch_min(&cells[2], -x); atomic_fetch_max(&cells[3], x);"
      "  atomic_exchange(&cells[4], x);"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  if (get_local_id(0) == 0) {"
      "    global " +
      type +
      "* o = out + 3 * get_group_id(0);"
      "    o[0] = atomic_load(&sum); o[1] = atomic_load(&least); o[2] = atomic_load(&most); }"
      "}";
  const auto program = build("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" + source, kC30);
  const auto bits = [](float value) {
    if constexpr (sizeof(T) == 2) {
      const auto half = static_cast<_Float16>(value);
      T result;
      std::memcpy(&result, &half, sizeof result);
      return result;
    } else {
      return static_cast<T>(value);
    }
  };
  std::vector<T> cells(5, bits(0)), out(12), expected;
  for (int group = 0; group < 4; ++group)
    for (const int value : {64, 64 * group, 64 * group + 63}) expected.push_back(bits(value));
  Launch(program, "k")
      .range({kItems}, {64})
      .buffer(cells)
      .buffer(out)
      .unordered()
      .inEveryForm([&](const Outcome&) {
        EXPECT_EQ(out, expected);
        EXPECT_EQ(std::vector<T>(cells.begin(), cells.begin() + 4),
                  (std::vector<T>{bits(256), bits(-128), bits(-255), bits(255)}));
      });
}

TEST(FloatAtomics, OfHalf) { testFloatAtomics<uint16_t>("half"); }
TEST(FloatAtomics, OfFloat) { testFloatAtomics<float>("float"); }
TEST(FloatAtomics, OfDouble) { testFloatAtomics<double>("double"); }

// --- cl_khr_expect_assume -----------------------------------------------------------------------

TEST(ExpectAssume, ChangeNoResult) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      int i = get_global_id(0);
      __builtin_assume(i >= 0);
      out[i] = __builtin_expect(i % 2, 0) ? i / 2 : 3 * i;
    })");
  std::vector<int> out(kItems), expected;
  for (int i = 0; i < static_cast<int>(kItems); ++i) expected.push_back(i % 2 ? i / 2 : 3 * i);
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

TEST(ExpectAssume, MayBeToldAProbability) {
  const auto program = build(R"(
    kernel void k(global int* out) {
      int i = get_global_id(0), x = i * 7 % 5;
      if (__builtin_expect_with_probability(x > 2, 1, 0.9)) x += 10;
      switch (__builtin_expect_with_probability(x, 11, 0.5)) {
        case 0: x = 3; break;
        case 13: x = 4; break;
      }
      out[i] = __builtin_expect_with_probability(x + i, 7, 0.8);
    })");
  std::vector<int> out(kItems), expected;
  for (int i = 0; i < static_cast<int>(kItems); ++i) {
    const int x = i * 7 % 5;
    expected.push_back(i + (x == 0 ? 3 : x == 3 ? 4 : x > 2 ? x + 10 : x));
  }
  Launch(program, "k").range(kItems).buffer(out).inEveryForm([&](const Outcome&) {
    EXPECT_EQ(out, expected);
  });
}

// --- Macros -------------------------------------------------------------------------------------

TEST(LanguageExtensions, ShowTheirMacrosWhereTheyCanBeUsed) {
  const auto builds = [](const std::string& macro, const char* options) {
    return tryBuild("#ifndef " + macro + "\n#error no\n#endif\nkernel void k() {}", options)
        .has_value();
  };
  for (const char* version : {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CLC++2021"}) {
    EXPECT_TRUE(builds("cl_khr_integer_dot_product", version));
    EXPECT_TRUE(builds("__opencl_c_integer_dot_product_input_4x8bit", version));
    EXPECT_TRUE(builds("cl_khr_extended_bit_ops", version));
    EXPECT_FALSE(builds("cl_ext_cxx_for_opencl", version));
  }
  EXPECT_FALSE(builds("cl_ext_float_atomics", "-cl-std=CL1.2"));
  EXPECT_FALSE(builds("__opencl_c_ext_fp32_global_atomic_add", "-cl-std=CL1.2"));
  EXPECT_TRUE(builds("__opencl_c_ext_fp32_global_atomic_add", "-cl-std=CL3.0"));
  EXPECT_FALSE(builds("__opencl_c_generic_address_space", "-cl-std=CL1.2"));
  EXPECT_TRUE(builds("__opencl_c_generic_address_space", "-cl-std=CL3.0"));
  EXPECT_TRUE(builds("__opencl_c_program_scope_global_variables", "-cl-std=CL3.0"));
}

}  // namespace
}  // namespace weft::test
