// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/source_guard.h"

#include <clang/Lex/MacroArgs.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Pragma.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <algorithm>

#include "base/compiler_threads.h"
#include "base/containment.h"

namespace weft::compiler {
namespace {

namespace tok = clang::tok;

constexpr size_t kMaxParserStack = size_t{16} << 20;
// Code generation recurses over an expression with at most this much stack for each token.
constexpr size_t kStackPerChainedToken = size_t{8} << 10;
// No source has as many lines more as are left to a thousand million.
constexpr unsigned kMaxNumberedLine = 900'000'000;

[[noreturn]] void limitExceeded(const char* what) {
  throw FatalCompilerError(
      FatalCompilerError::Reason::Limit,
      std::string("error: the program exceeds a limit of the compiler: ") + what);
}

bool isIn(const SourceGuard::State& state, char kind) {
  return !state.brackets.empty() && state.brackets.back().kind == kind;
}

/// Whether the brace after `previous` opens an initialiser list and not a block.
bool opensInitializer(const SourceGuard::State& state) {
  return state.previous == tok::equal ||
         ((state.previous == tok::comma || state.previous == tok::l_brace) && isIn(state, 'i'));
}

void openBracket(char kind, bool isList, SourceGuard::State& state) {
  state.brackets.push_back({kind, state.chain, state.chain, isList});
}

void closeBracket(SourceGuard::State& state) {
  if (state.brackets.empty()) return;
  if (state.brackets.back().isList)
    state.chain = std::max(state.chain, state.brackets.back().longest);
  state.brackets.pop_back();
}

void endElement(SourceGuard::Bracket& list, SourceGuard::State& state) {
  list.longest = std::max(list.longest, state.chain);
  state.chain = list.chain;
}

void endStatement(SourceGuard::State& state) {
  state.chain = 0;
  state.first = tok::unknown;
  state.rangeElements = 1;
  state.labels = 0;
  state.isEnum = false;
}

/// Keeps `state.chain`, and what it needs to know for that.
void watchChain(tok::TokenKind kind, SourceGuard::State& state) {
  ++state.chain;
  if (state.first == tok::unknown) state.first = kind;
  const bool inStatement = state.brackets.empty() || isIn(state, 'b');
  switch (kind) {
    case tok::kw_enum:
      state.isEnum = true;
      break;
    case tok::l_brace: {
      const bool isInitializer = opensInitializer(state);
      const bool isEnum = !isInitializer && state.isEnum;
      if (!isInitializer) endStatement(state);
      state.chain = 0;
      openBracket(isInitializer ? 'i' : isEnum ? 'e' : 'b', isInitializer || isEnum, state);
      break;
    }
    case tok::l_paren:
      openBracket('p', state.previous == tok::identifier, state);
      break;
    case tok::l_square:
      openBracket('s', false, state);
      break;
    case tok::r_brace:
      if (isIn(state, 'b')) {
        closeBracket(state);
        endStatement(state);
      } else {
        closeBracket(state);
        state.chain = 0;
      }
      break;
    case tok::r_paren:
    case tok::r_square:
      closeBracket(state);
      break;
    case tok::semi:
      endStatement(state);
      break;
    case tok::comma:
      if (!state.brackets.empty() && state.brackets.back().isList)
        endElement(state.brackets.back(), state);
      break;
    case tok::colon:
      // Labels of a switch nest, one level each.
      if (inStatement && state.first == tok::kw_case) {
        const uint64_t labels = state.labels + 1;
        endStatement(state);
        state.labels = state.chain = labels;
      }
      break;
    default:
      break;
  }
  state.previous = kind;
}

/// Clang makes every element of "[0 ... n] = x" at once, so n must be a number and not large.
void watchRange(const clang::Token& token, SourceGuard::State& state) {
  if (token.is(tok::ellipsis)) {
    state.inRange = isIn(state, 's');
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

/// Reports what stands for something that is not OpenCL C.
void watchForeign(const clang::Token& token, clang::Preprocessor& preprocessor,
                  SourceGuard::State& state) {
  llvm::StringRef text;
  if (token.is(tok::numeric_constant) && token.getLiteralData()) {
    text = llvm::StringRef(token.getLiteralData(), token.getLength());
    if (!text.contains_insensitive("wb")) return;  // a literal of type _BitInt
  } else if (token.is(tok::identifier)) {
    const auto found = state.foreign.find(token.getIdentifierInfo());
    if (found == state.foreign.end() || found->second) return;
    found->second = true;
    text = token.getIdentifierInfo()->getName();
    // Makes as many types as it is asked for in one go.
    if (text == "__make_integer_seq") limitExceeded("'__make_integer_seq' is not supported");
  } else {
    return;
  }
  clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
  const unsigned error = diagnostics.getCustomDiagID(
      clang::DiagnosticsEngine::Error, "'%0' is not part of OpenCL C, and not supported");
  diagnostics.Report(token.getLocation(), error) << text;
}

/// Clang 19 never ends at "(::x" in C, where the token is for the names of attributes alone.
void watchScope(const clang::Token& token, clang::Preprocessor& preprocessor,
                const SourceGuard::State& state) {
  if (token.isNot(tok::coloncolon) || preprocessor.getLangOpts().CPlusPlus || isIn(state, 's'))
    return;
  clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
  const unsigned error =
      diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "'::' is not part of OpenCL C");
  diagnostics.Report(token.getLocation(), error);
  throw FatalCompilerError(FatalCompilerError::Reason::Limit, "error: the build ends at '::'");
}

/// Takes their meaning from keywords that are extensions of Clang's, before Sema meets them.
void refuseForeignKeywords(clang::Preprocessor& preprocessor, SourceGuard::State& state) {
  for (const char* name :
       {"__bf16", "_BitInt", "_ExtInt", "_Complex", "__complex", "__complex__", "_Imaginary",
        "__ibm128", "__float128", "__int128", "_Accum", "_Fract", "__make_integer_seq"}) {
    clang::IdentifierInfo* identifier = preprocessor.getIdentifierInfo(name);
    if (identifier->getTokenID() != tok::identifier) identifier->revertTokenIDToIdentifier();
    state.foreign.try_emplace(identifier, false);
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
  watchChain(token.getKind(), state);
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

  /// Clang counts the digits of a line wrongly from a thousand million on, and prints blanks
  /// without end.
  void FileChanged(clang::SourceLocation where, FileChangeReason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    const clang::PresumedLoc place = preprocessor_.getSourceManager().getPresumedLoc(where);
    if (place.isValid() && place.getLine() > kMaxNumberedLine)
      preprocessor_.getDiagnostics().getDiagnosticOptions().ShowLineNumbers = 0;
  }

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

/// Counts what is made of templates: Clang bounds how deep they nest, not how many there are.
class TemplateWatch : public clang::TemplateInstantiationCallback {
 public:
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  /// Sema makes nothing more of templates once an error has been fatal.
  void atTemplateBegin(const clang::Sema& sema,
                       const clang::Sema::CodeSynthesisContext& context) override {
    if (++count_ != SourceGuard::kMaxInstantiations) return;
    clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
    const unsigned error = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "the program exceeds a limit of the compiler: too much is made of templates");
    diagnostics.Report(context.PointOfInstantiation, error);
    // One of Clang's own: others do not stop it.
    diagnostics.Report(context.PointOfInstantiation, clang::diag::fatal_too_many_errors);
  }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

 private:
  uint64_t count_ = 0;
};

}  // namespace

void SourceGuard::attach(clang::Sema& sema) {
  sema.TemplateInstCallbacks.push_back(std::make_unique<TemplateWatch>());
}

void SourceGuard::attach(clang::Preprocessor& preprocessor, State& state) {
  refuseForeignKeywords(preprocessor, state);
  preprocessor.setTokenWatcher([&](const clang::Token& token) {
    watchForeign(token, preprocessor, state);
    watchScope(token, preprocessor, state);
    watchToken(token, state);
  });
  preprocessor.addPPCallbacks(std::make_unique<MacroWatch>(preprocessor, state));
  // "#pragma clang __debug" prints to stderr and crashes on request.
  preprocessor.AddPragmaHandler("clang", new clang::EmptyPragmaHandler("__debug"));
}

}  // namespace weft::compiler
