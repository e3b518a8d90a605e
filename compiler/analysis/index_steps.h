// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <functional>
#include <optional>

/// How what computes an index carries a step, from lane to lane, from work-item to work-item: what
/// each operation of LLVM's makes of the steps of its operands, said once for all who follow them.
///
/// Steps are known modulo the width of their type. There sums, multiples and truncations carry them
/// whatever wraps. An extension does so only where its number does not wrap from one lane to the
/// next, and to find that out is for who asks:
///  - LaneShapes proves it, from ranges and from promises of the program (nsw), which are also what
///    a launch's condition has been made into (markExactIndices, assume-exact). Code relies on it.
///  - GuessedSteps takes it for granted. What relies on it asks when the code runs, or decides
///    nothing but what pays.
namespace weft::compiler {

/// By how much a value differs from one lane to the next, or one work-item to the next.
struct IndexStep {
  enum Kind : uint8_t {
    Uniform,  ///< it does not
    Affine,   ///< each time by `stride`, modulo the type's width
    Steady,   ///< each time by the same amount, which is large or known at run time only
    Varying,
  };
  Kind kind = Varying;
  int64_t stride = 0;  ///< in bytes for pointers

  /// Largest stride that is kept: what is further apart gains nothing from being affine.
  static constexpr int64_t kMaxStride = int64_t{1} << 20;

  static IndexStep uniform() { return {Uniform, 0}; }
  static IndexStep affine(int64_t stride) {
    return stride == 0 ? uniform() : IndexStep{Affine, stride};
  }
  static IndexStep steady() { return {Steady, 0}; }
  static IndexStep varying() { return {Varying, 0}; }

  bool isUniform() const { return kind == Uniform; }
  bool isVarying() const { return kind == Varying; }
  bool isAffine() const { return kind == Affine; }
  friend bool operator==(const IndexStep&, const IndexStep&) = default;

  friend IndexStep operator+(IndexStep left, IndexStep right);
  friend IndexStep operator*(IndexStep step, int64_t factor);
};

/// An operation as `left` times its first operand plus `right` times its second one, modulo the
/// width of its type; an extension, as the number that it extends.
struct LinearOperation {
  int64_t left = 0;
  int64_t right = 0;
  /// Whether this is so of signed numbers, or of unsigned ones, of any width as well: because it
  /// cannot be otherwise, or the program promises it for the lanes that use the result.
  bool isSignedExact = false;
  bool isUnsignedExact = false;

  /// None for what is no such sum. Factors have at most 32 bits.
  static std::optional<LinearOperation> of(const llvm::Instruction& operation);
};

using StepOf = llvm::function_ref<IndexStep(const llvm::Value&)>;

/// The step of what an operation computes from values with the steps that `of` gives. That of an
/// extension is its operand's: whoever asks knows that it does not wrap, or takes it to.
/// Varying for addresses and phis as well, which depend on more.
IndexStep carriedStep(const llvm::Instruction& operation, StepOf of);

/// Calls `each` with the indices of elements in an address, and how many bytes apart those are.
/// Returns the bytes to the fields that are named beside.
int64_t forEachIndex(const llvm::GEPOperator& address, const llvm::DataLayout& layout,
                     llvm::function_ref<void(llvm::Value& index, uint64_t bytes)> each);

/// In bytes, of an address whose pointer steps by `base`. Indices are taken to be as wide as it.
IndexStep addressStep(const llvm::GEPOperator& address, const llvm::DataLayout& layout,
                      IndexStep base, StepOf ofIndex);

/// Steps in one direction where numbers are taken not to wrap.
///
/// Ownership: borrows the function, which stays as it is.
class GuessedSteps {
 public:
  enum class Trust {
    Steps,      ///< what does not wrap grows as the operations say
    MostSteps,  ///< what is clamped, wrapped round or chosen does, too, most of the time
  };
  /// What is known of a value; nothing where that is to be found from its operands.
  using Known = std::function<std::optional<IndexStep>(const llvm::Value&)>;

  GuessedSteps(Known known, Trust trust) : known_(std::move(known)), trust_(trust) {}

  /// From one work-item to the next along a dimension, while they still ask for their ids by calls.
  static GuessedSteps alongDimension(unsigned dimension, Trust trust = Trust::Steps);

  /// From one group to the next, whatever their size: what a work-item of it asks for by calls.
  static GuessedSteps alongGroups(unsigned dimension);

  IndexStep of(const llvm::Value& value);

 private:
  static constexpr unsigned kMaxDepth = 16;

  IndexStep compute(const llvm::Instruction& instruction);
  IndexStep ofPhi(const llvm::PHINode& phi);
  IndexStep mostSteps(const llvm::Instruction& instruction);
  IndexStep joined(IndexStep left, IndexStep right) const;

  Known known_;
  Trust trust_;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Instruction*, IndexStep> found_;
  llvm::SmallVector<const llvm::Instruction*> order_;  ///< in which they were found
};

}  // namespace weft::compiler
