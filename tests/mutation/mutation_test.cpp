// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds mutated kernels, and compiles a launch of some that build, in one process.
//   MUTATION_SEED     the first source; 1
//   MUTATION_SOURCES  how many; without it as many as ten seconds allow, but 150 at most
//   MUTATION_PRINT    prints the source of MUTATION_SEED and does nothing else
// The source that is being built stands in the folder of failures, where a crash leaves it.
#include <CL/cl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

#include "mutation/mutate.h"
#include "support/objects.h"

namespace weft::mutation {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Of processor time, which a busy machine does not use up.
constexpr double kMostSeconds = 10;
/// After so long something waits for what never comes.
constexpr std::chrono::minutes kHang{5};

double processorSeconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) { return time.tv_sec + time.tv_usec * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Ends the process, and names the source, when one takes for ever.
class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {}
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void begin(uint64_t seed, std::string name) {
    const std::lock_guard lock(mutex_);
    seed_ = seed;
    name_ = std::move(name);
    begun_ = Clock::now();
    processor_ = processorSeconds();
  }
  /// Processor time since begin().
  double end() {
    const std::lock_guard lock(mutex_);
    begun_ = Clock::time_point::max();
    return processorSeconds() - processor_;
  }

 private:
  void watch() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
      if (begun_ == Clock::time_point::max()) continue;
      const bool hangs = Clock::now() > begun_ + kHang;
      if (!hangs && processorSeconds() - processor_ < 4 * kMostSeconds) continue;
      std::cerr << "seed " << seed_ << ", made from " << name_ << ", does not end; see "
                << WEFT_MUTATION_FOLDER << "/current.cl" << std::endl;
      std::_Exit(1);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  uint64_t seed_ = 0;
  std::string name_;
  Clock::time_point begun_ = Clock::time_point::max();
  double processor_ = 0;
  std::thread thread_;
};

struct Sample {
  std::string name;
  std::string text;
};

std::vector<Sample> readSamples() {
  std::vector<Sample> samples;
  std::istringstream folders(WEFT_MUTATION_SAMPLES);
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() != ".cl") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      samples.push_back({entry.path().filename().string(),
                         {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}});
    }
  std::ranges::sort(samples, {}, &Sample::name);
  return samples;
}

/// Definitions that the samples leave to whoever builds them.
constexpr const char* kDefinitions =
    "-DUNIQUE=1 -DTILE=8 -DRADIUS=2 -DN=64 -DWIDTH=4 -DGROUP=64 -DCOUNT=16 -DK=8 -DT=float "
    "-DBINS=256 -DSTEPS=8 -DDEPTH=4 -DTYPE=float4 -DSCALAR=float -DREAL=float -DSIZE=64 "
    "-DSTEP(x,a,b)=(x)";
constexpr const char* kOptions[] = {"",
                                    "",
                                    "",
                                    "-cl-std=CL3.0",
                                    "-cl-opt-disable",
                                    "-cl-fast-relaxed-math",
                                    "-cl-std=CLC++2021",
                                    "-g",
                                    "-Werror",
                                    "-cl-kernel-arg-info -cl-std=CL1.1",
                                    "-w -cl-denorms-are-zero"};

struct Source {
  std::string name;
  std::string text;
  std::string options;
};

Source makeSource(const std::vector<Sample>& samples, uint64_t seed) {
  Random random(seed * 0x9e3779b97f4a7c15u);
  const Sample& sample = samples[random() % samples.size()];
  const Sample& other = samples[random() % samples.size()];
  std::string options = kOptions[random() % std::size(kOptions)];
  if (sample.name.ends_with("++.cl")) options = "-cl-std=CLC++2021";
  return {sample.name, mutate(sample.text, other.text, random), options + " " + kDefinitions};
}

uint64_t fromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

class Session {
 public:
  Session() : context_(test::makeContext()) {
    cl_int error = CL_INVALID_VALUE;
    queue_ = test::QueueHolder(clCreateCommandQueue(context_, test::device(), 0, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    buffer_ = test::MemoryHolder(
        clCreateBuffer(context_, CL_MEM_READ_WRITE, size_t{1} << 20, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
  }

  /// True when the source has built.
  bool build(const Source& source) {
    const char* text = source.text.data();
    const size_t size = source.text.size();
    cl_int error = CL_INVALID_VALUE;
    const test::ProgramHolder program(clCreateProgramWithSource(context_, 1, &text, &size, &error));
    // A source of no bytes is none.
    if (error != CL_SUCCESS) return false;
    error = clBuildProgram(program, 0, nullptr, source.options.c_str(), nullptr, nullptr);
    size_t bytes = 0;
    EXPECT_EQ(
        clGetProgramBuildInfo(program, test::device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes),
        CL_SUCCESS);
    if (error != CL_SUCCESS) {
      EXPECT_EQ(error, CL_BUILD_PROGRAM_FAILURE);
      EXPECT_GT(bytes, 1u) << "nothing is said";
      return false;
    }
    launch(program);
    return true;
  }

  uint64_t launches() const { return launches_; }

 private:
  /// Has a launch of the first kernel compiled; it waits for an event that fails, so that what
  /// has been made of the kernel does not run.
  void launch(cl_program program) {
    cl_uint count = 0;
    EXPECT_EQ(clCreateKernelsInProgram(program, 0, nullptr, &count), CL_SUCCESS);
    if (count == 0) return;
    std::vector<cl_kernel> handles(count);
    EXPECT_EQ(clCreateKernelsInProgram(program, count, handles.data(), nullptr), CL_SUCCESS);
    std::vector<test::KernelHolder> kernels;
    for (cl_kernel handle : handles) kernels.emplace_back(handle);
    if (!setArguments(kernels.front())) return;
    cl_int error = CL_INVALID_VALUE;
    const test::EventHolder never(clCreateUserEvent(context_, &error));
    const cl_event waits[] = {never.get()};
    const size_t range[] = {64, 4, 1};
    cl_event made = nullptr;
    error = clEnqueueNDRangeKernel(queue_, kernels.front(), 2, nullptr, range, nullptr, 1, waits,
                                   &made);
    EXPECT_EQ(clSetUserEventStatus(never, -1), CL_SUCCESS);
    if (error != CL_SUCCESS) return;
    ++launches_;
    const test::EventHolder launched(made);
    EXPECT_EQ(clWaitForEvents(1, &made), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  }

  bool setArguments(cl_kernel kernel) {
    cl_uint count = 0;
    EXPECT_EQ(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr),
              CL_SUCCESS);
    for (cl_uint i = 0; i < count; ++i)
      if (!setArgument(kernel, i)) return false;
    return true;
  }

  bool setArgument(cl_kernel kernel, cl_uint index) {
    const cl_mem buffer = buffer_;
    if (clSetKernelArg(kernel, index, sizeof buffer, &buffer) == CL_SUCCESS) return true;
    if (clSetKernelArg(kernel, index, 1024, nullptr) == CL_SUCCESS) return true;
    static constexpr char kZeros[512] = {};
    for (size_t size = 1; size <= sizeof kZeros; ++size)
      if (clSetKernelArg(kernel, index, size, kZeros) == CL_SUCCESS) return true;
    return false;
  }

  test::ContextHolder context_;
  test::QueueHolder queue_;
  test::MemoryHolder buffer_;
  uint64_t launches_ = 0;
};

void write(const std::string& name, uint64_t seed, const Source& source) {
  std::ofstream out(std::string(WEFT_MUTATION_FOLDER) + "/" + name, std::ios::binary);
  out << "// seed " << seed << ", " << source.name << ", " << source.options << "\n" << source.text;
}

TEST(Mutation, NoSourceCrashesOrHangs) {
  const std::vector<Sample> samples = readSamples();
  ASSERT_FALSE(samples.empty());
  const uint64_t first = fromEnvironment("MUTATION_SEED", 1);
  if (std::getenv("MUTATION_PRINT")) {
    const Source source = makeSource(samples, first);
    std::cout << source.text;
    return;
  }
  uint64_t most = fromEnvironment("MUTATION_SOURCES", 0);
  const bool isShort = most == 0;
  if (isShort) most = 150;
  // What is compiled is to be compiled at once, and anew.
  ::setenv("WEFT_TIERS", "final", 1);
  ::setenv("WEFT_CACHE", "0", 1);
  fs::create_directories(WEFT_MUTATION_FOLDER);

  Session session;
  Watchdog watchdog;
  uint64_t sources = 0, built = 0;
  double longest = 0;
  const auto begin = Clock::now();
  for (; sources < most; ++sources) {
    if (isShort && Clock::now() - begin > std::chrono::seconds(10)) break;
    const uint64_t seed = first + sources;
    const Source source = makeSource(samples, seed);
    write("current.cl", seed, source);
    watchdog.begin(seed, source.name);
    built += session.build(source);
    const double seconds = watchdog.end();
    longest = std::max(longest, seconds);
    if (seconds > kMostSeconds) {
      write(std::to_string(seed) + ".cl", seed, source);
      ADD_FAILURE() << "seed " << seed << ", made from " << source.name << ", took " << seconds
                    << " seconds of processor time";
    }
  }
  fs::remove(std::string(WEFT_MUTATION_FOLDER) + "/current.cl");
  std::cout << sources << " sources, " << built << " of them built, " << session.launches()
            << " launches compiled, the longest in " << longest << " seconds\n";
  // Mutations that leave nothing to compile test the parser alone.
  if (sources >= 50) EXPECT_GT(built, sources / 20);
}

TEST(Mutation, SamplesAreGood) {
  Session session;
  for (const Sample& sample : readSamples()) {
    const char* options = sample.name.ends_with("++.cl") ? "-cl-std=CLC++2021 " : "-cl-std=CL3.0 ";
    EXPECT_TRUE(session.build({sample.name, sample.text, std::string(options) + kDefinitions}))
        << sample.name;
  }
}

TEST(Mutation, OneSeedIsOneSource) {
  const std::vector<Sample> samples = readSamples();
  for (uint64_t seed = 1; seed < 20; ++seed)
    EXPECT_EQ(makeSource(samples, seed).text, makeSource(samples, seed).text);
  std::string joined;
  for (const std::string& token : tokensOf(samples[0].text)) joined += token;
  EXPECT_EQ(joined, samples[0].text);
}

}  // namespace
}  // namespace weft::mutation
