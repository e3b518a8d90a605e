// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <locale.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fiber/sanitizer.h"
#include "printf/format.h"
#include "unit/runtime/pool_fixture.h"

namespace weft::runtime::test {
namespace {

/// Builds the argument bytes of a call as compiled code does.
class Args {
 public:
  template <class T>
  Args& integer(std::initializer_list<T> values) {
    return add(abi::PrintfArgument::Integer, std::span(values.begin(), values.size()));
  }
  Args& i(int value) { return integer({value}); }
  Args& l(long value) { return integer({value}); }
  template <class T>
  Args& real(std::initializer_list<T> values) {
    return add(abi::PrintfArgument::Float, std::span(values.begin(), values.size()));
  }
  Args& d(double value) { return real({value}); }
  Args& f(float value) { return real({value}); }
  /// Bits of half values.
  Args& half(std::initializer_list<uint16_t> bits) { return real(bits); }
  Args& string(const char* value) {
    return add(abi::PrintfArgument::String, std::span<const char* const>(&value, 1));
  }
  Args& pointer(uintptr_t value) {
    return add(abi::PrintfArgument::Pointer, std::span<const uintptr_t>(&value, 1));
  }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  template <class T>
  Args& add(abi::PrintfArgument::Kind kind, std::span<const T> values) {
    abi::PrintfArgument header{};
    header.kind = kind;
    header.elementBytes = sizeof(T);
    header.elements = static_cast<uint8_t>(values.size());
    append(&header, sizeof(header));
    append(values.data(), values.size_bytes());
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    return *this;
  }
  void append(const void* data, size_t size) {
    const auto* begin = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  std::vector<uint8_t> bytes_;
};

/// The text, or nothing for a malformed call.
std::optional<std::string> format(const char* text, const Args& args = {}) {
  std::string out;
  if (!formatPrintf(text, args.bytes(), out)) return std::nullopt;
  return out;
}

TEST(Printf, PlainText) {
  EXPECT_EQ(format(""), "");
  EXPECT_EQ(format("a\nb\t100%%\n"), "a\nb\t100%\n");
}

TEST(Printf, Integers) {
  EXPECT_EQ(format("%d %i", Args().i(-7).i(42)), "-7 42");
  EXPECT_EQ(format("%5d|%-5d|%05d|%+d|% d", Args().i(3).i(3).i(3).i(3).i(3)),
            "    3|3    |00003|+3| 3");
  EXPECT_EQ(format("%u %o %x %X %#x %#o", Args().i(-1).i(8).i(255).i(255).i(255).i(8)),
            "4294967295 10 ff FF 0xff 010");
  EXPECT_EQ(format("%.3d %8.3d", Args().i(5).i(-5)), "005     -005");
  EXPECT_EQ(format("%hhd %hd %ld", Args().i(300).i(70000).l(-5000000000)), "44 4464 -5000000000");
  EXPECT_EQ(format("%hhu %hu %lu", Args().i(-1).i(-1).l(-1)), "255 65535 18446744073709551615");
  EXPECT_EQ(format("%d", Args().l(0x100000002)), "2") << "no modifier reads an int";
  EXPECT_EQ(format("%lld %zu", Args().l(-5000000000).l(5000000000)), "-5000000000 5000000000");
  EXPECT_EQ(format("%c%c", Args().i('o').i('k')), "ok");
  EXPECT_EQ(format("[%3c]", Args().i('x')), "[  x]");
}

TEST(Printf, Reals) {
  EXPECT_EQ(format("%f %F", Args().f(1.5f).d(-2.25)), "1.500000 -2.250000");
  EXPECT_EQ(format("%.2f %10.3e %g %G", Args().f(3.14159f).d(12345.678).d(0.0001).d(1e-10)),
            "3.14 "
            " 1.235e+04 0.0001 1E-10");
  EXPECT_EQ(format("%a %.1A", Args().d(1.0).d(0.15625)), "0x1p+0 0X1.4P-3");
  EXPECT_EQ(format("%+.1f|%-8.1f|%08.1f|%#.0f", Args().d(1).d(1).d(-1).d(1)),
            "+1.0|1.0     |-00001.0|1.");
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(format("%f %F %e %5.1f", Args().d(inf).d(-inf).d(std::nan("")).f(INFINITY)),
            "inf -INF nan   inf");
  EXPECT_EQ(format("%05f", Args().d(inf)), "  inf") << "no zeros before inf";
  EXPECT_EQ(format("%lf %hf", Args().d(1).half({0x3c00})), "1.000000 1.000000");
}

TEST(Printf, Halves) {
  EXPECT_EQ(format("%g", Args().half({0x3800})), "0.5");
  EXPECT_EQ(format("%g", Args().half({0xc000})), "-2");
  EXPECT_EQ(format("%g", Args().half({0x7bff})), "65504");
  EXPECT_EQ(format("%g", Args().half({0x0001})), "5.96046e-08");
  EXPECT_EQ(format("%g", Args().half({0x7c00})), "inf");
  EXPECT_EQ(format("%g", Args().half({0xfc00})), "-inf");
  EXPECT_EQ(format("%g", Args().half({0x7e00})), "nan");
  EXPECT_EQ(format("%g", Args().half({0x8000})), "-0");
}

TEST(Printf, Vectors) {
  EXPECT_EQ(format("%v4hld", Args().integer({1, -2, 3, 4})), "1,-2,3,4");
  EXPECT_EQ(format("%v4d", Args().integer({1, -2, 3, 4})), "1,-2,3,4");
  EXPECT_EQ(format("%v2ld", Args().integer({1L, -5000000000L})), "1,-5000000000");
  EXPECT_EQ(format("%v3hd", Args().integer<short>({1, -2, 3})), "1,-2,3");
  EXPECT_EQ(format("%#v2hhx", Args().integer<signed char>({-1, 16})), "0xff,0x10");
  EXPECT_EQ(format("%v4hlf", Args().real({1.f, 2.f, 3.f, 4.f})),
            "1.000000,2.000000,3.000000,4.000000");
  EXPECT_EQ(format("%6.2v4hlf|", Args().real({1.f, 2.f, 3.f, 4.f})),
            "  1.00,  2.00,  3.00,  4.00|");
  EXPECT_EQ(format("%.1v2lf", Args().real({1.0, 2.0})), "1.0,2.0");
  EXPECT_EQ(format("%v2hf", Args().half({0x3c00, 0x4000})), "1.000000,2.000000");
  EXPECT_EQ(format("%v8hlu", Args().integer({1, 2, 3, 4, 5, 6, 7, -1})),
            "1,2,3,4,5,6,7,4294967295");
  EXPECT_EQ(format("%v16hhd",
                   Args().integer<char>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})),
            "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16");
}

TEST(Printf, Strings) {
  EXPECT_EQ(format("%s, %s!", Args().string("hello").string("world")), "hello, world!");
  EXPECT_EQ(format("%8s|%-8s|%.2s", Args().string("abc").string("abc").string("abc")),
            "     abc|abc     |ab");
  EXPECT_EQ(format("%s", Args().string(nullptr)), "(null)");
  const std::string large(100000, 'x');
  EXPECT_EQ(format("%s", Args().string(large.c_str())), large);
  EXPECT_EQ(format("%s", Args().string("100%d")), "100%d");
}

TEST(Printf, Pointers) {
  EXPECT_EQ(format("%p", Args().pointer(0xabc)), "0xabc");
  EXPECT_EQ(format("%p", Args().pointer(0)), "0x0");
  EXPECT_EQ(format("%10p|%-10p|", Args().pointer(0xabc).pointer(0xabc)), "     0xabc|0xabc     |");
}

TEST(Printf, WideFields) {
  EXPECT_EQ(format("%300d", Args().i(1))->size(), 300u);
  EXPECT_EQ(format("%.200f", Args().d(1))->size(), 202u);
  EXPECT_EQ(format("%60000d", Args().i(1))->size(), 60000u);
}

TEST(Printf, WhatIsNoConversionIsText) {
  EXPECT_EQ(format("100%\n"), "100%\n");
  EXPECT_EQ(format("%"), "%");
  EXPECT_EQ(format("%q %d %!", Args().i(1)), "%q 1 %!");

  for (const char* text :
       {"%", "%5", "%q", "%n", "%*d", "%.*f", "%v5d", "%v4", "%v4s", "%v4c", "%v4p", "%hld", "%hls",
        "%999999999999d", "%.99999999f", "%ls", "%lc", "%hhf", "%v"})
    EXPECT_EQ(format(text, Args().i(1).i(2).i(3)), text);
}

TEST(Printf, MissingAndMismatchedArguments) {
  EXPECT_FALSE(format("%d"));
  EXPECT_FALSE(format("%d %d", Args().i(1)));
  EXPECT_FALSE(format("%v4d", Args().i(1)));
  EXPECT_FALSE(format("%d", Args().integer({1, 2})));
  EXPECT_FALSE(format("%s", Args().i(5)));
  EXPECT_FALSE(format("%s", Args().l(5)));
  EXPECT_FALSE(format("%s", Args().pointer(0))) << "an address that is not a string's";
  EXPECT_EQ(format("%d", Args().i(1).i(2)), "1") << "what is left over is ignored";
  EXPECT_EQ(format("%f %d", Args().i(3).d(2.9)), "3.000000 2");
  EXPECT_EQ(format("%d", Args().d(std::nan(""))), "0");
  EXPECT_TRUE(format("%d %ld", Args().d(1e300).d(-1e300)));
}

TEST(Printf, BrokenArgumentBlocks) {
  std::string out;
  const Args args = Args().i(1).d(2);
  for (size_t size = 0; size < args.bytes().size(); ++size)
    EXPECT_FALSE(formatPrintf("%d %f", args.bytes().first(size), out)) << size;
  std::vector<uint8_t> bytes(args.bytes().begin(), args.bytes().end());
  bytes[1] = 3;  // no such element size
  EXPECT_FALSE(formatPrintf("%d", bytes, out));
}

TEST(Printf, TheApplicationsLocaleDoesNotMatter) {
  const std::string before = setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"})
    if (setlocale(LC_NUMERIC, name)) break;
  EXPECT_EQ(format("%.1f", Args().d(1.5)), "1.5");
  setlocale(LC_NUMERIC, before.c_str());
}

using PrintfFunction = int32_t(const abi::WorkItem*, const char*, const uint8_t*, uint64_t);
using BarrierFunction = void(abi::WorkItem*, uint32_t);

struct KernelArguments {
  PrintfFunction* print = nullptr;
  BarrierFunction* barrier = nullptr;
  std::atomic<int> wrong{0};
};

void printingKernel(abi::WorkItem* item) {
  auto& arguments =
      *static_cast<KernelArguments*>(const_cast<void*>(item->group->launch->arguments));
  const Args args = Args().l(static_cast<long>(item->globalId[0]));
  if (arguments.print(item, "<%05ld", args.bytes().data(), args.bytes().size())) ++arguments.wrong;
  if (arguments.barrier) arguments.barrier(item, 0);
  // Needs far more stack than a fiber has.
  if (arguments.print(item, ">%.5000f", Args().d(1).bytes().data(), 16)) ++arguments.wrong;
  if (arguments.print(item, "%d", nullptr, 0) != -1) ++arguments.wrong;
}

void printingGroupKernel(const abi::Group* group) {
  abi::WorkItem item{};
  item.group = group;
  for (uint64_t i = 0; i < group->localSize[0]; ++i) {
    item.globalId[0] = group->globalBase[0] + i;
    printingKernel(&item);
  }
}

using PrintfService = PoolTest;
WEFT_SWEEP_WORKERS(PrintfService);

TEST_P(PrintfService, HandsWholeCallsToTheJob) {
  constexpr uint64_t kItems = 64;
  for (const EntryKind kind : {EntryKind::Fibers, EntryKind::Group}) {
    for (const uint64_t frame : {4096, 40000}) {
      KernelArguments arguments;
      arguments.print = service<PrintfFunction>(*executor, abi::kPrintfService);
      if (kind == EntryKind::Fibers)
        arguments.barrier = service<BarrierFunction>(*executor, abi::kBarrierService);
      LaunchJob job;
      job.launch.range = {1, {kItems, 1, 1}, {}, {16, 1, 1}};
      job.launch.slicing.entryKind = kind;
      job.launch.itemEntry = printingKernel;
      job.launch.groupEntry = printingGroupKernel;
      job.launch.frameBytes = frame;
      job.launch.bindings.arguments = &arguments;
      run(job);
      EXPECT_EQ(arguments.wrong, 0);
      const std::string output = job.output();
      EXPECT_EQ(output.size(), kItems * (6 + 5003));
      for (uint64_t i = 0; i < kItems; ++i) {
        char text[16];
        std::snprintf(text, sizeof(text), "<%05u", static_cast<unsigned>(i));
        EXPECT_NE(output.find(text), std::string::npos);
      }
    }
  }
}

TEST(Services, NamesAreUniqueAndAddressesSet) {
  const auto executor = createExecutor({});
  std::vector<std::string> names;
  for (const abi::ServiceSymbol& symbol : executor->services()) {
    EXPECT_NE(symbol.address, nullptr) << symbol.name;
    names.push_back(symbol.name);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  const auto call = [&](const char* name, auto* type) {
    return service<std::remove_pointer_t<decltype(type)>>(*executor, name);
  };
  using D1 = double(double);
  EXPECT_EQ(call("rint", static_cast<D1*>(nullptr))(2.5), 2.0);
  EXPECT_EQ(call("floor", static_cast<D1*>(nullptr))(-0.5), -1.0);
  // What the builtins compute themselves is out of reach.
  for (const char* name : {"sin", "pow", "erf", "fmod"})
    EXPECT_FALSE(std::binary_search(names.begin(), names.end(), name)) << name;
}

}  // namespace
}  // namespace weft::runtime::test
