// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <vector>

namespace clang {
class Sema;
}

namespace weft::compiler {

/// Ends a build whose source would exhaust the stack or take forever: watches every token that
/// reaches the parser and every macro that is expanded, and throws FatalCompilerError.
///
/// Only what nests is dangerous: enumerations, switches and lists of arguments may be as long as
/// they like.
///
/// Clang bounds brackets, includes and templates on its own. What it does not bound are chains
/// that recurse without a bracket ("----x", "if(a)if(b)...", typedefs of pointers) and the
/// number of tokens that macros make. Types of Clang's that no target of OpenCL has, some of which
/// it cannot handle there, are no keywords any more and reported by name.
/// Ownership: attach() hands a copy of the state to the preprocessor. Threads: the build's.
class SourceGuard {
 public:
  static constexpr uint64_t kMaxTokens = 8'000'000;
  static constexpr double kMaxExpandedTokens = 16e6;
  static constexpr double kMaxRangeElements = 4e6;
  static constexpr uint64_t kMaxInstantiations = 100'000;

  /// An open bracket.
  struct Bracket {
    char kind;            ///< 'i' initialiser, 'e' enumerators, 'b' block, 'p' and 's' the others
    uint64_t chain;       ///< when it opened
    uint64_t longest;     ///< chain at the end of its longest element so far
    bool isList = false;  ///< commas separate elements that know nothing of each other
  };

  /// What a watched build has done; lives as long as the preprocessor.
  struct State {
    uint64_t tokens = 0;
    double expandedTokens = 0;  ///< estimate of what all macros made, nested ones included
    /// Tokens that may lie on one path down the tree: those of this statement so far, but of lists
    /// no more than of their longest element.
    uint64_t chain = 0;
    bool usesTime = false;  ///< __DATE__, __TIME__ or __TIMESTAMP__ was expanded
    std::vector<Bracket> brackets;
    clang::tok::TokenKind first = clang::tok::unknown;  ///< of the statement
    uint64_t labels = 0;                                ///< cases in front of the statement
    bool isEnum = false;       ///< the statement has declared an enumeration so far
    bool inRange = false;      ///< between "..." and "]" of a designator "[0 ... n]"
    double rangeElements = 1;  ///< product of the ranges of this statement
    clang::tok::TokenKind previous = clang::tok::unknown;
    /// Identifiers that are refused, and whether one has been reported.
    llvm::SmallDenseMap<const clang::IdentifierInfo*, bool, 8> foreign;
  };

  /// Pre: on a compiler thread; `state` outlives `preprocessor`.
  static void attach(clang::Preprocessor& preprocessor, State& state);
  /// The same for what Sema makes of templates.
  static void attach(clang::Sema& sema);
};

}  // namespace weft::compiler
