// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weft/abi/image.h"
#include "weft/compiler/launch_plan.h"
#include "weft/runtime/executor.h"

/// Runs OpenCL C kernels in process, below the host API, in every execution form that is legal
/// for them and with several worker counts, so that a test is written once and compares all
/// forms with one host reference:
///
///   TEST(Integer, Hadd) {
///     auto program = test::build(R"(kernel void k(global const int* a, global int* r) {
///                                     size_t i = get_global_id(0); r[i] = hadd(a[i], 3); })");
///     std::vector<int> a = ..., r(a.size());
///     test::Launch(program, "k").range(a.size()).buffer(a).buffer(r)
///         .inEveryForm([&](const test::Outcome&) { EXPECT_EQ(r, expected); });
///   }
///
/// Buffers are put back to what they held before each run, so an in-out buffer is fine.
/// Results must be the same bytes in every form; call unordered() where they may legally differ.
namespace weft::test {

using Program = Ref<compiler::Program>;

/// One way to run a kernel.
struct Mode {
  compiler::Form form = compiler::Form::Fibers;
  uint32_t width = 1;
  unsigned workers = 1;  ///< with one worker the calling thread helps; with more it only waits
  /// Through the public API, which chooses all else: at once, and again in final code.
  bool product = false;
  /// Where they say nothing, it is as the library chooses.
  std::optional<uint32_t> rowDimension{};
  std::optional<bool> wholeRows{}, fixedSize{};
  bool plainIndices = false;      ///< code for launches whose indices may wrap
  bool anyBuffers = false;        ///< code for launches whose buffers may overlap
  bool divergent = false;         ///< in barrier loops work-items go by themselves
  bool anyImages = false;         ///< code for images and samplers of all formats and modes
  bool sharedReductions = false;  ///< threads reduce into the same memory

  compiler::Overrides overrides() const;
  std::string name() const;
};

/// Ways to run a kernel over a range that differ in their code or their workers. The first one is
/// the reference: fibers at width 1 on one worker, right by construction. The last one is what the
/// library chooses. With WEFT_TEST_PRODUCT in the environment there is one more: the public API;
/// beside the reference there is no other where it says "only".
std::vector<Mode> legalModes(const compiler::KernelInfo& kernel, const NDRange& range);

/// The same with all that could be chosen, at every width there may be; isOffered says which there
/// are.
std::vector<Mode> candidateModes(const compiler::KernelInfo& kernel, const NDRange& range);

/// Whether the compiler makes machine code of the kernel for a mode. An error that says anything
/// but that the width is not supported is left to the launch.
bool isOffered(const Program& program, const compiler::KernelInfo& kernel, const Mode& mode,
               const NDRange& range);

/// How much is inlined. Functions in which work-items meet, noinline ones too, stay out of line
/// only where nothing is inlined but what the library and tiny functions are.
enum class Inlining : uint8_t { Usual, Least };

/// Builds a program. Programs are kept by what they are built from, so the same text is built once
/// in a test run. On an error the current test fails with the build log; the result is null,
/// and launches of it do nothing.
Program build(std::string_view source, std::string_view options = "",
              Inlining inlining = Inlining::Usual);

/// The same from a module of SPIR-V.
Program buildIl(const compiler::IlModule& il, std::string_view options = "");

/// Whether programs are built from their source by our own front end, and not from what other
/// compilers make of it (WEFT_TEST_SPIRV). Those are free in what has no meaning, and to choose
/// another form of the same.
bool buildsFromSource();
#define WEFT_NEEDS_SOURCE(why) \
  if (!buildsFromSource()) GTEST_SKIP() << "from SPIR-V: " << (why)

/// What build() made a program from; null for other programs.
struct BuildInput {
  std::string source, options;
};
const BuildInput* inputOf(const Program& program);

/// As build(), for tests of wrong sources: nothing is kept and no test fails.
compiler::Result<compiler::BuildOutput> tryBuild(std::string_view source,
                                                 std::string_view options = "",
                                                 Inlining inlining = Inlining::Usual);

/// The compiler behind build(), for tests of compile, link and load.
compiler::Compiler& compilerUnderTest();

/// From now on, the compiler asks `control` which passes run. Pre: nothing has been built yet.
void controlPasses(compiler::PassControl& control);

/// Facts about one kernel of a program; null, and a failed test, when it has no such kernel.
const compiler::KernelInfo* kernelInfo(const Program& program, std::string_view kernel);

/// What one run ended with, besides the contents of its buffers.
struct Outcome {
  Mode mode;
  std::optional<runtime::FailureKind> failure;  ///< the command ended abnormally
  std::string message;                          ///< text of that failure
  std::string printed;                          ///< output of printf, whole calls in any order
};

using Sizes = std::vector<uint64_t>;  ///< one to three sizes

/// A kernel with its ND-range and arguments. Arguments are given in order. Vectors are borrowed:
/// they must outlive the launch and keep their size.
class Launch {
 public:
  Launch(Program program, std::string_view kernel);

  /// Without a local size the harness takes the largest divisor of the global size along each
  /// dimension up to 64 work-items per group.
  Launch& range(Sizes global, Sizes local = {}, Sizes offset = {});
  Launch& range(uint64_t items) { return range(Sizes{items}); }

  /// A `global` or `constant` pointer to the elements of `data`, or a pipe of these bytes.
  template <class T>
  Launch& buffer(std::vector<T>& data) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
    return bytes(data.data(), data.size() * sizeof(T));
  }
  /// The same to memory that the kernel shall see where it is, rather than a copy. Of size 0: to
  /// the middle of memory that nothing is compared in.
  Launch& memory(void* data, uint64_t size) {
    bytes(data, size);
    arguments_.back().inPlace = true;
    return *this;
  }
  /// An image, and the memory that has its pixels, which is compared and put back as buffers are.
  Launch& image(const abi::Image& image, void* pixels, uint64_t size) {
    memory(pixels, size);
    arguments_.back().image = &image;
    return *this;
  }
  /// A `global` or `constant` pointer that is null.
  Launch& nullBuffer();
  /// A value: scalar, vector or struct of exactly the kernel's type; a sampler as a uint64_t.
  template <class T>
  Launch& value(const T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    return raw(&v, sizeof v);
  }
  /// A `local` pointer to so many bytes.
  Launch& local(uint64_t bytes);

  /// The order of atomics, or the padding of vectors, may differ: do not compare the forms with one
  /// another.
  Launch& unordered() {
    comparesForms_ = false;
    return *this;
  }

  /// The code under test is the same in every form: inEveryForm() takes a quarter of what it would.
  Launch& formsTakeTurns() {
    formsTakeTurns_ = true;
    return *this;
  }

  /// Pre: the range has been given.
  std::vector<Mode> modes() const { return legalModes(*kernel_, range_); }

  /// Runs once in the reference, in what the library chooses and in half of the other legal modes,
  /// of variations of a form in a quarter, others each day (WEFT_TEST_DAY, `all` for all); calls
  /// `check` after each run, with a trace that names the mode. Failures that `check` does not
  /// expect are its own to report: a launch that ended abnormally fails the test here unless
  /// expectFailure() was called.
  void inEveryForm(const std::function<void(const Outcome&)>& check);
  /// As inEveryForm, in one mode.
  void in(const Mode& mode, const std::function<void(const Outcome&)>& check);

  /// Local memory begins as zeros.
  Launch& zeroLocal() {
    zeroLocal_ = true;
    return *this;
  }

  /// The launch is meant to end abnormally, in every mode it runs in.
  Launch& expectFailure() {
    expectsFailure_ = true;
    return *this;
  }

 private:
  struct Argument {
    std::vector<std::byte> value;       ///< by-value arguments
    void* data = nullptr;               ///< buffers
    void* device = nullptr;             ///< what the kernel sees of a buffer during one run
    uint64_t bytes = 0;                 ///< size of a buffer or of local memory
    bool inPlace = false;               ///< the kernel sees `data` itself
    const abi::Image* image = nullptr;  ///< what it is given where that is of an image
    enum class Kind { Value, Buffer, Local } kind = Kind::Value;
    std::vector<std::byte> before;  ///< contents of a buffer before the first run
    std::vector<std::byte> first;   ///< contents after the first run
  };

  Launch& bytes(void* data, uint64_t size);
  Launch& raw(const void* value, size_t size);
  bool fillArguments(std::byte* block, uint64_t& localBytes) const;
  bool hasSeparateBuffers() const;
  std::optional<Outcome> run(const Mode& mode);
  bool hasProduct() const;
  std::optional<Outcome> runProduct(bool inFinalCode);
  void restore();
  void checkAgainstFirst(bool isFirst);

  Program program_;
  const compiler::KernelInfo* kernel_ = nullptr;
  size_t index_ = 0;
  NDRange range_;
  std::vector<Argument> arguments_;
  bool comparesForms_ = true;
  bool formsTakeTurns_ = false;
  bool expectsFailure_ = false;
  bool zeroLocal_ = false;
};

}  // namespace weft::test
