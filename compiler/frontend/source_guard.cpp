// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source_guard.h"

#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Pragma.h>

#include <algorithm>

#include "driver/compiler_threads.h"
#include "driver/containment.h"

namespace weft::compiler {
namespace {

namespace tok = clang::tok;

constexpr size_t kMaxParserStack = size_t{16} << 20;
// Code generation recurses over an expression with at most this much stack for each token.
constexpr size_t kStackPerChainedToken = size_t{8} << 10;

[[noreturn]] void limitExceeded(const char* what) {
  throw FatalCompilerError(
      FatalCompilerError::Reason::Limit,
      std::string("error: the program exceeds a limit of the compiler: ") + what);
}

/// Whether the brace after `previous` opens an initialiser list and not a block.
bool opensInitializer(const SourceGuard::State& state) {
  return state.previous == tok::equal ||
         ((state.previous == tok::comma || state.previous == tok::l_brace) &&
          !state.brackets.empty() && state.brackets.back() == 'i');
}

/// Clang makes every element of "[0 ... n] = x" at once, so n must be a number and not large.
void watchRange(const clang::Token& token, SourceGuard::State& state) {
  if (token.is(tok::ellipsis)) {
    state.inRange = !state.brackets.empty() && state.brackets.back() == 's';
    return;
  }
  if (!state.inRange) return;
  if (token.is(tok::r_square)) {
    state.inRange = false;
    return;
  }
  double last = SourceGuard::kMaxRangeElements;
  if (token.is(tok::numeric_constant) && token.getLiteralData()) {
    uint64_t number = 0;
    llvm::StringRef digits(token.getLiteralData(), token.getLength());
    if (!digits.consumeInteger(0, number)) last = static_cast<double>(number);
  }
  state.rangeElements *= last + 1;
  if (state.rangeElements > SourceGuard::kMaxRangeElements) {
    limitExceeded("an array range is too long, or its end is no number");
  }
}

void watchToken(const clang::Token& token, SourceGuard::State& state) {
  if (++state.tokens > SourceGuard::kMaxTokens) limitExceeded("too many tokens");
  // Parsing uses more stack for a level than anything after it, so a quarter of the stack
  // leaves room for what recurses over the result. Twice what Clang has elsewhere is enough for
  // any program, and some of its work grows with the square of the depth.
  const size_t stack = CompilerThreads::stackBytes();
  const size_t allowed = std::min(stack / 4, kMaxParserStack);
  if (CompilerThreads::stackLeft() < stack - allowed) limitExceeded("nested too deeply");

  watchRange(token, state);
  ++state.chain;
  const tok::TokenKind kind = token.getKind();
  switch (kind) {
    case tok::l_brace:
      state.brackets.push_back(opensInitializer(state) ? 'i' : 'b');
      state.chain = 0;
      break;
    case tok::l_paren:
      state.brackets.push_back('p');
      break;
    case tok::l_square:
      state.brackets.push_back('s');
      break;
    case tok::r_brace:
      state.chain = 0;
      [[fallthrough]];
    case tok::r_paren:
    case tok::r_square:
      if (!state.brackets.empty()) state.brackets.pop_back();
      break;
    case tok::semi:
      state.chain = 0;
      state.rangeElements = 1;
      break;
    case tok::comma:
      if (!state.brackets.empty() && state.brackets.back() == 'i') state.chain = 0;
      break;
    default:
      break;
  }
  state.previous = kind;
  if (stack != 0 && state.chain > stack / kStackPerChainedToken) {
    limitExceeded("an expression or declaration is too long");
  }
}

/// Estimates what macros make before Clang makes it: once a call with nested calls in its
/// arguments is being expanded, nothing is reported any more until all of it is in memory.
class MacroWatch : public clang::PPCallbacks {
 public:
  MacroWatch(clang::Preprocessor& preprocessor, SourceGuard::State& state)
      : preprocessor_(preprocessor), state_(state) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs* arguments) override {
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    const clang::MacroInfo* info = definition.getMacroInfo();
    if (!identifier || !info) return;
    if (info->isBuiltinMacro()) {
      const llvm::StringRef text = identifier->getName();
      if (text == "__DATE__" || text == "__TIME__" || text == "__TIMESTAMP__") {
        state_.usesTime = true;
      }
    }
    state_.expandedTokens += 1 + info->getNumTokens();
    for (unsigned i = 0; arguments && i < arguments->getNumMacroArguments(); ++i) {
      state_.expandedTokens += estimate(arguments->getUnexpArgument(i), timesUsed(*info));
    }
    if (state_.expandedTokens > SourceGuard::kMaxExpandedTokens) {
      limitExceeded("macros expand to too many tokens");
    }
  }

 private:
  /// How often the body of a macro repeats one of its parameters, at most.
  double timesUsed(const clang::MacroInfo& info) {
    auto [entry, isNew] = timesUsed_.try_emplace(&info, 1.0);
    if (!isNew) return entry->second;
    llvm::SmallVector<unsigned, 8> uses(info.getNumParams(), 0);
    for (const clang::Token& token : info.tokens()) {
      const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
      const int number = identifier ? info.getParameterNum(identifier) : -1;
      if (number >= 0) entry->second = std::max<double>(entry->second, ++uses[number]);
    }
    return entry->second;
  }

  /// Tokens that an argument becomes when it is repeated `factor` times, and what is within the
  /// parentheses of a macro call as often as that macro repeats it.
  double estimate(const clang::Token* token, double factor) {
    llvm::SmallVector<double, 16> outer;
    double total = 0;
    double next = 1;
    for (; token->isNot(tok::eof); ++token) {
      if (token->is(tok::l_paren)) {
        outer.push_back(factor);
        factor *= next;
      } else if (token->is(tok::r_paren) && !outer.empty()) {
        factor = outer.pop_back_val();
      }
      total += factor;
      next = 1;
      if (const clang::IdentifierInfo* identifier = token->getIdentifierInfo()) {
        const clang::MacroInfo* info = preprocessor_.getMacroInfo(identifier);
        if (info && info->isFunctionLike()) next = timesUsed(*info);
      }
    }
    return total;
  }

  clang::Preprocessor& preprocessor_;
  SourceGuard::State& state_;
  llvm::DenseMap<const clang::MacroInfo*, double> timesUsed_;
};

}  // namespace

void SourceGuard::attach(clang::Preprocessor& preprocessor, State& state) {
  preprocessor.setTokenWatcher([&state](const clang::Token& token) { watchToken(token, state); });
  preprocessor.addPPCallbacks(std::make_unique<MacroWatch>(preprocessor, state));
  // "#pragma clang __debug" prints to stderr and crashes on request.
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

}  // namespace weft::compiler
