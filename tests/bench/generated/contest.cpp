// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "contest.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <regex>

#include "contestant.h"
#include "families.h"

namespace weft::bench::generated {
namespace {

/// A reply that takes longer is none.
constexpr int kPatienceMilliseconds = 120'000;
/// A contestant that has run for so long has enough samples when it has three.
constexpr double kEnoughSeconds = 1.5;

// What a contestant is asked, one letter each, and its answers, one line each. "ready" comes first
// and unasked.
constexpr char kWarmUp = 'w', kSample = 's', kVerify = 'v';

/// A contestant in a process of its own, seen from the one that asks.
class Child {
 public:
  Child(const char* self, const Platform& platform, const std::string& name,
        const std::string& library, const std::string& cache) {
    std::array<int, 2> questions{}, answers{};
    // Another child must not hold these open.
    if (pipe2(questions.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      dup2(questions[0], STDIN_FILENO);
      dup2(answers[1], STDOUT_FILENO);
      enter(platform, cache);
      execl(self, self, "--contestant", platform.name.c_str(), name.c_str(), library.c_str(),
            nullptr);
      _exit(127);
    }
    close(questions[0]);
    close(answers[1]);
    questions_ = questions[1];
    answers_ = answers[0];
  }
  ~Child() {
    close(questions_);
    close(answers_);
    if (process_ <= 0) return;
    if (missing_) kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  std::optional<Missing> missing() const { return missing_; }

  /// The answer to a question, or what comes unasked. When there is none, or a bad one, missing()
  /// says why from then on.
  std::string answer(char question = 0) {
    if (missing_) return {};
    if (question != 0 && write(questions_, &question, 1) != 1) return fail(Missing::Failed);
    std::string line;
    for (char c = 0; c != '\n';) {
      pollfd ready{answers_, POLLIN, 0};
      if (poll(&ready, 1, kPatienceMilliseconds) <= 0 || read(answers_, &c, 1) != 1)
        return fail(Missing::Failed);
      line += c;
    }
    if (line == "wrong\n") return fail(Missing::Wrong);
    if (line == "unsupported\n") return fail(Missing::NotThere);
    return line;
  }

 private:
  std::string fail(Missing why) {
    missing_ = why;
    return {};
  }

  pid_t process_ = -1;
  int questions_ = -1, answers_ = -1;
  std::optional<Missing> missing_;
};

Figure medianOf(std::vector<double> samples) {
  std::vector<Figure> figures(samples.begin(), samples.end());
  return median(figures);
}

/// All contestants build at once; then they warm up and are measured one at a time.
Result measure(const char* self, const std::vector<Platform>& platforms, const std::string& name,
               const std::string& library, const std::string& cache, int rounds) {
  std::vector<std::unique_ptr<Child>> children;
  for (const Platform& platform : platforms)
    children.push_back(std::make_unique<Child>(self, platform, name, library, cache));
  for (auto& child : children) child->answer();
  for (auto& child : children) child->answer(kWarmUp);
  std::vector<std::vector<double>> samples(children.size());
  std::vector<double> spent(children.size());
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < children.size(); ++i) {
      if (spent[i] > kEnoughSeconds && samples[i].size() >= 3) continue;
      const auto start = Clock::now();
      const std::string answer = children[i]->answer(kSample);
      spent[i] += secondsSince(start);
      if (!answer.empty()) samples[i].push_back(std::strtod(answer.c_str(), nullptr));
    }
  Result result{name, {}};
  for (size_t i = 0; i < children.size(); ++i) {
    children[i]->answer(kVerify);
    if (const auto missing = children[i]->missing())
      result.seconds.push_back(std::unexpected(*missing));
    else
      result.seconds.push_back(medianOf(samples[i]));
  }
  return result;
}

std::vector<std::string> chosenNames(const Options& options, uint32_t seed) {
  if (!options.kernels.empty()) return options.kernels;
  std::vector<std::string> names;
  const std::regex wanted(options.families);
  // Of few families there are as many kernels as of all.
  for (size_t drawn = options.count; names.size() < options.count && drawn <= 64 * options.count;
       drawn *= 2) {
    names = namesFor(seed, drawn);
    std::erase_if(names, [&](const std::string& name) {
      return !std::regex_search(name.substr(0, name.find(':')), wanted);
    });
  }
  names.resize(std::min(names.size(), options.count));
  return names;
}

bool isBad(const Result& result) {
  const auto isWrong = [](const Figure& figure) {
    return !figure && figure.error() == Missing::Wrong;
  };
  return !result.seconds[0] || std::ranges::any_of(result.seconds, isWrong);
}

void printSources(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Program program = drawProgram(name, false);
    const Shape& shape = program.shape;
    std::printf("// %s, global size %zu %zu %zu, local size %zu %zu %zu, options \"%s\"\n%s\n",
                name.c_str(), shape.global[0], shape.global[1], shape.global[2], shape.local[0],
                shape.local[1], shape.local[2], program.options.c_str(), program.source().c_str());
    for (const Argument& argument : program.arguments)
      std::printf("// %s[%zu]\n", argument.type.c_str(), argument.count);
  }
}

}  // namespace

bool runGenerated(const char* self, const std::vector<Platform>& platforms, const Options& options,
                  const std::string& provenance) {
  const uint32_t seed = options.seed ? *options.seed : std::random_device{}();
  const std::vector<std::string> names = chosenNames(options, seed);
  if (options.print) return printSources(names), true;
  std::signal(SIGPIPE, SIG_IGN);
  std::string folder = std::filesystem::temp_directory_path() / "weft-bench-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return false;
  std::vector<std::string> shown;
  for (const Platform& platform : platforms) shown.push_back(platform.name);
  std::printf("%sSeed %u, plain C++ for %s.\n\n%s", provenance.c_str(), seed,
              options.machine.c_str(), resultHeader(shown).c_str());
  std::fflush(stdout);
  std::vector<Result> results;
  bool allWell = true;
  for (const std::string& name : names) {
    const std::string library = folder + "/" + std::to_string(results.size()) + ".so";
    const Program program = drawProgram(name, false);
    compileNative({&program, 1}, library, options.machine);
    results.push_back(measure(self, platforms, name, library, folder, options.rounds));
    allWell &= !isBad(results.back());
    std::fputs(resultLine(results.back()).c_str(), stdout);
    std::fflush(stdout);
    std::filesystem::remove(library);
  }
  std::filesystem::remove_all(folder);
  std::fputs(reportOf(shown, results).c_str(), stdout);
  return allWell;
}

int runContestant(const std::string& platform, const std::string& name,
                  const std::string& library) {
  // Whatever else is printed is no answer.
  FILE* const answers = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);
  const auto answer = [&](const char* text) {
    std::fprintf(answers, "%s\n", text);
    std::fflush(answers);
  };
  const char* const warmUp = std::getenv(kWarmUpVariable);
  const double warmUpSeconds = warmUp ? std::atof(warmUp) : 0;
  try {
    const Program program = drawProgram(name, false);
    const NativeLibrary native(library);
    Contestant contestant(program, platform, native);
    contestant.verify();
    answer("ready");
    for (char question = 0; read(STDIN_FILENO, &question, 1) == 1;) {
      if (question == kSample) {
        answer(std::to_string(contestant.sample() * 1e9).append("e-9").c_str());
        continue;
      }
      question == kWarmUp ? contestant.warmUp(warmUpSeconds) : contestant.verify();
      answer("done");
    }
    return 0;
  } catch (const Unsupported&) {
    answer("unsupported");
    return 0;
  } catch (const WrongResult& error) {
    std::fprintf(stderr, "%s on %s: %s\n", name.c_str(), platform.c_str(), error.what());
    answer("wrong");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s on %s: %s\n", name.c_str(), platform.c_str(), error.what());
  }
  return 1;
}

}  // namespace weft::bench::generated
