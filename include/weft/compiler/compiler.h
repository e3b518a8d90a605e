// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/abi/machine_code.h"
#include "weft/abi/services.h"
#include "weft/compiler/kernel_info.h"
#include "weft/support/ref.h"
#include "weft/support/result.h"

/// The kernel compiler as the host API sees it. No type of LLVM or Clang appears here.
namespace weft::compiler {

/// Which passes run, for tools and tests; compiler/pipeline/pass_control.h.
class PassControl;

/// How the work-items of a group are run; architecture, section 3.
enum class Form : uint8_t { Flat, GroupLoop, Fibers, BarrierLoops };

enum class ErrorKind : uint8_t {
  InvalidOptions,  ///< an option is unknown or malformed
  SourceError,     ///< the source, or a link of objects, is wrong; the log says where
  InvalidBinary,   ///< foreign, truncated, corrupted or for another host
  OutOfMemory,
  Internal,  ///< contained failure inside the compiler; the log says what is known
  TooMany,   ///< another work-group size or image to specialise on, when there are many already
  Unsuited,  ///< KernelInfo::barrierLoopsOnTrial, and groups of this size have no such form
};

struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string log;  ///< build log, ending in a newline when not empty
};

template <class T>
using Result = Expected<T, Error>;

/// What a program object holds; matches CL_PROGRAM_BINARY_TYPE.
enum class ProgramKind : uint8_t { CompiledObject, Library, Executable };

/// What private memory holds before a kernel writes to it (cl_khr_initialize_memory).
enum class PrivateMemory : uint8_t { Unspecified, Zeroed };

/// A header given to clCompileProgram.
struct EmbeddedHeader {
  std::string_view includeName;
  std::string_view source;
};

/// A specialisation constant of a module of SPIR-V.
struct SpecializationConstant {
  uint32_t id = 0;
  uint32_t bytes = 0;

  friend bool operator==(const SpecializationConstant&, const SpecializationConstant&) = default;
};

/// What the application sets one to.
struct SpecializationValue {
  uint32_t id = 0;
  uint64_t bits = 0;
};

/// A module of SPIR-V. Borrowed by the call.
struct IlModule {
  std::string_view words;  ///< in either order of bytes
  std::span<const SpecializationValue> constants;
};

/// What the updates of KernelInfo::reductions are made to in a launch.
enum class ReductionElements : uint8_t {
  Shared,  ///< what the arguments point to
  Own,     ///< each thread's own, in place of them: runtime::ReductionCopies
  /// The same, of launches with so many updates for each element that few of those change it where
  /// operations settle: settles().
  OwnSettled,
};

/// Which machine code of a kernel is wanted.
struct VariantKey {
  Form form = Form::Fibers;
  uint32_t width = 1;                   ///< W, SIMD lanes per lane group; 0: as the compiler likes
  uint32_t subGroupSize = 0;            ///< S; W divides it where the kernel observes sub-groups
  std::array<uint32_t, 3> localSize{};  ///< work-group size to specialise on; zeros: any
  /// Barrier loops: groups at the edges of a range, which may be smaller than `localSize`.
  bool smallerGroups = false;
  /// Barrier loops: work-items go from barrier to barrier by themselves, as they do where they
  /// disagree on the way. For tests of what that is like.
  bool divergent = false;
  /// Flat form and group loop: the dimension along which rows of work-items are, and with them
  /// lanes.
  uint32_t rowDimension = 0;
  /// Flat form and group loop: rows, of a box or of a group, are multiples of abi::kRowMultiple, so
  /// that there is no remainder when lanes have been filled.
  bool wholeRows = false;
  /// For launches that meet KernelInfo::exactIndices. Width 1 need not know.
  bool exactIndices = false;
  /// For launches in which no two of the buffers that the kernel's arguments point to overlap.
  /// Width 1 need not know.
  bool separateBuffers = false;
  /// Code for shared elements is right for all launches.
  ReductionElements reductions = ReductionElements::Shared;
  /// Formats and samplers of the arguments; zeros: any.
  ImageClasses images{};

  /// The size of all groups along a dimension; 0 when it is not known.
  uint32_t knownSize(size_t dimension) const {
    const uint32_t size = localSize[dimension];
    return smallerGroups && size != 1 ? 0 : size;
  }
  std::array<uint32_t, 3> knownSizes() const { return {knownSize(0), knownSize(1), knownSize(2)}; }
  /// The same for rows of any size.
  VariantKey forAnyRows() const {
    VariantKey key = *this;
    key.wholeRows = false;
    return key;
  }
  friend bool operator==(const VariantKey&, const VariantKey&) = default;
};

/// How much work goes into machine code before it is run first.
enum class Tier : uint8_t { Quick, Final };

/// Machine code of one kernel in one form. Lives as long as its Program.
struct Variant : abi::MachineCode {
  VariantKey key;
  Tier tier = Tier::Final;
  /// Better code is being made, or has been: Program::variant() gives it, and so does `better`.
  std::atomic<bool> provisional{false};
};

/// What is known of a launch before it begins: whether it may have quick code.
struct LaunchOutlook {
  /// How long it would take in quick code, as far as its code and its range tell.
  std::chrono::nanoseconds quickTime{0};
  /// The application asks for its time stamps.
  bool measured = false;
  uint64_t items = 0;  ///< work-items of its range
};

/// A compiled object, library or executable. Immutable; shared by host program objects.
/// Threads: all methods from any thread.
class Program : public RefCounted {
 public:
  virtual ProgramKind kind() const noexcept = 0;
  /// The options that the program was built, compiled or linked with, as they were given; they
  /// are part of its binary.
  virtual std::string_view options() const noexcept = 0;
  /// Whether it, or a part that it was linked from, was built with -g.
  virtual bool hasDebugInfo() const noexcept { return false; }
  /// What executables were built for; objects and libraries leave it to the link.
  virtual PrivateMemory privateMemory() const noexcept = 0;
  /// Kernels in order of definition; empty unless an executable.
  virtual std::span<const KernelInfo> kernels() const noexcept = 0;
  /// Kernels that Clang makes of blocks, for other kernels to enqueue. The host cannot name them;
  /// to variant() their indices follow firstBlock(). The first argument is the literal's address.
  virtual std::span<const KernelInfo> blocks() const noexcept { return {}; }
  virtual size_t firstBlock() const noexcept { return kernels().size(); }
  /// Facts about the kernel with that index to variant().
  const KernelInfo& kernelAt(size_t index) const noexcept {
    return index < kernels().size() ? kernels()[index] : blocks()[index - firstBlock()];
  }
  /// Our binary: header with magic, versions, host tag, kind and checksum, then the payload.
  virtual Result<std::vector<std::byte>> serialize() const = 0;
  /// Machine code of kernels()[kernel]; compiled, or loaded from the disk cache, on first use. May
  /// be provisional at first, where CompilerOptions::tiers says so. What does not suit `outlook` is
  /// waited for.
  /// The pointer stays valid as long as the program.
  /// Errors: TooMany for a key with a local size, when the kernel has kMaxLocalSizes already, and
  /// for one with images, when it has kMaxImageClasses.
  virtual Result<const Variant*> variant(size_t kernel, const VariantKey& key,
                                         const LaunchOutlook& outlook = {}) = 0;

  /// What becomes of kernels()[kernel] in machine code for `key`, as remarks for a build log, each
  /// of which ends in a newline. Compiles it in full, whatever is cached, and keeps the code.
  virtual Result<std::string> explain(size_t /*kernel*/, const VariantKey& /*key*/) {
    return std::string();
  }

  /// Bytes of the variables at program scope in the global address space; 0 when there are none.
  virtual uint64_t programScopeBytes() const noexcept { return 0; }
  /// Whether functions have to run before these variables hold their first values.
  virtual bool hasConstructors() const noexcept { return false; }
  /// The memory of these variables, which all launches of the program share and the program owns:
  /// made and initialised by the first call. Null when there are none. Kernels with
  /// KernelInfo::usesProgramScope need it.
  virtual Result<void*> programScope() { return nullptr; }
};

/// Work-group sizes that one kernel's variants are specialised on, and formats and samplers: each
/// is code that is never freed, and programs that use more gain little by any one of them.
inline constexpr size_t kMaxLocalSizes = 64;
inline constexpr size_t kMaxImageClasses = 64;

/// Which machine code Program::variant() makes.
enum class Tiers : uint8_t {
  Final,  ///< fully optimised at once, on the calling thread's time
  Quick,  ///< hardly optimised, for good
  Auto,   ///< fully optimised when that is soon done; else quick, and later replaced
};

/// The features of the host that code may use: all of them, or of those the ones that a
/// micro-architecture level of x86-64 has.
enum class CpuLevel : uint8_t { Host, V1, V2, V3, V4 };

/// Whether kernels that run for long are tried at other widths, on real launches, and keep the
/// fastest.
enum class TrialMode : uint8_t {
  Off,
  On,
  Eager,  ///< of all kernels at once, changing between any two calls: for tests
};

struct BuildOutput {
  Ref<Program> program;
  std::string log;       ///< warnings and notes
  bool explain = false;  ///< the options ask for Program::explain() of what it holds (-Rweft)
};

/// Configuration of a compiler; from WEFT_* options and the device.
struct CompilerOptions {
  abi::ServiceTable services;
  uint32_t subGroupSize = 0;   ///< the device's S
  uint64_t maxLocalBytes = 0;  ///< CL_DEVICE_LOCAL_MEM_SIZE; more static local memory is an error
  uint64_t maxGlobalVariableBytes = 0;  ///< of one variable at program scope; 0: no limit
  Tiers tiers = Tiers::Final;
  TrialMode trials = TrialMode::Off;
  /// Instructions that a kernel may have with the functions that are inlined into it; 0: the
  /// default.
  uint64_t inlineBudget = 0;
  unsigned maxThreads = 0;  ///< that compile at once, each kind; 0: one for each CPU
  /// One for the whole process: that of the first compiler that is made counts.
  CpuLevel cpu = CpuLevel::Host;
  bool cacheEnabled = true;
  std::string cacheDirectory;     ///< empty: the default below the user's cache directory
  uint64_t cacheMaxBytes = 0;     ///< size limit of the disk cache
  std::string dumpDirectory;      ///< IR dumps of each phase; empty: none
  std::string extraBuildOptions;  ///< appended to every build's options
  PassControl* passes = nullptr;  ///< which passes run; null: all. Pre: no cache, one program
  /// Told each line of Program::explain() of all code that is made, which then is final code at
  /// once and does not come from the cache. May be empty.
  std::function<void(std::string_view)> explain;
  /// The version of OpenCL that the device reports and programs see: 300 or 310. OpenCL C 3.1 comes
  /// with the latter.
  uint32_t openClVersion = 300;
  std::vector<std::string> extensions;  ///< device extensions that the language shows as macros
  std::vector<std::string> features;    ///< __opencl_c_* feature macros of the device
};

/// Compiles OpenCL C. Creation is cheap: nothing of LLVM is touched before the first call
/// that needs it.
///
/// Threads: all methods from any thread; builds run on compiler threads with large stacks.
/// Errors: a failure inside LLVM or Clang ends in Error{Internal}, the process goes on.
class Compiler {
 public:
  virtual ~Compiler() = default;
  /// clBuildProgram: source to executable.
  virtual Result<BuildOutput> build(std::string_view source, std::string_view options,
                                    PrivateMemory memory = PrivateMemory::Unspecified) = 0;
  /// clCompileProgram: source to object, with headers by include name.
  virtual Result<BuildOutput> compile(std::string_view source, std::string_view options,
                                      std::span<const EmbeddedHeader> headers) = 0;
  /// The same for a module of SPIR-V in place of a source.
  virtual Result<BuildOutput> buildIl(const IlModule& il, std::string_view options,
                                      PrivateMemory memory = PrivateMemory::Unspecified) = 0;
  virtual Result<BuildOutput> compileIl(const IlModule& il, std::string_view options) = 0;
  /// The specialisation constants of a module of SPIR-V. InvalidBinary for what is none; most of
  /// what can be wrong with one is found by builds.
  virtual Result<std::vector<SpecializationConstant>> describeIl(std::string_view words) = 0;
  /// clLinkProgram: objects and libraries to executable, or to library with -create-library.
  virtual Result<BuildOutput> link(std::span<const Ref<Program>> inputs, std::string_view options,
                                   PrivateMemory memory = PrivateMemory::Unspecified) = 0;
  /// Re-creates a program from serialize()'s bytes. Everything is validated before use.
  virtual Result<Ref<Program>> load(std::span<const std::byte> binary) = 0;
  /// CL build options are checked by this alone where no build follows (clCreateProgram...).
  virtual Result<void> checkOptions(std::string_view options, bool linking) = 0;

  using Job = std::move_only_function<void()>;
  /// Runs `job` on a compiler thread later on; the builds that it asks for run on that thread.
  /// When no thread can be had it runs before the call returns. The child of a fork() never runs
  /// what was posted before.
  virtual void post(Job job) = 0;
  /// Drops posted jobs that have not begun, and waits for those that run: at the end of the
  /// process, before the compiler's static data are gone.
  virtual void finishPosted() noexcept = 0;
  /// Gives back memory and threads that only save time; the next build makes them anew.
  virtual void unload() noexcept = 0;

  /// fork(): takes, and gives back, the locks that a build may hold. prepareFork waits for a
  /// bounded time; a compiler that was still busy is replaced in the child.
  virtual void prepareFork() noexcept = 0;
  virtual void afterForkInParent() noexcept = 0;
  virtual void afterForkInChild() noexcept = 0;
};

std::unique_ptr<Compiler> createCompiler(CompilerOptions options);

}  // namespace weft::compiler
