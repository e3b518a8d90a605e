// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source_guard.h"

#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Pragma.h>

#include "driver/compiler_threads.h"
#include "driver/containment.h"

namespace weft::compiler {
namespace {

namespace tok = clang::tok;

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

void watchToken(const clang::Token& token, SourceGuard::State& state) {
  if (++state.tokens > SourceGuard::kMaxTokens) limitExceeded("too many tokens");
  // Parsing uses more stack for a level than anything after it, so a quarter of the stack
  // leaves room for what recurses over the result.
  const size_t stack = CompilerThreads::stackBytes();
  if (CompilerThreads::stackLeft() < stack - stack / 4) limitExceeded("nested too deeply");

  ++state.chain;
  const tok::TokenKind kind = token.getKind();
  switch (kind) {
    case tok::l_brace:
      state.brackets.push_back(opensInitializer(state) ? 'i' : 'b');
      state.chain = 0;
      break;
    case tok::l_paren:
    case tok::l_square:
      state.brackets.push_back('p');
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

class MacroWatch : public clang::PPCallbacks {
 public:
  explicit MacroWatch(SourceGuard::State& state) : state_(state) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange, const clang::MacroArgs*) override {
    if (++state_.expansions > SourceGuard::kMaxExpansions) limitExceeded("too many macro uses");
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    const clang::MacroInfo* info = definition.getMacroInfo();
    if (!identifier || !info || !info->isBuiltinMacro()) return;
    const llvm::StringRef text = identifier->getName();
    if (text == "__DATE__" || text == "__TIME__" || text == "__TIMESTAMP__") {
      state_.usesTime = true;
    }
  }

 private:
  SourceGuard::State& state_;
};

}  // namespace

void SourceGuard::attach(clang::Preprocessor& preprocessor, State& state) {
  preprocessor.setTokenWatcher([&state](const clang::Token& token) { watchToken(token, state); });
  preprocessor.addPPCallbacks(std::make_unique<MacroWatch>(state));
  // "#pragma clang __debug" prints to stderr and crashes on request.
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

}  // namespace weft::compiler
