// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace weft::bench::generated {
namespace {

std::string call(const char* function, const std::string& a, const std::string& b) {
  return std::string(function) + "(" + a + ", " + b + ")";
}

std::string infix(const std::string& a, const char* op, const std::string& b) {
  return "(" + a + " " + op + " " + b + ")";
}

constexpr double kLargestInt = 0x1p29;
constexpr double kLargestReal = 64;

}  // namespace

double Type::bound() const {
  if (isReal()) return 1;
  if (storage == "char") return 127;
  if (storage == "uchar") return 255;
  if (storage == "uint" || storage == "ulong") return 0x1p31;
  return 1000;
}

double Type::lowest() const {
  return isReal() || isSigned() ? storage[0] == 'u' ? 0 : -bound() : 0;
}

size_t Draw::items(double steps, size_t multiple, size_t most) {
  const double all = (small_ ? 0x1p13 : 0x1p25) * real(0.6, 1.6);
  const double limit = small_ ? 1000 : static_cast<double>(most) * real(0.5, 1.0);
  const auto count = static_cast<size_t>(std::min(std::max(all / steps, 1.0), limit));
  return std::max<size_t>(1, (count + multiple - 1) / multiple) * multiple;
}

std::pair<size_t, size_t> Draw::plane(size_t count, size_t multiple) {
  const double aspect = real(0.5, 3.0);
  const auto width = static_cast<size_t>(std::sqrt(static_cast<double>(count) * aspect));
  const size_t columns = std::max<size_t>(1, width / multiple) * multiple;
  const size_t rows = std::max<size_t>(1, count / columns / multiple) * multiple;
  return {columns, rows};
}

Type Draw::type() { return chance(50) ? realType() : integerType(); }

Type Draw::realType() { return chance(70) ? Type{"float", "float"} : Type{"double", "double"}; }

Type Draw::integerType() {
  const std::string storage =
      pick({"int", "int", "uint", "uint", "uchar", "short", "ushort", "ulong", "char"});
  return {storage, storage == "uint" || storage == "ulong" ? storage : "int"};
}

Type Draw::unsignedType() { return chance(75) ? Type{"uint", "uint"} : Type{"ulong", "ulong"}; }

std::string Expressions::literal(double value) const {
  char text[64];
  if (type_.compute == "float")
    std::snprintf(text, sizeof text, "%#.8gf", value);
  else if (type_.compute == "double")
    std::snprintf(text, sizeof text, "%#.16g", value);
  else
    std::snprintf(text, sizeof text, type_.isSigned() ? "%.0f" : "%.0fu", value);
  const std::string number = value < 0 ? "(" + std::string(text) + ")" : text;
  if (!traits_.vector.empty()) return "((" + traits_.vector + ")" + number + ")";
  return type_.compute == "ulong" ? "((ulong)" + number + ")" : number;
}

Expression Expressions::rounded(std::string text, double bound, double error, double ulps) const {
  return {std::move(text), bound, error + 2 * ulps * type_.epsilon() * (bound + error)};
}

/// Makes values that have become large small again.
Expression Expressions::limited(const Expression& e) const {
  if (type_.isReal()) {
    if (e.bound <= kLargestReal) return e;
    const double factor = 1 / e.bound;
    return rounded(infix(e.text, "*", literal(factor)), 1, e.error * factor);
  }
  if (!type_.isSigned() || e.bound <= kLargestInt) return e;
  return {infix(e.text, "&", "0xffff"), 65535, 0};
}

Expression Expressions::real(const Expression& a, const Expression& b) {
  switch (draw_.below(9)) {
    case 0:
      return rounded(infix(a.text, "+", b.text), a.bound + b.bound, a.error + b.error);
    case 1:
      return rounded(infix(a.text, "-", b.text), a.bound + b.bound, a.error + b.error);
    case 2:
    case 3:
      return rounded(infix(a.text, "*", b.text), a.bound * b.bound,
                     a.bound * b.error + b.bound * a.error + a.error * b.error);
    case 4: {
      const double factor = draw_.real(-2, 2);
      return rounded("fma(" + a.text + ", " + literal(factor) + ", " + b.text + ")",
                     a.bound * std::abs(factor) + b.bound, a.error * std::abs(factor) + b.error);
    }
    case 5:
      return {call(draw_.chance(50) ? "fmin" : "fmax", a.text, b.text), std::max(a.bound, b.bound),
              std::max(a.error, b.error)};
    case 6: {
      const double least = draw_.real(0.5, 2);
      return rounded(
          infix(a.text, "/", infix("fabs(" + b.text + ")", "+", literal(least))), a.bound / least,
          a.error / least +
              a.bound * (b.error + type_.epsilon() * (b.bound + least) * 2) / (least * least),
          2.5);
    }
    case 7: {
      const double least = draw_.real(0.25, 1);
      return rounded(
          "sqrt" + infix("fabs(" + infix(a.text, "*", b.text) + ")", "+", literal(least)),
          std::sqrt(a.bound * b.bound + least),
          (a.bound * b.error + b.bound * a.error +
           4 * type_.epsilon() * (a.bound * b.bound + least)) /
              (2 * std::sqrt(least)),
          3);
    }
    default: {
      const double limit = draw_.real(0.25, 0.75);
      const Expression c{"clamp(" + a.text + ", " + literal(-limit) + ", " + literal(limit) + ")",
                         std::min(a.bound, limit), a.error};
      return rounded(infix(c.text, "+", b.text), c.bound + b.bound, c.error + b.error);
    }
  }
}

Expression Expressions::mathematical(const Expression& a, const Expression& b) {
  const auto positive = [&](const Expression& e, double least) {
    return rounded(infix("fabs(" + e.text + ")", "+", literal(least)), e.bound + least, e.error);
  };
  switch (draw_.below(11)) {
    case 0:
      return rounded("sin(" + a.text + ")", 1, a.error, 4);
    case 1:
      return rounded("cos" + infix(a.text, "*", literal(3)), 1,
                     3 * a.error + 6 * type_.epsilon() * a.bound, 4);
    case 2:
      return rounded("exp(-fabs(" + a.text + "))", 1, a.error, 4);
    case 3: {
      const Expression e = positive(a, 0.125);
      return rounded("log(" + e.text + ")", 3 + std::log(e.bound), e.error / 0.125, 4);
    }
    case 4: {
      const Expression e = positive(a, 0.25);
      return rounded("log2(" + e.text + ")", 3 + std::log2(e.bound), e.error / 0.17, 4);
    }
    case 5:
      return rounded("tanh(" + a.text + ")", 1, a.error, 5);
    case 6:
      return rounded("atan2" + infix(a.text, ",", positive(b, 0.5).text), 2,
                     2 * (a.error + b.error + 2 * type_.epsilon() * (b.bound + 1)), 6);
    case 7: {
      const Expression e = positive(a, 0.5);
      const double power = draw_.real(0.2, 2.2);
      const double bound = std::pow(e.bound, power);
      return rounded(call("pow", e.text, literal(power)), bound, 3 * bound * e.error, 16);
    }
    case 8: {
      const Expression e = positive(a, 0.5);
      return rounded("cbrt(" + e.text + ")", std::cbrt(e.bound), e.error, 4);
    }
    case 9:
      return rounded("exp2(fmin(" + a.text + ", " + literal(2) + "))", 4, 3 * a.error, 4);
    default:
      return draw_.chance(50)
                 ? rounded("erf(" + a.text + ")", 1, 2 * a.error, 16)
                 : rounded(call("hypot", a.text, b.text), a.bound + b.bound, a.error + b.error, 4);
  }
}

Expression Expressions::unsignedOne(const Expression& a, const Expression& b) {
  const double bits = type_.compute == "ulong"    ? 64
                      : type_.compute == "uint"   ? 32
                      : type_.compute == "ushort" ? 16
                                                  : 8;
  const auto shift = [&] {
    return literal(static_cast<double>(draw_.between(1, static_cast<size_t>(bits) - 1)));
  };
  const bool wide = bits >= 32 && traits_.vector.empty();
  switch (draw_.below(wide ? 12 : 9)) {
    case 0:
    case 1:
      return {infix(a.text, "+", b.text), a.bound, 0};
    case 2:
      return {infix(a.text, "-", b.text), a.bound, 0};
    case 3:
      return {infix(a.text, "^", b.text), a.bound, 0};
    case 4:
      return {infix(a.text, draw_.chance(50) ? "&" : "|", b.text), a.bound, 0};
    case 5:
      return {infix(a.text, "*", b.text), a.bound, 0};
    case 6:
      return {infix(b.text, "^", infix(a.text, draw_.chance(50) ? ">>" : "<<", shift())), a.bound,
              0};
    case 7:
      return {infix(call("rotate", a.text, shift()), "+", b.text), a.bound, 0};
    case 8:
      return {call(draw_.chance(50) ? "min" : "max", a.text, b.text), a.bound, 0};
    case 9:
      return {call("mul_hi", a.text, infix(b.text, "|", literal(0x10001))), a.bound, 0};
    case 10:
      return {infix(b.text, "+", (draw_.chance(50) ? "popcount(" : "clz(") + a.text + ")"), a.bound,
              0};
    default:
      return {"(" + infix(a.text, "<", b.text) + " ? " + infix(b.text, "-", a.text) + " : " +
                  infix(a.text, "/", literal(static_cast<double>(draw_.between(3, 1000)))) + ")",
              a.bound, 0};
  }
}

Expression Expressions::signedOne(const Expression& a, const Expression& b) {
  const double most = std::max(a.bound, b.bound);
  switch (draw_.below(9)) {
    case 0:
      return {infix(a.text, "+", b.text), a.bound + b.bound, 0};
    case 1:
      return {infix(a.text, "-", b.text), a.bound + b.bound, 0};
    case 2:
      if (a.bound * b.bound <= kLargestInt)
        return {infix(a.text, "*", b.text), a.bound * b.bound, 0};
      [[fallthrough]];
    case 3:
      return {infix(a.text, "^", b.text), 2 * most + 1, 0};
    case 4:
      return {infix(infix(a.text, ">>", std::to_string(draw_.between(1, 6))), "+", b.text),
              a.bound + b.bound, 0};
    case 5:
      return {call(draw_.chance(50) ? "min" : "max", a.text, b.text), most, 0};
    case 6:
      return {"(int)abs" + infix(a.text, "-", b.text), a.bound + b.bound, 0};
    case 7:
      if (most < 0x1p14)
        return {
            "mad24(" + a.text + ", " + std::to_string(draw_.between(2, 99)) + ", " + b.text + ")",
            100 * a.bound + b.bound, 0};
      [[fallthrough]];
    default:
      return {
          "(" + infix(a.text, ">", b.text) + " ? " + a.text + " : " + infix(b.text, "-", "3") + ")",
          most + 3, 0};
  }
}

Expression Expressions::combine(const Expression& a, const Expression& b) {
  if (traits_.maths && draw_.chance(60)) return limited(mathematical(a, b));
  if (type_.isReal()) return limited(real(a, b));
  return limited(type_.isSigned() ? signedOne(a, b) : unsignedOne(a, b));
}

Expression Expressions::draw(std::vector<Expression> leaves, size_t operations) {
  const std::vector<Expression> all = leaves;
  for (size_t i = 0; i < operations || leaves.size() > 1; ++i) {
    const size_t first = draw_.below(leaves.size());
    const Expression a = leaves[first];
    leaves.erase(leaves.begin() + static_cast<long>(first));
    // Another open end while there are some, or an input once more.
    Expression b;
    if (!leaves.empty() && (i + leaves.size() >= operations || draw_.chance(50))) {
      const size_t second = draw_.below(leaves.size());
      b = leaves[second];
      leaves.erase(leaves.begin() + static_cast<long>(second));
    } else {
      b = all[draw_.below(all.size())];
    }
    // What a difference to itself gives is no work.
    if (b.text == a.text)
      b = {literal(type_.isReal() ? draw_.real(0.25, 1) : 37), type_.isReal() ? 1.0 : 37, 0};
    leaves.push_back(combine(limited(a), limited(b)));
  }
  return leaves[0];
}

Expression Expressions::step(const std::vector<std::string>& names, size_t operations) {
  const double error = 16 * type_.epsilon();
  std::vector<Expression> leaves;
  for (const std::string& name : names)
    leaves.push_back({name, type_.isReal() ? 1 : type_.bound(), error});
  Expression value = draw(leaves, operations);
  if (!type_.isReal()) return value;
  // The result's error is (slope * error + its own) * factor, so that neither is more than `error`.
  const double factor = 1 / std::max({1.0, value.bound + value.error, value.error / error});
  // Something is added, or it would end among the denormal numbers.
  const double added = draw_.real(0.125, 0.5);
  return {"clamp(" + value.text + " * " + literal(factor) + " + " + literal(added) + ", " +
              literal(-1) + ", " + literal(1) + ")",
          1, error};
}

Expression Expressions::weighted(const std::vector<Expression>& terms) {
  Expression sum;
  for (size_t i = 0; i < terms.size(); ++i) {
    const Expression& term = terms[i];
    const double weight = type_.isReal()     ? draw_.real(-1, 1)
                          : type_.isSigned() ? static_cast<double>(draw_.between(0, 8)) - 4
                                             : static_cast<double>(draw_.between(1, 9));
    const double size = std::abs(weight);
    const Expression product =
        rounded(literal(weight) + " * " + term.text, size * term.bound, size * term.error);
    sum = i == 0 ? product
                 : rounded(sum.text + " + " + product.text, sum.bound + product.bound,
                           sum.error + product.error);
  }
  sum.text = "(" + sum.text + ")";
  return limited(sum);
}

}  // namespace weft::bench::generated
