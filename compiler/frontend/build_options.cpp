// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/build_options.h"

#include <array>
#include <cctype>
#include <optional>
#include <utility>

namespace weft::compiler {
namespace {

struct FlagRow {
  std::string_view name;
  bool BuildOptions::* field;
  bool compile;
  bool link;
};

// OpenCL API 3.0, sections 5.8.6 (compiler options) and 5.8.7 (linker options).
constexpr std::array kFlags = {
    FlagRow{"-w", &BuildOptions::noWarnings, true, false},
    FlagRow{"-Werror", &BuildOptions::warningsAsErrors, true, false},
    FlagRow{"-g", &BuildOptions::debugInfo, true, false},
    // Ours, named as Clang names remarks: what becomes of the kernels goes to the build log.
    FlagRow{"-Rweft", &BuildOptions::explain, true, true},
    FlagRow{"-cl-opt-disable", &BuildOptions::optDisable, true, false},
    FlagRow{"-cl-single-precision-constant", &BuildOptions::singlePrecisionConstant, true, false},
    FlagRow{"-cl-denorms-are-zero", &BuildOptions::denormsAreZero, true, true},
    FlagRow{"-cl-fp32-correctly-rounded-divide-sqrt", &BuildOptions::correctlyRoundedDivideSqrt,
            true, false},
    FlagRow{"-cl-strict-aliasing", &BuildOptions::strictAliasing, true, false},
    FlagRow{"-cl-mad-enable", &BuildOptions::madEnable, true, false},
    FlagRow{"-cl-no-signed-zeros", &BuildOptions::noSignedZeros, true, true},
    FlagRow{"-cl-no-signed-zeroes", &BuildOptions::noSignedZeros, true, true},
    FlagRow{"-cl-unsafe-math-optimizations", &BuildOptions::unsafeMath, true, true},
    FlagRow{"-cl-finite-math-only", &BuildOptions::finiteMath, true, true},
    FlagRow{"-cl-fast-relaxed-math", &BuildOptions::fastRelaxedMath, true, true},
    FlagRow{"-cl-uniform-work-group-size", &BuildOptions::uniformWorkGroupSize, true, false},
    FlagRow{"-cl-no-subgroup-ifp", &BuildOptions::noSubgroupForwardProgress, true, true},
    FlagRow{"-cl-kernel-arg-info", &BuildOptions::kernelArgInfo, true, false},
    FlagRow{"-create-library", &BuildOptions::createLibrary, false, true},
    FlagRow{"-enable-link-options", &BuildOptions::enableLinkOptions, false, true},
};

constexpr std::array kStandards = {
    std::pair{std::string_view("CL1.0"), LanguageStandard::C10},
    std::pair{std::string_view("CL1.1"), LanguageStandard::C11},
    std::pair{std::string_view("CL1.2"), LanguageStandard::C12},
    std::pair{std::string_view("CL2.0"), LanguageStandard::C20},
    std::pair{std::string_view("CL3.0"), LanguageStandard::C30},
    std::pair{std::string_view("CL3.1"), LanguageStandard::C31},
    std::pair{std::string_view("CLC++"), LanguageStandard::Cxx10},
    std::pair{std::string_view("CLC++1.0"), LanguageStandard::Cxx10},
    std::pair{std::string_view("CLC++2021"), LanguageStandard::Cxx2021},
};

bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Splits into words; nothing when a quote is left open.
std::optional<std::vector<std::string>> splitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') break;
    if (c == '"') {
      quoted = !quoted;
      inWord = true;
      continue;
    }
    if (c == '\\' && i + 1 < text.size() &&
        (text[i + 1] == '"' || text[i + 1] == '\\' || text[i + 1] == ' ')) {
      word += text[++i];
      inWord = true;
      continue;
    }
    if (!quoted && isSpace(c)) {
      if (inWord) words.push_back(std::exchange(word, {}));
      inWord = false;
      continue;
    }
    word += c;
    inWord = true;
  }
  if (quoted) return std::nullopt;
  if (inWord) words.push_back(std::move(word));
  return words;
}

bool startsIdentifier(std::string_view text) {
  return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_' ||
                           text[0] == '$' || static_cast<unsigned char>(text[0]) >= 0x80);
}

/// Reads the words of one option string in order.
class Parser {
 public:
  Parser(std::vector<std::string> words, OptionContext context)
      : words_(std::move(words)), context_(context) {}

  Expected<BuildOptions, std::string> run() {
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (parseFlag(word)) continue;
      if (context_ == OptionContext::Link) return fail("unknown linker option '" + word + "'\n");
      WEFT_TRY(const bool known, parseCompileOption(word));
      if (!known) return fail("unknown build option '" + word + "'\n");
    }
    if (options_.enableLinkOptions && !options_.createLibrary) {
      return fail(std::string("'-enable-link-options' needs '-create-library'\n"));
    }
    return std::move(options_);
  }

 private:
  bool parseFlag(std::string_view word) {
    for (const FlagRow& row : kFlags) {
      if (row.name != word) continue;
      if (context_ == OptionContext::Link ? !row.link : !row.compile) return false;
      options_.*row.field = true;
      return true;
    }
    return false;
  }

  Expected<bool, std::string> parseCompileOption(const std::string& word) {
    if (word.starts_with("-D") || word.starts_with("-U")) {
      WEFT_TRY(const std::string value, valueOf(word));
      if (!startsIdentifier(value)) return fail("'" + word + "' needs the name of a macro\n");
      // A definition ends at the end of its line.
      options_.macros.push_back(word.substr(0, 2) + value.substr(0, value.find_first_of("\r\n")));
      return true;
    }
    if (word.starts_with("-I")) {
      WEFT_TRY(std::string value, valueOf(word));
      options_.includeDirectories.push_back(std::move(value));
      return true;
    }
    if (word.starts_with("-cl-std=")) return parseStandard(word);
    // Neither of these two families is in the specification, but programs pass them to every
    // implementation that is built on a C compiler.
    if (word.size() == 3 && word.starts_with("-O") && word[2] >= '0' && word[2] <= '3') {
      if (word[2] == '0') options_.optDisable = true;
      return true;
    }
    if (word.size() > 2 && word.starts_with("-W") && word.find(',') == std::string::npos) {
      options_.warningFlags.push_back(word);
      return true;
    }
    return false;
  }

  Expected<bool, std::string> parseStandard(std::string_view word) {
    const std::string_view value = word.substr(word.find('=') + 1);
    for (const auto& [name, standard] : kStandards) {
      if (name != value) continue;
      options_.standard = standard;
      return true;
    }
    return fail("unknown language version in '" + std::string(word) + "'\n");
  }

  /// Value of an option of two letters: the rest of the word, or the next one.
  Expected<std::string, std::string> valueOf(const std::string& word) {
    if (word.size() > 2) return word.substr(2);
    if (next_ < words_.size() && !words_[next_].empty()) return words_[next_++];
    return fail("'" + word + "' needs a value\n");
  }

  std::vector<std::string> words_;
  OptionContext context_;
  BuildOptions options_;
  size_t next_ = 0;
};

}  // namespace

Expected<BuildOptions, std::string> parseBuildOptions(std::string_view text,
                                                      OptionContext context) {
  auto words = splitWords(text);
  if (!words) return fail(std::string("a quote is left open in the options\n"));
  return Parser(std::move(*words), context).run();
}

std::string_view standardName(LanguageStandard standard) noexcept {
  for (const auto& [name, value] : kStandards) {
    if (value == standard) return name;
  }
  return "CL1.2";
}

}  // namespace weft::compiler
