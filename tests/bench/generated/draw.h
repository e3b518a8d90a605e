// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a family draws from: numbers, types, sizes and expressions.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "program.h"

namespace weft::bench::generated {

/// An element type: how memory holds it and what it is computed in.
struct Type {
  std::string storage;
  std::string compute;  ///< int for what is narrower
  bool isReal() const { return compute[0] == 'f' || compute[0] == 'd'; }
  bool isSigned() const { return compute == "int"; }
  /// Half the distance of 1 to the next number.
  double epsilon() const { return compute[0] == 'f' ? 0x1p-24 : compute[0] == 'd' ? 0x1p-53 : 0; }
  /// Inputs are between -bound (0 where there is no sign) and bound.
  double bound() const;
  double lowest() const;
};

/// A text with bounds for its value and for how far two correct implementations may be apart.
/// Integers are exact; those of type int keep away from overflow, which is undefined.
struct Expression {
  std::string text;
  double bound = 1;
  double error = 0;
};

class Draw {
 public:
  /// `small`: the same kernels over few elements, for tests.
  Draw(uint32_t seed, bool small) : random_(seed * 0x9e3779b97f4a7c15u + 1), small_(small) {
    for (int i = 0; i < 4; ++i) random_.bits();
  }

  size_t below(size_t count) { return random_.bits() % count; }
  size_t between(size_t low, size_t high) { return low + below(high - low + 1); }
  bool chance(unsigned percent) { return below(100) < percent; }
  double real(double low, double high) { return random_.between(low, high); }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  std::string pick(std::initializer_list<const char*> choices) {
    return choices.begin()[below(choices.size())];
  }

  bool small() const { return small_; }
  /// Work-items that come to some 2^25 steps in all, when each takes `steps` of them, up to `most`;
  /// a multiple of `multiple`.
  size_t items(double steps, size_t multiple = 1, size_t most = size_t{1} << 22);
  /// A width and a height for `count` items.
  std::pair<size_t, size_t> plane(size_t count, size_t multiple = 1);
  /// The size of a table or the like; of tests a small one.
  size_t size(std::initializer_list<size_t> choices) {
    const size_t drawn = pick(choices);
    return small_ ? std::min<size_t>(drawn, 256) : drawn;
  }
  uint32_t bits() { return random_.bits(); }

  /// Any element type, or one of those with a common trait.
  Type type();
  Type realType();
  Type integerType();
  Type unsignedType();

 private:
  Random random_;
  bool small_;
};

/// Draws expressions of one type.
class Expressions {
 public:
  /// `maths`: with functions of the library; `vector`: for a vector type, whose elements the type
  /// describes (no conditions, no promotion).
  struct Traits {
    bool maths = false;
    std::string vector = {};
  };
  Expressions(Draw& draw, Type type) : Expressions(draw, std::move(type), Traits{}) {}
  Expressions(Draw& draw, Type type, Traits traits)
      : draw_(draw), type_(std::move(type)), traits_(std::move(traits)) {}

  /// Some `operations` on `leaves`, of which each is used while they last.
  Expression draw(std::vector<Expression> leaves, size_t operations);
  /// A sum of multiples of all of them.
  Expression weighted(const std::vector<Expression>& terms);
  /// What can be done again and again to the numbers `names`, reals of [-1, 1]: each time adds at
  /// most stepError() to how far they are apart. Integers as by draw().
  Expression step(const std::vector<std::string>& names, size_t operations);
  double stepError() const { return 24 * type_.epsilon(); }
  Expression leaf(const std::string& text) const { return {text, type_.bound(), 0}; }
  std::string literal(double value) const;
  /// May both be off, and to be on the safe side.
  static double tolerance(const Expression& e) { return 4 * e.error; }

 private:
  Expression combine(const Expression& a, const Expression& b);
  Expression real(const Expression& a, const Expression& b);
  Expression mathematical(const Expression& a, const Expression& b);
  Expression unsignedOne(const Expression& a, const Expression& b);
  Expression signedOne(const Expression& a, const Expression& b);
  Expression rounded(std::string text, double bound, double error, double ulps = 0.5) const;
  Expression limited(const Expression& e) const;

  Draw& draw_;
  Type type_;
  Traits traits_;
};

}  // namespace weft::bench::generated
