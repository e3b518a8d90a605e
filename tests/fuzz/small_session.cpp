// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/small_session.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <set>

#include "fuzz/disguise.h"
#include "fuzz/print.h"
#include "fuzz/small_programs.h"
#include "fuzz/time_limit.h"

namespace weft::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kBatch = 64;
constexpr unsigned kSecondsOfStep = 120;
constexpr unsigned kMostProcesses = 64;

/// What one child does; written by it, and read by the parent after it has died.
struct Shared {
  uint64_t batch = 0;
  std::array<uint64_t, kBatch> left{};  ///< programs of the batch that have not been run
  size_t count = 0;                     ///< of them
  bool alone = false;                   ///< each is to be built by itself
  uint64_t number = 0;                  ///< being run
  std::array<char, 256> stage{};
  SmallSessionTotals totals;
};

class Child {
 public:
  Child(Shared& shared, const SmallSessionOptions& options) : shared_(shared), options_(options) {}

  void runBatch() {
    if (!options_.product) return runPrograms();
    // Quick code and final code, the latter as it is made and from a cache; each in a process of
    // its own, since the library reads its environment once.
    std::string cache = std::filesystem::temp_directory_path() / "weft-small-XXXXXX";
    if (!mkdtemp(cache.data())) throw std::bad_alloc();
    runWith({{"WEFT_CACHE", "0"}, {"WEFT_TIERS", "quick"}});
    runWith({{"WEFT_CACHE_DIR", cache.c_str()}});
    runWith({{"WEFT_CACHE_DIR", cache.c_str()}});
    std::error_code ignored;
    std::filesystem::remove_all(cache, ignored);
  }

 private:
  /// Ends this process as the other one has ended, unless that went well.
  void runWith(const std::vector<std::pair<const char*, const char*>>& environment) {
    const pid_t child = fork();
    if (child == 0) {
      for (const auto& [name, value] : environment) setenv(name, value, /*replace=*/1);
      runPrograms();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      signal(WTERMSIG(status), SIG_DFL);
      raise(WTERMSIG(status));
    }
    if (status != 0) _exit(1);
  }

  void runPrograms() {
    const std::vector<uint64_t> numbers(shared_.left.begin(), shared_.left.begin() + shared_.count);
    SmallRunner runner(options_, shared_.totals);
    runner.before = [&](uint64_t number, const std::string& stage) {
      limitTime(kSecondsOfStep);
      shared_.number = number;
      const size_t length = std::min(stage.size(), shared_.stage.size() - 1);
      std::memcpy(shared_.stage.data(), stage.data(), length);
      shared_.stage[length] = '\0';
    };
    runner.found = [&](uint64_t number, const std::string& text) {
      writeFailure(number, text, options_);
      ++shared_.totals.failures;
    };
    if (!shared_.alone) return runner.run(numbers);
    for (const uint64_t number : numbers) runner.run({number});
  }

 public:
  static std::string fileOf(uint64_t number, const SmallSessionOptions& options) {
    return options.folder + "/" + (options.disguised ? "disguised-" : "small-") +
           std::to_string(number) + ".cl";
  }

  static void writeFailure(uint64_t number, const std::string& text,
                           const SmallSessionOptions& options) {
    std::error_code ignored;
    std::filesystem::create_directories(options.folder, ignored);
    Program program = smallProgram(number);
    if (options.disguised) disguise(program, number);
    std::ofstream(fileOf(number, options))
        << "// small program " << number << ", " << smallProgramFamily(number) << ", "
        << program.options << "\n// " << text << "\n"
        << print(program);
  }

 private:
  Shared& shared_;
  const SmallSessionOptions& options_;
};

class Session {
 public:
  Session(const SmallSessionOptions& options, void (*report)(const std::string&))
      : options_(options), report_(report) {
    void* memory = mmap(nullptr, sizeof(Shared) * kMostProcesses, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    shared_ = new (memory) Shared[kMostProcesses];
    readProgress();
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { munmap(shared_, sizeof(Shared) * kMostProcesses); }

  SmallSessionTotals run() {
    isRepeated(0);  // once, rather than in each child
    next_ = options_.firstBatch;
    remaining_ =
        (options_.lastBatch + smallBatchCount() - options_.firstBatch) % smallBatchCount() + 1;
    children_.resize(std::clamp(options_.processes, 1u, kMostProcesses));
    for (size_t i = 0; i < children_.size(); ++i) begin(i);
    while (std::ranges::any_of(children_, [](pid_t child) { return child > 0; })) {
      int status = 0;
      const pid_t ended = waitpid(-1, &status, 0);
      const auto child = std::ranges::find(children_, ended);
      if (ended <= 0 || child == children_.end()) continue;
      *child = 0;
      const auto i = static_cast<size_t>(child - children_.begin());
      if (status == 0)
        finish(i);
      else
        died(i, status);
    }
    SmallSessionTotals totals;
    for (size_t i = 0; i < children_.size(); ++i) add(totals, shared_[i].totals);
    return totals;
  }

 private:
  static void add(SmallSessionTotals& to, const SmallSessionTotals& from) {
    to.programs += from.programs;
    to.undefined += from.undefined;
    to.runs += from.runs;
    to.wideRuns += from.wideRuns;
    to.modes += from.modes;
    to.batches += from.batches;
    to.failures += from.failures;
  }

  void readProgress() {
    std::ifstream file(options_.progressFile);
    uint64_t count = 0;
    if (!(file >> count) || count != smallProgramCount()) {
      if (!options_.progressFile.empty())
        std::ofstream(options_.progressFile) << smallProgramCount() << "\n";
      return;
    }
    for (uint64_t batch = 0; file >> batch;) done_.insert(batch);
  }

  /// Gives child `i` the next batch, if there is one.
  void begin(size_t i) {
    Shared& shared = shared_[i];
    shared.count = 0;
    for (; remaining_ > 0 && shared.count == 0; --remaining_) {
      shared.batch = next_;
      next_ = (next_ + 1) % smallBatchCount();
      if (!done_.contains(shared.batch)) collect(shared);
    }
    if (shared.count == 0 || (options_.seconds != 0 && Clock::now() >= end_)) return;
    shared.alone = false;
    start(i);
  }
  void collect(Shared& shared) const {
    for (uint64_t number = shared.batch; number < smallProgramCount();
         number += smallBatchCount()) {
      if (!smallProgramFamily(number).contains(options_.family)) continue;
      shared.left[shared.count++] = number;
      std::error_code ignored;  // there may be nothing of an earlier time
      std::filesystem::remove(Child::fileOf(number, options_), ignored);
    }
  }

  void start(size_t i) {
    std::cout.flush();
    children_[i] = fork();
    if (children_[i] < 0) throw std::bad_alloc();
    if (children_[i] != 0) return;
    Child(shared_[i], options_).runBatch();
    _exit(0);
  }

  void finish(size_t i) {
    Shared& shared = shared_[i];
    ++shared.totals.batches;
    if (!options_.progressFile.empty())
      std::ofstream(options_.progressFile, std::ios::app) << shared.batch << "\n";
    showFailures(shared);
    begin(i);
  }

  void showFailures(const Shared& shared) {
    for (uint64_t number = shared.batch; number < smallProgramCount(); number += smallBatchCount())
      if (const std::string file = Child::fileOf(number, options_); shared.totals.failures != 0 &&
                                                                    std::filesystem::exists(file) &&
                                                                    shown_.insert(file).second) {
        if (shown_.size() > options_.mostShown) continue;
        std::ifstream text(file);
        report_(std::string(std::istreambuf_iterator<char>(text), {}) + "// in " + file + "\n");
      }
  }

  /// A child died: of the program that it was running, or of building them together.
  void died(size_t i, int status) {
    Shared& shared = shared_[i];
    if (shared.number == SmallRunner::kAll && !shared.alone) {
      shared.alone = true;
      return start(i);
    }
    const std::string how = WIFSIGNALED(status)
                                ? "ended by signal " + std::to_string(WTERMSIG(status))
                                : "ended with status " + std::to_string(WEXITSTATUS(status));
    Child::writeFailure(shared.number, std::string(shared.stage.data()) + ": " + how, options_);
    ++shared.totals.failures;
    // What comes behind it is still to be run; it has been interpreted already.
    auto* const end = shared.left.begin() + shared.count;
    auto* const at = std::find(shared.left.begin(), end, shared.number);
    const auto rest = at == end ? end : at + 1;
    shared.count =
        static_cast<size_t>(std::move(rest, end, shared.left.begin()) - shared.left.begin());
    if (shared.count == 0) return finish(i);
    start(i);
  }

  const SmallSessionOptions& options_;
  void (*report_)(const std::string&);
  const Clock::time_point end_ = Clock::now() + std::chrono::seconds(options_.seconds);
  Shared* shared_;
  std::set<uint64_t> done_;
  std::set<std::string> shown_;
  std::vector<pid_t> children_;
  uint64_t next_ = 0, remaining_ = 0;
};

}  // namespace

uint64_t smallBatchCount() { return (smallProgramCount() + kBatch - 1) / kBatch; }

SmallSessionTotals runSmallSession(const SmallSessionOptions& options,
                                   void (*report)(const std::string&)) {
  return Session(options, report).run();
}

}  // namespace weft::fuzz
