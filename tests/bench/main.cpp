// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every case on every platform named, each measurement in a process of its own, platforms
// alternating within a round, and prints medians and the ratio to the first platform. A case that
// failed or gave a wrong result makes the exit status 1.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "cases.h"
#include "compute.h"
#include "generated/contest.h"
#include "platform.h"
#include "record.h"
#include "report.h"

namespace weft::bench {
namespace {

constexpr const char* kUsage =
    "usage: weft_bench [--platform NAME[=VENDORS]]... [--rounds N] [--case REGEX] [--tag REGEX]\n"
    "                  [--half tuning|held-out] [--cpu-time] [--record]\n"
    "  --platform  part of a platform's name, and what OCL_ICD_VENDORS is set to for it;\n"
    "              the first one is what the others are compared with (default: Weft);\n"
    "              the platform Native is plain C++ loops, for the cases that have some; SPIR-V\n"
    "              is Weft with programs from Clang 15 and llvm-spirv 15, if these are installed\n"
    "  --rounds    measurements of each case (default: 5)\n"
    "  --case      only cases whose name matches\n"
    "  --tag       only cases of whose tags one matches: compute, types, bandwidth, local-size,\n"
    "              barrier, sub-group, local-atomics, global-atomics, divergent\n"
    "  --half      only kernels of one half: look at the first while tuning, never at the other\n"
    "  --cpu-time  compute kernels: processor time over CPUs, for machines that have other work\n"
    "  --record    write the tables into docs/performance.md, with date, commit, host, command\n"
    "  --generated kernels drawn at random in place of the cases, checked against the same in "
    "C++,\n"
    "              and how many times faster than each other platform they are, as a "
    "distribution:\n"
    "    --seed S         of the kernels (default: another one each time; the report names it)\n"
    "    --count N        kernels (default: 300)\n"
    "    --family REGEX   only families whose name matches\n"
    "    --kernel NAME    one that a report names, family:seed; again for more\n"
    "    --machine NAME   what plain C++ (Native) is compiled for, as in -march (default: native)\n"
    "    --warm-up S      seconds that each runs before it is measured, at least (default: 0.06)\n"
    "    --print          print the sources of the kernels, do not measure\n";

struct Options {
  std::vector<Platform> platforms;
  int rounds = 5;
  std::string caseFilter = ".";
  std::string tagFilter;
  std::optional<Half> half;
  bool record = false;
  bool isGenerated = false;
  generated::Options generated;
  std::string command = "./dev bench";  ///< for the record: without paths
};

constexpr int kUnsupportedStatus = 3;

/// Measures one case in a child process.
Figure measure(const char* self, const Platform& platform, const Case& wanted,
               const std::string& cacheDirectory) {
  if (platform.name == kNative && !wanted.native) return std::unexpected(Missing::NotThere);
  std::array<int, 2> pipeEnds{};
  if (pipe(pipeEnds.data()) != 0) return std::unexpected(Missing::Failed);
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipeEnds[1], STDOUT_FILENO);
    close(pipeEnds[0]);
    enter(platform, cacheDirectory);
    execl(self, self, "--child", platform.name.c_str(), wanted.name, nullptr);
    _exit(127);
  }
  close(pipeEnds[1]);
  std::string output;
  std::array<char, 256> chunk{};
  for (ssize_t n = 0; (n = read(pipeEnds[0], chunk.data(), chunk.size())) > 0;)
    output.append(chunk.data(), static_cast<size_t>(n));
  close(pipeEnds[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kUnsupportedStatus)
    return std::unexpected(Missing::NotThere);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || output.empty())
    return std::unexpected(Missing::Failed);
  return std::strtod(output.c_str(), nullptr);
}

int runChild(const char* platform, const char* name) {
  for (const Case& candidate : cases()) {
    if (std::strcmp(candidate.name, name) != 0) continue;
    try {
      std::printf("%.9g\n", candidate.run(platform));
      return 0;
    } catch (const Unsupported&) {
      return kUnsupportedStatus;
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s on %s: %s\n", name, platform, error.what());
      return 1;
    }
  }
  return 2;
}

bool isHalf(const std::string& text) { return text == "tuning" || text == "held-out"; }

/// An argument as the command that is recorded shows it: without the path of a platform.
std::string quoted(const std::string& argument) {
  const std::string text = argument.substr(0, argument.find("=/"));
  return text.find_first_of(" |*$") == std::string::npos ? text : "\"" + text + "\"";
}

/// Takes an option of generated kernels and its value, if it is one; the number of words taken.
int parseGenerated(const std::string& argument, const char* value, Options& options) {
  generated::Options& own = options.generated;
  if (argument == "--generated") return options.isGenerated = true, 1;
  if (argument == "--print") return own.print = true, 1;
  if (value == nullptr) return 0;
  if (argument == "--seed")
    own.seed = static_cast<uint32_t>(std::strtoul(value, nullptr, 0));
  else if (argument == "--count")
    own.count = std::strtoul(value, nullptr, 10);
  else if (argument == "--family")
    own.families = value;
  else if (argument == "--kernel")
    own.kernels.emplace_back(value);
  else if (argument == "--machine")
    own.machine = value;
  else if (argument == "--warm-up")
    setenv(generated::kWarmUpVariable, value, 1);
  else
    return 0;
  return 2;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (argument != "--record") options.command += " " + quoted(argument);
    const int first = i;
    if (argument == "--platform" && value) {
      const std::string text = argv[++i];
      const size_t equals = text.find('=');
      options.platforms.push_back(
          {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)});
      if (text == kSpirv) options.platforms.back().vendors = WEFT_BENCH_VENDORS;
    } else if (argument == "--rounds" && value) {
      options.rounds = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--case" && value) {
      options.caseFilter = argv[++i];
    } else if (argument == "--cpu-time") {
      setenv(kCpuTimeVariable, "1", 1);
    } else if (argument == "--tag" && value) {
      options.tagFilter = argv[++i];
    } else if (argument == "--half" && value && isHalf(value)) {
      options.half = *argv[++i] == 't' ? Half::Tuning : Half::HeldOut;
    } else if (argument == "--record") {
      options.record = true;
    } else if (const int words = parseGenerated(argument, value, options); words != 0) {
      i += words - 1;
    } else {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      std::exit(argument == "--help" ? 0 : 2);
    }
    if (i != first) options.command += " " + quoted(argv[i]);
  }
  if (options.platforms.empty() || options.platforms[0].name != "Weft")
    options.platforms.insert(options.platforms.begin(), {"Weft", WEFT_BENCH_VENDORS});
  return options;
}

bool selected(const Case& candidate, const Options& options) {
  return std::regex_search(candidate.name, std::regex(options.caseFilter)) &&
         std::regex_search(candidate.tags, std::regex(options.tagFilter)) &&
         (!options.half || halfOf(candidate) == options.half);
}

/// False when a case failed.
bool runAll(const char* self, const Options& options) {
  std::vector<std::string> names;
  for (const Platform& platform : options.platforms) names.push_back(platform.name);
  std::string tables;
  const auto print = [&tables](const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
    tables += text;
  };
  print(headerOf(names));

  std::string cacheTemplate = std::filesystem::temp_directory_path() / "weft-bench-XXXXXX";
  if (mkdtemp(cacheTemplate.data()) == nullptr) std::exit(1);
  const std::string provenance = provenanceOf(options.command);
  std::vector<Row> rows;
  bool allWell = true;
  for (const Case& wanted : cases()) {
    if (!selected(wanted, options)) continue;
    std::vector<std::vector<Figure>> samples(options.platforms.size());
    for (int round = 0; round < options.rounds; ++round)
      for (size_t p = 0; p < options.platforms.size(); ++p)
        samples[p].push_back(measure(self, options.platforms[p], wanted, cacheTemplate));
    Row row{wanted, {}};
    for (const auto& ofPlatform : samples) {
      row.figures.push_back(median(ofPlatform));
      allWell &= row.figures.back() || row.figures.back().error() != Missing::Failed;
    }
    print(lineOf(row));
    rows.push_back(std::move(row));
  }
  std::filesystem::remove_all(cacheTemplate);
  print(summaryOf(names, rows));
  if (options.record)
    allWell &= record(WEFT_BENCH_SOURCE "/docs/performance.md", provenance + tables);
  return allWell;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  if (argc == 4 && std::strcmp(argv[1], "--child") == 0) return runChild(argv[2], argv[3]);
  if (argc == 5 && std::strcmp(argv[1], "--contestant") == 0)
    return generated::runContestant(argv[2], argv[3], argv[4]);
  Options options = parse(argc, argv);
  const char* const self = "/proc/self/exe";
  if (!options.isGenerated) return runAll(self, options) ? 0 : 1;
  options.generated.rounds = options.rounds;
  return generated::runGenerated(self, options.platforms, options.generated,
                                 provenanceOf(options.command))
             ? 0
             : 1;
}
