// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/disguise.h"

#include <algorithm>
#include <random>
#include <utility>

#include "fuzz/generator.h"
#include "fuzz/nodes.h"

namespace weft::fuzz {

using namespace node;

namespace {

const Type kInt = scalarType(Scalar::Int);

constexpr int kMostChanges = 6;  ///< of statements: copies of copies would never end
constexpr uint64_t kSome = 5;

StmtPtr cloneOf(const Stmt& statement);

Body cloneOf(const Body& body) {
  Body copy;
  for (const StmtPtr& statement : body) copy.push_back(cloneOf(*statement));
  return copy;
}

StmtPtr cloneOf(const Stmt& statement) {
  auto copy = std::make_unique<Stmt>();
  copy->kind = statement.kind;
  copy->ref = statement.ref;
  copy->compound = statement.compound;
  copy->op = statement.op;
  copy->collective = statement.collective;
  copy->subGroup = statement.subGroup;
  copy->hasBarrier = statement.hasBarrier;
  copy->meets = statement.meets;
  copy->values = statement.values;
  for (const ExprPtr& expr : statement.exprs) copy->exprs.push_back(expr->clone());
  copy->init = cloneOf(statement.init);
  copy->step = cloneOf(statement.step);
  copy->body = cloneOf(statement.body);
  copy->otherwise = cloneOf(statement.otherwise);
  return copy;
}

/// Labels are names of a whole function.
bool hasLabels(const Stmt& statement) {
  const auto any = [](const Body& body) {
    return std::ranges::any_of(body, [](const StmtPtr& s) { return hasLabels(*s); });
  };
  return statement.kind == StmtKind::Labelled || statement.kind == StmtKind::Tangle ||
         any(statement.body) || any(statement.otherwise);
}

bool mayBeCopied(const Stmt& statement) {
  return statement.kind != StmtKind::Declare && statement.kind != StmtKind::Case &&
         !hasLabels(statement);
}

class Disguise {
 public:
  Disguise(Program& program, uint64_t seed) : program_(program), random_(seed * 0x9e3779b9u + 7) {}

  void run() {
    markBarriers(program_);
    nought_ = addParameter("nought", 0);
    some_ = addParameter("some", kSome);
    change(program_.functions[0].body);
    layOut(program_);
    markBarriers(program_);
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

  int addParameter(const char* name, uint64_t value) {
    Variable variable;
    variable.name = name;
    variable.kind = VariableKind::Parameter;
    variable.type = kInt;
    variable.initial = {value};
    program_.variables.push_back(std::move(variable));
    const int ref = static_cast<int>(program_.variables.size()) - 1;
    program_.functions[0].parameters.push_back(ref);
    return ref;
  }

  ExprPtr name(int ref) const { return variable(program_, ref); }
  ExprPtr id() {
    return convert(kInt, query(chance(50) ? ItemQuery::GlobalId : ItemQuery::LocalId, 0));
  }

  /// `varying`: for some work-items, as far as anyone can tell.
  ExprPtr never(bool varying) {
    if (varying) return compare(CompareOp::Less, id(), name(nought_));
    return chance(50) ? compare(CompareOp::NotEqual, name(nought_), constant(kInt, 0))
                      : compare(CompareOp::Greater, name(nought_), name(some_));
  }
  ExprPtr either(bool varying) {
    ExprPtr left = varying ? id() : name(some_);
    return compare(chance(50) ? CompareOp::Less : CompareOp::Greater, std::move(left),
                   varying ? name(some_) : constant(kInt, below(2 * kSome)));
  }

  /// A branch that is never taken, to what stands here, or to the end.
  StmtPtr deadCode(const Body& body, size_t at) {
    const Stmt& model = *body[below(static_cast<unsigned>(at + 1))];
    StmtPtr copy = mayBeCopied(model) && !chance(20) ? cloneOf(model) : statement(StmtKind::Return);
    StmtPtr result = statement(StmtKind::If, never(!copy->hasBarrier && chance(50)));
    result->body.push_back(std::move(copy));
    return result;
  }

  StmtPtr inBothArms(StmtPtr whole) {
    StmtPtr result = statement(StmtKind::If, either(!whole->hasBarrier && chance(50)));
    result->otherwise.push_back(cloneOf(*whole));
    result->body.push_back(std::move(whole));
    return result;
  }

  void change(Body& body) {
    for (size_t i = 0; i < body.size(); ++i) {
      for (ExprPtr& expr : body[i]->exprs) addZeros(*expr);
      for (Body* inner : {&body[i]->body, &body[i]->otherwise}) change(*inner);
      if (body[i]->kind == StmtKind::Case || changes_ >= kMostChanges) continue;
      if (mayBeCopied(*body[i]) && chance(15)) {
        ++changes_;
        body[i] = inBothArms(std::move(body[i]));
      }
      if (chance(15)) {
        ++changes_;
        StmtPtr dead = deadCode(body, i);
        body.insert(body.begin() + static_cast<ptrdiff_t>(i), std::move(dead));
        ++i;
      }
    }
  }

  void addZeros(Expr& expr) {
    for (ExprPtr& argument : expr.args) addZeros(*argument);
    const bool isRead = expr.kind == ExprKind::ReadImage;
    if ((expr.kind != ExprKind::Index && !isRead) || !chance(35)) return;
    ExprPtr& at = expr.args[1];
    const Type type = at->type;
    if (type.lanes > 1) {
      ExprPtr noughts = make(ExprKind::Vector, type, convert(type.lane(), name(nought_)));
      at = binary(BinaryOp::Add, std::move(at), std::move(noughts));
      return;
    }
    at = binary(BinaryOp::Add, std::move(at), convert(type, name(nought_)), isSigned(type.scalar));
  }

  Program& program_;
  std::mt19937_64 random_;
  int nought_ = -1, some_ = -1;
  int changes_ = 0;
};

}  // namespace

void disguise(Program& program, uint64_t seed) { Disguise(program, seed).run(); }

Program randomProgram(uint64_t seed) {
  constexpr uint64_t kOneIn = 4;
  Program program = Generator(seed).generate();
  if (seed % kOneIn == kOneIn - 1) disguise(program, seed);
  return program;
}

}  // namespace weft::fuzz
