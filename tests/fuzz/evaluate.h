// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>

#include "fuzz/ast.h"
#include "fuzz/image.h"
#include "fuzz/memory.h"

namespace weft::fuzz {

/// One work-item that is being interpreted.
struct Item {
  Actor actor;
  std::array<uint64_t, 3> globalId{}, localId{}, groupId{}, localSize{};
  Value returned;
  bool hasReturned = false;  ///< with a value
  int label = 0;             ///< of the goto that is under way
};

/// Evaluates expressions. Calls of functions go to whoever runs statements.
class Evaluator {
 public:
  Evaluator(const Program& program, Memory& memory) : program_(program), memory_(memory) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

 protected:
  virtual Value call(const Expr& expr, Item& item) = 0;

  Value evaluate(const Expr& expr, Item& item);
  bool isTrue(const Expr& expr, Item& item);
  Address place(const Expr& expr, Item& item);
  Value load(Type type, Address address, Item& item);
  void store(Type type, Address address, const Value& value, Item& item);
  void assign(const Expr& target, const Value& value, Item& item);
  void writeImage(const Stmt& statement, Item& item);
  // partial.cpp
  bool isPartial(const Expr& expr) const;
  void merge(const Stmt& statement, Item& item);
  void copyPartial(const Expr& target, const Expr& source, Item& item);
  void changePartial(const Stmt& statement, Item& item);
  void step() {
    if (++steps_ > kMaxSteps) throw Undefined{"too long"};
  }

  const Program& program_;
  Memory& memory_;

 private:
  static constexpr uint64_t kMaxSteps = 6'000'000;

  /// The variable of the kernel that an expression for an image stands for.
  int imageOf(const Expr& expr, Item& item);
  const ImageType& imageType(int variable) const {
    return program_.variables[static_cast<size_t>(variable)].image;
  }
  int64_t integer(const Expr& expr, Item& item);
  Value binaryOf(const Expr& expr, Item& item);
  Value conditional(const Expr& expr, Item& item);
  Value callBuiltin(const Expr& expr, Item& item);
  Value reinterpret(const Expr& expr, Item& item);
  Value vectorOf(const Expr& expr, Item& item);
  Value atomic(const Expr& expr, Item& item);
  Value readImage(const Expr& expr, Item& item);
  uint64_t query(const Expr& expr, const Item& item) const;
  Value part(const Expr& expr, Item& item);
  Value componentsOf(const Expr& expr, Item& item);

  uint64_t steps_ = 0;
};

/// Whether an expression is built from constants alone.
bool isConstant(const Expr& expr);

}  // namespace weft::fuzz
