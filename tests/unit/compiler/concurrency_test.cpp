// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/compiler_threads.h"
#include "base/containment.h"
#include "compiler_fixture.h"
#include "support/sanitizers.h"

#include <llvm/Support/ErrorHandling.h>

namespace weft::compiler::testing {
namespace {

TEST(CompilerThreadsTest, FailuresEndAtTheBoundary) {
  CompilerThreads threads(2);
  for (int round = 0; round < 20; ++round) {
    const auto fatal = threads.run([] { llvm::report_fatal_error("broken on purpose", false); });
    EXPECT_TRUE(fatal.quarantine);
    const std::string log = failureLog(fatal.result, ErrorKind::Internal);
    EXPECT_NE(log.find("broken on purpose"), std::string::npos);
    const auto memory = threads.run([] { throw std::bad_alloc(); });
    failureLog(memory.result, ErrorKind::OutOfMemory);
    const auto llvmMemory = threads.run([] { llvm::report_bad_alloc_error("none left"); });
    failureLog(llvmMemory.result, ErrorKind::OutOfMemory);
    bool ran = false;
    EXPECT_TRUE(threads.run([&] { ran = true; }).result);
    EXPECT_TRUE(ran);
  }
}

void childCheck(bool good) {
  if (!good) std::_Exit(1);
}

constexpr unsigned kDefaultMxcsr = 0x1f80, kFlushingMxcsr = 0x9fc0;

/// What a job finds in MXCSR whose caller flushes denormals to zero.
unsigned mxcsrOfJob() {
  const unsigned own = _mm_getcsr();
  _mm_setcsr(kFlushingMxcsr);
  unsigned found = 0;
  CompilerThreads threads(1);
  (void)threads.run([&] { found = _mm_getcsr(); });
  const bool isBack = _mm_getcsr() == kFlushingMxcsr;
  _mm_setcsr(own);
  return isBack ? found : 0;
}

/// In a process that may not start a thread: everything is compiled where it is asked for.
[[noreturn]] void buildWithoutThreads() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0) childCheck(::setgid(kNobody) == 0 && ::setuid(kNobody) == 0);
  const rlimit none{1, 1};
  childCheck(::setrlimit(RLIMIT_NPROC, &none) == 0);
  pthread_t thread;
  childCheck(
      pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr) != 0);
  childCheck(mxcsrOfJob() == kDefaultMxcsr);
  const auto compiler = createCompiler(deviceOptions());
  for (int round = 0; round < 3; ++round) {
    const auto built = compiler->build(kOneLine, "");
    childCheck(built.has_value() && built->program->variant(0, {.form = Form::Flat}).has_value());
    // Errors, and what would overflow a small stack, end as they do on a compiler thread.
    childCheck(!compiler->build("garbage", ""));
    childCheck(!compiler->build("kernel void k() {" + std::string(100000, '('), ""));
  }
  bool ran = false;
  compiler->post([&] { ran = compiler->build(kOneLine, "-DA").has_value(); });
  childCheck(ran);
  compiler->finishPosted();
  std::_Exit(0);
}

TEST(CompilerThreadsDeathTest, BuildsWhereNoThreadCanBeStarted) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(buildWithoutThreads(), ::testing::ExitedWithCode(0), "");
}

TEST(CompilerThreadsTest, ConstantsAreFoldedInTheDefaultEnvironment) {
  EXPECT_EQ(mxcsrOfJob(), kDefaultMxcsr);
}

TEST(CompilerThreadsTest, StacksAreLarge) {
  CompilerThreads threads(1);
  size_t left = 0;
  ASSERT_TRUE(threads.run([&] { left = CompilerThreads::stackLeft(); }).result);
  EXPECT_GE(left, size_t{15} << 20);
  EXPECT_EQ(CompilerThreads::stackBytes(), 0u) << "not on a compiler thread";
}

TEST(CompilerThreadsTest, ThreadsAreReusedAndBounded) {
  CompilerThreads threads(2);
  std::atomic<int> running = 0, most = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        (void)threads.run([&] {
          const int now = ++running;
          int seen = most;
          while (now > seen && !most.compare_exchange_weak(seen, now)) {
          }
          std::this_thread::yield();
          --running;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_LE(most, 2);
}

class ConcurrencyTest : public ::testing::Test {
 protected:
  static std::string sourceOf(int number) {
    return "kernel void k(global float* p) { p[get_global_id(0)] = sin(p[0]) * " +
           std::to_string(number) + "; }";
  }

  std::unique_ptr<Compiler> compiler_ = createCompiler(deviceOptions());
};

TEST_F(ConcurrencyTest, BuildsRunInParallel) {
  std::vector<std::thread> builders;
  for (int t = 0; t < 4; ++t) {
    builders.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        const Ref<Program> program = programOf(compiler_->build(sourceOf(t * 100 + i), ""));
        ASSERT_TRUE(program);
        const auto variant = program->variant(0, {.form = i % 2 ? Form::Flat : Form::Fibers});
        EXPECT_TRUE(variant) << variant.error().log;
      }
    });
  }
  for (std::thread& builder : builders) builder.join();
}

TEST_F(ConcurrencyTest, VariantsOfOneProgramFromManyThreads) {
  const Ref<Program> program = programOf(compiler_->build(sourceOf(1), ""));
  ASSERT_TRUE(program);
  std::atomic<const Variant*> first = nullptr;
  std::vector<std::thread> askers;
  for (int t = 0; t < 4; ++t) {
    askers.emplace_back([&] {
      const auto variant = program->variant(0, {.form = Form::Flat});
      ASSERT_TRUE(variant);
      const Variant* none = nullptr;
      if (!first.compare_exchange_strong(none, *variant)) EXPECT_EQ(none, *variant);
    });
  }
  for (std::thread& asker : askers) asker.join();
}

/// Forks as the host API does; in the child, runs `child` and reports what it returns.
template <class Child>
bool succeedsInChild(Compiler& compiler, Child child) {
  compiler.prepareFork();
  const pid_t pid = ::fork();
  if (pid == 0) {
    compiler.afterForkInChild();
    // A child that hangs is ended, and fails the test.
    ::alarm(30);
    const bool good = child();
    ::_exit(good ? 0 : 1);
  }
  compiler.afterForkInParent();
  int status = -1;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(ConcurrencyTest, ForkOfAnIdleCompiler) {
  const Ref<Program> program = programOf(compiler_->build(sourceOf(1), ""));
  ASSERT_TRUE(program);
  ASSERT_TRUE(program->variant(0, {.form = Form::Flat}));
  EXPECT_TRUE(succeedsInChild(*compiler_, [&] {
    const auto old = program->variant(0, {.form = Form::Fibers});
    const auto made = compiler_->build(sourceOf(2), "");
    return old && made && made->program->variant(0, {.form = Form::Flat});
  }));
  EXPECT_TRUE(compiler_->build(sourceOf(3), ""));
}

TEST_F(ConcurrencyTest, ForkWhileBuildsRun) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> builders;
  for (int t = 0; t < 2; ++t) {
    builders.emplace_back([&, t] {
      for (int i = 0; !stop; ++i) {
        const auto result = compiler_->build(sourceOf(t * 1000 + i), "");
        EXPECT_TRUE(result && result->program->variant(0, {.form = Form::Flat}));
      }
    });
  }
  for (int round = 0; round < 10; ++round) {
    EXPECT_TRUE(succeedsInChild(*compiler_, [&] {
      const auto made = compiler_->build(sourceOf(5), "");
      return made && made->program->variant(0, {.form = Form::Flat});
    }));
  }
  stop = true;
  for (std::thread& builder : builders) builder.join();
}

/// Bytes of address space that the process has now.
size_t addressSpace() {
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

/// Runs `body` in a child that may take `more` bytes of address space beyond what it has. The
/// child's status, as waitpid() gives it; `body` gives an exit status.
template <class Body>
int statusWithin(size_t more, Body body) {
  if (weft::test::kSanitizer) return 0;  // their shadow memory does not fit any limit
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::alarm(60);
    const rlim_t limit = addressSpace() + more;
    const rlimit space{limit, limit};
    ::_exit(::setrlimit(RLIMIT_AS, &space) == 0 ? body() : 1);
  }
  int status = -1;
  ::waitpid(pid, &status, 0);
  return status;
}

TEST(ScarceMemoryTest, SmallerStacksAreTakenWhenLargeOnesAreRefused) {
  for (const size_t megabytes : {240, 160, 100}) {
    const int status = statusWithin(megabytes << 20, [] {
      return createCompiler(deviceOptions())->build(kOneLine, "") ? 0 : 2;
    });
    EXPECT_EQ(status, 0) << megabytes;
  }
}

TEST(ScarceMemoryTest, ExhaustedMemoryIsAnErrorAndNotTheEnd) {
  const auto exhaust = []() -> int {
    const auto compiler = createCompiler(deviceOptions());
    std::string large = "constant int table[] = {";
    for (int i = 0; i < 3000000; ++i) large += "1,";
    large += "}; kernel void k(global int* p) { *p = table[*p]; }";
    for (int round = 0; round < 3; ++round) {
      const auto result = compiler->build(large, "");
      if (result) return 2;
      if (result.error().kind != ErrorKind::OutOfMemory) return 3;
      // What a failed build held is given up, so this may fail too, but not in another way.
      const auto small = compiler->build(kOneLine, "");
      if (!small && small.error().kind != ErrorKind::OutOfMemory) return 4;
    }
    return 0;
  };
  // Where the memory runs out differs.
  for (const size_t megabytes : {160, 200, 240, 300, 360}) {
    EXPECT_EQ(statusWithin(megabytes << 20, exhaust), 0) << megabytes;
  }
}

TEST_F(ConcurrencyTest, ForkDoesNotWaitForeverForALongBuild) {
  // Some seconds of work for the front end alone.
  std::string source = "kernel void k(global int* p) { int x = *p;\n";
  for (int i = 0; i < 40000; ++i) source += "x = x * 3 + p[x & 15];\n";
  source += "*p = x; }";
  std::atomic<bool> done = false;
  std::thread builder([&] {
    (void)compiler_->build(source, "-cl-opt-disable");
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto begin = std::chrono::steady_clock::now();
  compiler_->prepareFork();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  const bool wasBusy = !done;
  const pid_t pid = ::fork();
  if (pid == 0) {
    compiler_->afterForkInChild();
    ::alarm(30);
    const auto made = compiler_->build(sourceOf(5), "");
    ::_exit(made && made->program->variant(0, {.form = Form::Flat}) ? 0 : 1);
  }
  compiler_->afterForkInParent();
  int status = -1;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_LT(waited.count(), 5.0);
  RecordProperty("wasBusy", wasBusy);
  builder.join();
}

}  // namespace
}  // namespace weft::compiler::testing
