// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Lex/Preprocessor.h>

#include <cstdint>
#include <vector>

namespace weft::compiler {

/// Ends a build whose source would exhaust the stack or take forever: watches every token that
/// reaches the parser and every macro that is expanded, and throws FatalCompilerError.
///
/// Clang bounds brackets, includes and templates on its own. What it does not bound are chains
/// that recurse without a bracket ("----x", "if(a)if(b)...", typedefs of pointers) and the
/// number of tokens that macros make.
/// Ownership: attach() hands a copy of the state to the preprocessor. Threads: the build's.
class SourceGuard {
 public:
  static constexpr uint64_t kMaxTokens = 8'000'000;
  static constexpr double kMaxExpandedTokens = 16e6;
  static constexpr double kMaxRangeElements = 4e6;

  /// What a watched build has done; lives as long as the preprocessor.
  struct State {
    uint64_t tokens = 0;
    double expandedTokens = 0;  ///< estimate of what all macros made, nested ones included
    uint64_t chain = 0;         ///< tokens since the last one that ends a statement or list element
    bool usesTime = false;      ///< __DATE__, __TIME__ or __TIMESTAMP__ was expanded
    std::vector<char> brackets;
    bool inRange = false;      ///< between "..." and "]" of a designator "[0 ... n]"
    double rangeElements = 1;  ///< product of the ranges of this statement
    clang::tok::TokenKind previous = clang::tok::unknown;
  };

  /// Pre: on a compiler thread; `state` outlives `preprocessor`.
  static void attach(clang::Preprocessor& preprocessor, State& state);
};

}  // namespace weft::compiler
