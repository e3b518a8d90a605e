// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/reduce.h"

#include <algorithm>
#include <iterator>

#include "fuzz/nodes.h"

namespace weft::fuzz {
namespace {

class Reducer {
 public:
  Reducer(Program& program, const std::function<bool()>& fails)
      : program_(program), fails_(fails) {}

  void run() {
    constexpr int kMostRounds = 4;
    for (int round = 0; round < kMostRounds; ++round) {
      progress_ = false;
      shrinkShape();
      for (Function& function : program_.functions) reduceBody(function.body);
      for (Function& function : program_.functions) reduceExpressions(function.body);
      dropParameters();
      dropFunctions();
      dropLocals();
      if (!progress_) return;
    }
  }

 private:
  /// Whether what has been done may stay.
  bool keeps() {
    markBarriers(program_);
    const bool stays = fails_();
    progress_ |= stays;
    return stays;
  }

  void shrinkShape() {
    Shape& shape = program_.shape;
    const auto attempt = [&](auto change) {
      const Shape saved = shape;
      change();
      if (saved.global == shape.global && saved.local == shape.local &&
          saved.offset == shape.offset)
        return;
      if (!keeps()) shape = saved;
    };
    attempt([&] { shape.offset = {}; });
    for (unsigned d = 0; d < 3; ++d) {
      attempt([&] { shape.global[d] = std::min(shape.global[d], shape.local[d]); });
      attempt([&] { shape.global[d] = shape.local[d] * (shape.global[d] / shape.local[d]); });
    }
  }

  void reduceBody(Body& body) {
    dropRanges(body);
    for (size_t i = 0; i < body.size(); ++i) {
      if (unwrap(body, i)) {
        --i;
        continue;
      }
      Stmt& statement = *body[i];
      dropOtherwise(statement);
      reduceBody(statement.body);
      reduceBody(statement.otherwise);
    }
  }

  void dropRanges(Body& body) {
    for (size_t length = body.size(); length > 0; length /= 2) {
      for (size_t end = body.size(); end >= length && end > 0;) {
        const size_t begin = end - length;
        Body dropped;
        const auto first = body.begin() + static_cast<ptrdiff_t>(begin);
        const auto last = body.begin() + static_cast<ptrdiff_t>(end);
        std::move(first, last, std::back_inserter(dropped));
        body.erase(first, last);
        if (!keeps())
          body.insert(body.begin() + static_cast<ptrdiff_t>(begin),
                      std::make_move_iterator(dropped.begin()),
                      std::make_move_iterator(dropped.end()));
        end = begin;
      }
    }
  }

  void dropOtherwise(Stmt& statement) {
    if (statement.otherwise.empty()) return;
    Body saved = std::move(statement.otherwise);
    statement.otherwise.clear();
    if (!keeps()) statement.otherwise = std::move(saved);
  }

  /// The body that may take the place of the whole statement.
  static Body& within(Stmt& whole, bool second) {
    if (whole.kind == StmtKind::Switch) return whole.body[0]->body;
    return second ? whole.otherwise : whole.body;
  }

  /// Puts the contents of a compound statement in its place.
  bool unwrap(Body& body, size_t at) {
    if (body[at]->kind == StmtKind::Case) return false;
    for (const bool second : {false, true}) {
      if ((second ? body[at]->otherwise : body[at]->body).empty()) continue;
      StmtPtr whole = std::move(body[at]);
      Body inside = std::move(whole->init);
      const bool hasHead = !inside.empty();
      std::ranges::move(within(*whole, second), std::back_inserter(inside));
      const auto count = static_cast<ptrdiff_t>(inside.size());
      const auto place = body.begin() + static_cast<ptrdiff_t>(at);
      body.erase(place);
      body.insert(body.begin() + static_cast<ptrdiff_t>(at),
                  std::make_move_iterator(inside.begin()), std::make_move_iterator(inside.end()));
      if (keeps()) return true;
      const auto first = body.begin() + static_cast<ptrdiff_t>(at);
      inside.assign(std::make_move_iterator(first), std::make_move_iterator(first + count));
      body.erase(first, first + count);
      whole->init.clear();
      auto rest = inside.begin();
      if (hasHead) whole->init.push_back(std::move(*rest++));
      within(*whole, second)
          .assign(std::make_move_iterator(rest), std::make_move_iterator(inside.end()));
      body.insert(body.begin() + static_cast<ptrdiff_t>(at), std::move(whole));
    }
    return false;
  }

  void reduceExpressions(Body& body) {
    for (StmtPtr& statement : body) {
      const bool writesFirst =
          statement->kind == StmtKind::Assign || statement->kind == StmtKind::Collect ||
          statement->kind == StmtKind::Merge || statement->kind == StmtKind::Meet;
      for (size_t i = 0; i < statement->exprs.size(); ++i) {
        if (writesFirst && i == 0)
          reduceParts(*statement->exprs[0]);
        else
          reduceExpression(statement->exprs[i]);
      }
      reduceExpressions(statement->init);
      reduceExpressions(statement->step);
      reduceExpressions(statement->body);
      reduceExpressions(statement->otherwise);
    }
  }

  /// Keeps the node itself: what is written to, or whose address is taken.
  void reduceParts(Expr& expr) {
    switch (expr.kind) {
      case ExprKind::Index:
      case ExprKind::Element:
        reduceParts(*expr.args[0]);
        return reduceExpression(expr.args[1]);
      case ExprKind::Field:
      case ExprKind::Swizzle:
      case ExprKind::AddressOf:
        return reduceParts(*expr.args[0]);
      case ExprKind::PostIncrement:
        return;
      case ExprKind::Part:
        if (expr.args.size() > 1) reduceExpression(expr.args[1]);
        return;
      default:
        for (ExprPtr& argument : expr.args) reduceExpression(argument);
    }
  }

  bool replace(ExprPtr& place, ExprPtr by) {
    std::swap(place, by);
    if (keeps()) return true;
    std::swap(place, by);
    return false;
  }

  void reduceExpression(ExprPtr& expr) {
    if (expr->kind == ExprKind::Constant) return;
    if (expr->type.isValue()) {
      if (replace(expr, node::constant(expr->type, 0))) return;
      if (expr->kind == ExprKind::Variable) return;
      if (!isFloat(expr->type.scalar) && replace(expr, node::constant(expr->type, 1))) return;
    }
    for (size_t i = 0; i < expr->args.size(); ++i) {
      if (expr->args[i]->type != expr->type) continue;
      if (replace(expr, expr->args[i]->clone())) return reduceExpression(expr);
    }
    reduceParts(*expr);
  }

  void dropParameters() {
    std::vector<int>& parameters = program_.functions[0].parameters;
    for (size_t i = parameters.size(); i-- > 0;) {
      const int saved = parameters[i];
      parameters.erase(parameters.begin() + static_cast<ptrdiff_t>(i));
      if (!keeps()) parameters.insert(parameters.begin() + static_cast<ptrdiff_t>(i), saved);
    }
  }

  void dropFunctions() {
    while (program_.functions.size() > 1) {
      Function saved = std::move(program_.functions.back());
      program_.functions.pop_back();
      if (keeps()) continue;
      program_.functions.push_back(std::move(saved));
      return;
    }
  }

  /// Local variables and tables are printed whether or not they are used.
  void dropLocals() {
    for (Variable& variable : program_.variables) {
      const VariableKind kind = variable.kind;
      const bool isSampler = kind == VariableKind::Sampler && !variable.isArgument;
      const bool isShown = kind == VariableKind::Local || kind == VariableKind::Table ||
                           kind == VariableKind::Global || isSampler;
      if (!isShown) continue;
      variable.kind = VariableKind::Private;
      if (!keeps()) variable.kind = kind;
    }
  }

  Program& program_;
  const std::function<bool()>& fails_;
  bool progress_ = false;
};

}  // namespace

void reduce(Program& program, const std::function<bool()>& fails) { Reducer(program, fails).run(); }

}  // namespace weft::fuzz
