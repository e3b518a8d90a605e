// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/first_wrong.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <new>

#include "pipeline/pass_limit.h"

namespace weft::compiler {
namespace {

/// Written by a child, read by its parent after it has ended in any way.
struct Record {
  size_t used = 0;
  char text[size_t{8} << 20];  ///< a pass and its place in each line
};

class Search {
 public:
  explicit Search(const SearchOptions& options) : options_(options) {
    void* memory = mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    record_ = new (memory) Record;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  ~Search() { munmap(record_, sizeof(Record)); }

  Trial runWithoutPasses() { return attempt(0, /*isFormed=*/false); }

  FirstWrong run() {
    FirstWrong found;
    const Trial whole = attempt(UINT64_MAX, /*isFormed=*/true);
    readSteps();
    found.total = steps_.size();
    if (whole != Trial::Wrong) {
      found.kind = whole == Trial::Right ? FirstWrong::Kind::NotWrong : FirstWrong::Kind::Unknown;
      return found;
    }
    known_[steps_.size()] = Trial::Wrong;
    // The last state that is right, and the first one known to be wrong after it.
    const Trial none = at(0);
    if (none != Trial::Right) {
      found.kind = none == Trial::Wrong ? FirstWrong::Kind::AnyPass : FirstWrong::Kind::Unknown;
      return found;
    }
    auto [right, wrong] = bisect(0, steps_.size());
    found.kind = FirstWrong::Kind::Pass;
    found.number = right + 1;
    found.steps.assign(steps_.begin() + static_cast<ptrdiff_t>(right),
                       steps_.begin() + static_cast<ptrdiff_t>(wrong));
    if (!options_.folder.empty()) child(wrong, isFormed(wrong), right, wrong - 1);
    return found;
  }

 private:
  /// Pre: with `right` passes the kernel is right, with `wrong` it is not. Gives two such numbers
  /// that nothing which can run lies between.
  std::pair<size_t, size_t> bisect(size_t right, size_t wrong) {
    while (wrong - right > 1) {
      const size_t middle = right + (wrong - right) / 2;
      size_t tried = middle;
      Trial trial = at(tried);
      // What cannot run says nothing: its neighbours might, outwards from the middle.
      for (size_t distance = 1; trial == Trial::NoCode && distance < wrong - right; ++distance)
        for (const size_t next : {middle + distance, middle - std::min(middle, distance)}) {
          if (trial != Trial::NoCode || next <= right || next >= wrong) continue;
          tried = next;
          trial = at(tried);
        }
      if (trial == Trial::NoCode) break;
      (trial == Trial::Right ? right : wrong) = tried;
    }
    return {right, wrong};
  }

  bool isFormed(size_t passes) const { return passes > form_; }

  Trial at(size_t passes) {
    if (const auto known = known_.find(passes); known != known_.end()) return known->second;
    const Trial trial = attempt(passes, isFormed(passes));
    known_[passes] = trial;
    return trial;
  }

  Trial attempt(uint64_t passes, bool isFormed) {
    return child(passes, isFormed, UINT64_MAX, UINT64_MAX);
  }

  /// With numbers of passes to write where they are not UINT64_MAX.
  Trial child(uint64_t passes, bool isFormed, uint64_t firstWritten, uint64_t lastWritten) {
    record_->used = 0;
    // What is buffered would be written by both.
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) return Trial::NoCode;
    if (process == 0) {
      alarm(options_.secondsEach);
      PassLimit limit(
          {.passes = passes,
           .asked = [this](llvm::StringRef pass, llvm::StringRef where) { note(pass, where); },
           .folder = firstWritten == UINT64_MAX ? "" : options_.folder,
           .firstWritten = firstWritten,
           .lastWritten = lastWritten});
      _exit(static_cast<int>(options_.run({limit, isFormed})));
    }
    int status = 0;
    waitpid(process, &status, 0);
    const bool hasEnded = WIFEXITED(status) && WEXITSTATUS(status) <= int(Trial::NoCode);
    return hasEnded ? static_cast<Trial>(WEXITSTATUS(status)) : Trial::Wrong;
  }

  void note(llvm::StringRef pass, llvm::StringRef where) {
    const std::string line = (pass + "\t" + where + "\n").str();
    if (line.size() > sizeof record_->text - record_->used) return;
    std::memcpy(record_->text + record_->used, line.data(), line.size());
    record_->used += line.size();
  }

  void readSteps() {
    llvm::StringRef text(record_->text, record_->used);
    while (!text.empty()) {
      const auto [line, rest] = text.split('\n');
      const auto [pass, where] = line.split('\t');
      steps_.push_back({pass.str(), where.str()});
      text = rest;
    }
    const auto isForm = [](const PassStep& step) {
      return step.pass == kFormStep || step.pass == kLanesStep;
    };
    form_ = static_cast<size_t>(std::ranges::find_if(steps_, isForm) - steps_.begin());
  }

  const SearchOptions& options_;
  Record* record_ = nullptr;
  std::vector<PassStep> steps_;    ///< all that run when none is left out
  size_t form_ = 0;                ///< which of them makes the form
  std::map<size_t, Trial> known_;  ///< by number of passes
};

}  // namespace

FirstWrong findFirstWrong(const SearchOptions& options) { return Search(options).run(); }

Trial runWithoutPasses(const SearchOptions& options) { return Search(options).runWithoutPasses(); }

std::string FirstWrong::text(const std::string& prefix) const {
  switch (kind) {
    case Kind::NotWrong:
      return prefix + "right with all of its " + std::to_string(total) + " passes\n";
    case Kind::AnyPass:
      return prefix +
             "wrong in fibers of one work-item without any pass that can be left out: the front "
             "end, the library or what lowers every kernel is at fault\n";
    case Kind::Unknown:
      return prefix + "cannot be run, so that no pass can be named\n";
    case Kind::Pass:
      break;
  }
  const std::string of = " of " + std::to_string(total);
  if (steps.size() == 1)
    return prefix + "first wrong after " + steps[0].pass + " on " + steps[0].where +
           ", pass execution " + std::to_string(number) + of + "\n";
  std::string text = prefix + "first wrong after one of pass executions " + std::to_string(number) +
                     " to " + std::to_string(number + steps.size() - 1) + of +
                     ", between which it cannot run:\n";
  for (const PassStep& step : steps) text += prefix + "  " + step.pass + " on " + step.where + "\n";
  return text;
}

}  // namespace weft::compiler
