// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/parse.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {

const Type kInt = scalarType(Scalar::Int), kULong = scalarType(Scalar::ULong);

constexpr uint64_t kSmall = 12;        ///< data are below this
constexpr unsigned kLocalCount = 208;  ///< two elements for each work-item of the largest groups
/// 107 times its reciprocal is less than 1, in float and in double.
constexpr unsigned kDivisor = 107;

/// The elements that a buffer has: some for each work-item, or a number.
struct BufferKind {
  const char* name;
  bool written;
  uint8_t lanes;  ///< of its elements
  unsigned each;  ///< elements for each work-item
  unsigned count;
};
constexpr BufferKind kBuffers[] = {
    {"a", false, 1, 1, 0}, {"b", false, 1, 1, 0}, {"c", false, 1, 0, 64}, {"d", false, 1, 0, 256},
    {"m", false, 1, 1, 0}, {"o", true, 1, 1, 0},  {"r", true, 1, 1, 0},   {"q", true, 1, 2, 0},
    {"o2", true, 2, 1, 0}, {"o4", true, 4, 1, 0}, {"h", false, 1, 8, 0},
};

class Parser {
 public:
  Parser(std::string_view text, Scalar element) : text_(text), element_(element) {}

  Program parse() {
    program_.functions.push_back(
        {.name = "k", .result = {.lanes = 0}, .parameters = {}, .body = {}});
    next();
    Body body;
    while (!token_.empty()) body.push_back(statement());
    std::erase_if(body, [&](const StmtPtr& s) {
      return s->kind == StmtKind::Declare && !used_[static_cast<size_t>(s->ref)];
    });
    program_.functions[0].body = std::move(body);
    layOut(program_);
    markBarriers(program_);
    return std::move(program_);
  }

 private:
  // Tokens.

  void next() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])))
      text_.remove_prefix(1);
    size_t length = text_.empty() ? 0 : 1;
    const auto isWord = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    if (length && isWord(text_[0]))
      while (length < text_.size() && isWord(text_[length])) ++length;
    else
      for (const std::string_view two :
           {"<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "+=", "++"})
        if (text_.starts_with(two)) length = 2;
    token_ = text_.substr(0, length);
    text_.remove_prefix(length);
  }
  [[noreturn]] void wrong() const {
    throw std::invalid_argument("cannot read '" + std::string(token_) + "' before '" +
                                std::string(text_) + "'");
  }
  bool accept(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) wrong();
  }

  std::optional<Type> typeNamed(std::string_view name) const {
    size_t end = name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
    const unsigned lanes =
        end == name.size() ? 1 : static_cast<unsigned>(std::stoul(std::string(name.substr(end))));
    const std::string_view base = name.substr(0, end);
    if (base == "T") return vectorType(element_, lanes);
    for (unsigned s = 0; s <= static_cast<unsigned>(Scalar::Half); ++s)
      if (base == scalarName(static_cast<Scalar>(s)))
        return vectorType(static_cast<Scalar>(s), lanes);
    return std::nullopt;
  }

  // Names.

  int add(std::string_view name, VariableKind kind, Type type) {
    Variable variable;
    variable.name = name;
    variable.kind = kind;
    variable.type = type;
    program_.variables.push_back(std::move(variable));
    const int ref = static_cast<int>(program_.variables.size()) - 1;
    used_.resize(program_.variables.size());
    if (kind == VariableKind::Buffer || kind == VariableKind::Parameter)
      program_.functions[0].parameters.push_back(ref);
    return ref;
  }

  int addBuffer(const BufferKind& kind) {
    const bool isDivisor = kind.name == std::string_view("m");
    const Type element = isDivisor ? kInt : vectorType(element_, kind.lanes);
    const int ref = add(kind.name, VariableKind::Buffer, element.pointerTo(Space::Global));
    Variable& variable = program_.variables.back();
    variable.written = kind.written;
    variable.count = kind.count;
    variable.seed = static_cast<uint64_t>(kind.name[0]);
    variable.below = kSmall;
    return ref;
  }

  /// The pointer whose memory is that of another one.
  int addAlias() {
    const int same = find("q");
    const int ref =
        add("s", VariableKind::Buffer, program_.variables[static_cast<size_t>(same)].type);
    program_.variables.back().sameAs = same;
    return ref;
  }

  int find(std::string_view name) {
    for (size_t i = program_.variables.size(); i-- > 0;)
      if (program_.variables[i].name == name) return static_cast<int>(i);
    for (const BufferKind& kind : kBuffers)
      if (name == kind.name) return addBuffer(kind);
    if (name == "s") return addAlias();
    if (name == "l" || name == "f")
      return add(name, VariableKind::Local,
                 scalarType(element_).arrayOf(name == "l" ? kLocalCount : 1));
    if (name != "n" && name != "w" && name != "e") wrong();
    const int ref = add(name, VariableKind::Parameter, kInt);
    program_.variables.back().initial = {name == "w" ? kDivisor : 2u};
    return ref;
  }

  // Statements.

  StmtPtr statement() {
    if (accept("{")) {
      StmtPtr block = node::statement(StmtKind::Block);
      while (!accept("}")) block->body.push_back(statement());
      return block;
    }
    if (accept("if")) return branch();
    if (accept("for")) return loop();
    StmtPtr result;
    if (accept("return"))
      result = node::statement(StmtKind::Return);
    else if (accept("break"))
      result = node::statement(StmtKind::Break);
    else if (accept("continue"))
      result = node::statement(StmtKind::Continue);
    else if (accept("barrier"))
      result = barrier(1);
    else
      result = simple();
    expect(";");
    return result;
  }

  Body arm() {
    StmtPtr only = statement();
    if (only->kind == StmtKind::Block) return std::move(only->body);
    Body body;
    body.push_back(std::move(only));
    return body;
  }

  StmtPtr branch() {
    expect("(");
    StmtPtr result = node::statement(StmtKind::If, expression());
    expect(")");
    result->body = arm();
    if (accept("else")) result->otherwise = arm();
    return result;
  }

  StmtPtr loop() {
    expect("(");
    StmtPtr first = simple();
    expect(";");
    StmtPtr result = node::statement(StmtKind::For, expression());
    expect(";");
    result->init.push_back(std::move(first));
    result->step.push_back(simple());
    expect(")");
    result->body = arm();
    return result;
  }

  StmtPtr simple() {
    const bool isVolatile = accept("volatile");
    if (const auto type = typeNamed(token_)) {
      next();
      return declaration(*type, isVolatile);
    }
    ExprPtr target = postfix();
    if (accept("++")) {
      ExprPtr one = constant(target->type, 1);
      ExprPtr old = target->clone();
      return assign(std::move(target), binary(BinaryOp::Add, std::move(old), std::move(one), true));
    }
    const bool isSum = accept("+=");
    if (!isSum) expect("=");
    const Type type = target->type;
    ExprPtr value = as(type, expression());
    return isSum ? compound(BinaryOp::Add, std::move(target), std::move(value))
                 : assign(std::move(target), std::move(value));
  }

  StmtPtr declaration(Type type, bool isVolatile) {
    const std::string_view name = token_;
    next();
    if (accept("[")) {
      type = type.arrayOf(static_cast<unsigned>(std::stoul(std::string(token_))));
      next();
      expect("]");
    }
    StmtPtr result = declare(-1);
    if (accept("=")) {
      if (accept("{")) {
        do result->exprs.push_back(as(type.element(), expression()));
        while (accept(","));
        expect("}");
      } else {
        result->exprs.push_back(as(type, expression()));
      }
    }
    result->ref = add(name, VariableKind::Private, type);
    program_.variables.back().isVolatile = isVolatile;
    return result;
  }

  // Expressions.

  /// As `type`: a literal becomes one of that type.
  static ExprPtr as(Type type, ExprPtr expr) {
    if (expr->type == type) return expr;
    if (expr->kind != ExprKind::Constant || expr->type != kInt || !type.isScalar()) {
      if (type.isVector() != expr->type.isVector())
        throw std::invalid_argument("scalar and vector");
      return convert(type, std::move(expr));
    }
    const auto number = static_cast<double>(expr->lanes[0]);
    if (type.scalar == Scalar::Float)
      return constant(type, std::bit_cast<uint32_t>(static_cast<float>(number)));
    if (isFloat(type.scalar)) return convert(type, std::move(expr));
    return constant(type, expr->lanes[0]);
  }

  /// Brings two operands to one type.
  static void meet(ExprPtr& left, ExprPtr& right) {
    const bool leftIsLiteral = left->kind == ExprKind::Constant;
    const bool rightIsLiteral = right->kind == ExprKind::Constant;
    const auto rank = [](const ExprPtr& e) {
      const Scalar s = e->type.scalar;
      return isFloat(s) ? 100 + bytesOf(s) : bytesOf(s) * 2 + (isSigned(s) ? 0 : 1);
    };
    const bool toLeft = rightIsLiteral || (!leftIsLiteral && rank(left) >= rank(right));
    if (toLeft)
      right = as(left->type, std::move(right));
    else
      left = as(right->type, std::move(left));
  }

  ExprPtr expression() {
    ExprPtr condition = operators(0);
    if (!accept("?")) return condition;
    ExprPtr left = expression();
    expect(":");
    ExprPtr right = expression();
    meet(left, right);
    const Type type = left->type;
    return make(ExprKind::Conditional, type, std::move(condition), std::move(left),
                std::move(right));
  }

  struct Operator {
    const char* text;
    int level;
    ExprKind kind;
    uint8_t op;
  };
  const Operator* operatorAt(int level) const {
    static constexpr auto binaryOp = [](BinaryOp op) { return static_cast<uint8_t>(op); };
    static constexpr auto compareOp = [](CompareOp op) { return static_cast<uint8_t>(op); };
    static constexpr Operator kOperators[] = {
        {"||", 0, ExprKind::LogicalOr, 0},
        {"&&", 1, ExprKind::LogicalAnd, 0},
        {"|", 2, ExprKind::Binary, binaryOp(BinaryOp::Or)},
        {"^", 3, ExprKind::Binary, binaryOp(BinaryOp::Xor)},
        {"&", 4, ExprKind::Binary, binaryOp(BinaryOp::And)},
        {"==", 5, ExprKind::Compare, compareOp(CompareOp::Equal)},
        {"!=", 5, ExprKind::Compare, compareOp(CompareOp::NotEqual)},
        {"<", 6, ExprKind::Compare, compareOp(CompareOp::Less)},
        {"<=", 6, ExprKind::Compare, compareOp(CompareOp::LessEqual)},
        {">", 6, ExprKind::Compare, compareOp(CompareOp::Greater)},
        {">=", 6, ExprKind::Compare, compareOp(CompareOp::GreaterEqual)},
        {"<<", 7, ExprKind::Binary, binaryOp(BinaryOp::Shl)},
        {">>", 7, ExprKind::Binary, binaryOp(BinaryOp::Shr)},
        {"+", 8, ExprKind::Binary, binaryOp(BinaryOp::Add)},
        {"-", 8, ExprKind::Binary, binaryOp(BinaryOp::Sub)},
        {"*", 9, ExprKind::Binary, binaryOp(BinaryOp::Mul)},
        {"/", 9, ExprKind::Binary, binaryOp(BinaryOp::Div)},
        {"%", 9, ExprKind::Binary, binaryOp(BinaryOp::Rem)},
    };
    for (const Operator& candidate : kOperators)
      if (candidate.level == level && token_ == candidate.text) return &candidate;
    return nullptr;
  }

  ExprPtr operators(int level) {
    constexpr int kUnary = 10;
    if (level == kUnary) return unary();
    ExprPtr left = operators(level + 1);
    while (const Operator* found = operatorAt(level)) {
      next();
      ExprPtr right = operators(level + 1);
      if (found->kind == ExprKind::LogicalAnd || found->kind == ExprKind::LogicalOr) {
        left = make(found->kind, kInt, std::move(left), std::move(right));
        continue;
      }
      meet(left, right);
      left =
          found->kind == ExprKind::Compare
              ? compare(static_cast<CompareOp>(found->op), std::move(left), std::move(right))
              : binary(static_cast<BinaryOp>(found->op), std::move(left), std::move(right), true);
    }
    return left;
  }

  ExprPtr unary() {
    if (accept("!")) return make(ExprKind::LogicalNot, kInt, unary());
    if (!accept("(")) return postfix();
    if (const auto type = typeNamed(token_)) {
      next();
      expect(")");
      if (type->isScalar()) return as(*type, unary());
      expect("(");
      ExprPtr vector = make(ExprKind::Vector, *type);
      do vector->args.push_back(as(type->lane(), expression()));
      while (accept(","));
      expect(")");
      return vector;
    }
    ExprPtr inner = expression();
    expect(")");
    return postfixOf(std::move(inner));
  }

  ExprPtr postfix() {
    const std::string_view name = token_;
    if (name.empty()) wrong();
    next();
    if (std::isdigit(static_cast<unsigned char>(name[0])))
      return constant(kInt, std::stoul(std::string(name)));
    if (token_ == "(") return call(name);
    const int ref = find(name);
    used_[static_cast<size_t>(ref)] = true;
    return postfixOf(variable(program_, ref));
  }

  ExprPtr postfixOf(ExprPtr base) {
    for (;;) {
      if (accept("[")) {
        ExprPtr at = expression();
        expect("]");
        if (base->type.isVector()) {
          const Type lane = base->type.lane();
          base = make(ExprKind::Element, lane, std::move(base), std::move(at));
        } else {
          base = index(std::move(base), std::move(at));
        }
      } else if (accept(".")) {
        const size_t component = std::string_view("xyzw").find(token_);
        if (component == std::string_view::npos) wrong();
        next();
        const Type lane = base->type.lane();
        base = make(ExprKind::Swizzle, lane, std::move(base));
        base->lanes = {component};
      } else {
        return base;
      }
    }
  }

  ExprPtr call(std::string_view name) {
    expect("(");
    static constexpr const char* kQueries[] = {
        "get_global_id",  "get_local_id",   "get_group_id",     "get_global_size",
        "get_local_size", "get_num_groups", "get_global_offset"};
    const auto found = std::ranges::find(kQueries, name);
    ExprPtr first = expression();
    if (found != std::end(kQueries)) {
      expect(")");
      return query(static_cast<ItemQuery>(found - std::begin(kQueries)),
                   static_cast<int>(first->lanes[0]));
    }
    expect(",");
    ExprPtr second = expression();
    expect(")");
    meet(first, second);
    const Type type = first->type;
    const Builtin function = name == "min"   ? Builtin::Min
                             : name == "max" ? Builtin::Max
                                             : throw std::invalid_argument(std::string(name));
    return node::call(function, type, std::move(first), std::move(second));
  }

  std::string_view text_, token_;
  Scalar element_;
  Program program_;
  std::vector<bool> used_;  ///< by variable
};

}  // namespace

Program parse(std::string_view body, Scalar element) { return Parser(body, element).parse(); }

void fit(Program& program, const Shape& shape, uint64_t n) {
  program.shape = shape;
  uint64_t items = 1;
  for (unsigned d = 0; d < 3; ++d) items *= shape.global[d] + shape.offset[d];
  for (Variable& variable : program.variables) {
    if (variable.kind == VariableKind::Parameter && variable.name == "n") variable.initial = {n};
    if (variable.kind != VariableKind::Buffer) continue;
    const auto* kind = std::ranges::find(kBuffers, variable.name, &BufferKind::name);
    if (kind != std::end(kBuffers) && kind->each != 0) variable.count = kind->each * items;
  }
}

}  // namespace weft::fuzz
