// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

#include "fuzz/ast.h"

/// Makers of nodes.
namespace weft::fuzz::node {

template <class... Args>
ExprPtr make(ExprKind kind, Type type, Args&&... args) {
  auto expr = std::make_unique<Expr>();
  expr->kind = kind;
  expr->type = type;
  (expr->args.push_back(std::forward<Args>(args)), ...);
  return expr;
}

inline ExprPtr constant(Type type, uint64_t bits) {
  ExprPtr expr = make(ExprKind::Constant, type);
  expr->lanes.assign(type.lanes, bits & bitMask(type.scalar));
  return expr;
}

inline ExprPtr variable(const Program& program, int ref) {
  ExprPtr expr = make(ExprKind::Variable, program.variables[static_cast<size_t>(ref)].type);
  expr->ref = ref;
  return expr;
}

inline ExprPtr binary(BinaryOp op, ExprPtr left, ExprPtr right, bool native = false) {
  const Type type = left->type;
  ExprPtr expr = make(ExprKind::Binary, type, std::move(left), std::move(right));
  expr->op = static_cast<uint8_t>(op);
  expr->native = native;
  return expr;
}

inline ExprPtr compare(CompareOp op, ExprPtr left, ExprPtr right) {
  Type type = scalarType(Scalar::Int);
  if (left->type.isVector()) type = vectorType(maskOf(left->type.scalar), left->type.lanes);
  ExprPtr expr = make(ExprKind::Compare, type, std::move(left), std::move(right));
  expr->op = static_cast<uint8_t>(op);
  return expr;
}

inline ExprPtr convert(Type type, ExprPtr from, bool saturate = false,
                       Rounding rounding = Rounding::Default) {
  if (from->type == type) return from;
  const bool mustSaturate = isFloat(from->type.scalar) && !isFloat(type.scalar);
  ExprPtr expr = make(ExprKind::Convert, type, std::move(from));
  expr->saturate = (saturate || mustSaturate) && !isFloat(type.scalar);
  expr->op = static_cast<uint8_t>(rounding);
  return expr;
}

inline ExprPtr call(Builtin function, Type type, ExprPtr a, ExprPtr b = nullptr,
                    ExprPtr c = nullptr) {
  ExprPtr expr = make(ExprKind::CallBuiltin, type, std::move(a));
  if (b) expr->args.push_back(std::move(b));
  if (c) expr->args.push_back(std::move(c));
  expr->op = static_cast<uint8_t>(function);
  return expr;
}

inline ExprPtr query(ItemQuery what, int dimension) {
  ExprPtr expr = make(ExprKind::Item, scalarType(Scalar::ULong));
  expr->op = static_cast<uint8_t>(what);
  expr->ref = dimension;
  return expr;
}

/// Element of an array or behind a pointer.
inline ExprPtr index(ExprPtr base, ExprPtr at) {
  const Type type = base->type.element();
  return make(ExprKind::Index, type, std::move(base), std::move(at));
}

inline ExprPtr field(const Program& program, ExprPtr base, int ref) {
  const Structure& structure = program.structs[static_cast<size_t>(base->type.structure)];
  ExprPtr expr =
      make(ExprKind::Field, structure.fields[static_cast<size_t>(ref)].type, std::move(base));
  expr->ref = ref;
  return expr;
}

inline ExprPtr component(ExprPtr vector, unsigned which) {
  const Type type = vector->type.lane();
  ExprPtr expr = make(ExprKind::Swizzle, type, std::move(vector));
  expr->lanes.push_back(which);
  return expr;
}

inline ExprPtr addressOf(ExprPtr what, Space space) {
  const Type type = what->type.pointerTo(space);
  return make(ExprKind::AddressOf, type, std::move(what));
}

template <class... Exprs>
StmtPtr statement(StmtKind kind, Exprs&&... exprs) {
  auto result = std::make_unique<Stmt>();
  result->kind = kind;
  (result->exprs.push_back(std::forward<Exprs>(exprs)), ...);
  return result;
}

inline StmtPtr assign(ExprPtr target, ExprPtr value) {
  return statement(StmtKind::Assign, std::move(target), std::move(value));
}

inline StmtPtr compound(BinaryOp op, ExprPtr target, ExprPtr value) {
  StmtPtr result = assign(std::move(target), std::move(value));
  result->compound = true;
  result->op = op;
  return result;
}

inline StmtPtr declare(int variable, ExprPtr value = nullptr) {
  StmtPtr result = statement(StmtKind::Declare);
  result->ref = variable;
  if (value) result->exprs.push_back(std::move(value));
  return result;
}

inline StmtPtr barrier(int fences) {
  StmtPtr result = statement(StmtKind::Barrier);
  result->ref = fences;
  return result;
}

}  // namespace weft::fuzz::node
