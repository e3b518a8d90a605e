// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <optional>

namespace weft::compiler {

/// What work-items of a sub-group do together, as the library calls it: __weft_sub_group_<kind>,
/// then
/// _<combination> where values are combined, then _<type> (i8 to i64, f16 to f64).
struct SubGroupOperation {
  enum class Kind : uint8_t {
    Barrier,    ///< void (): nothing but waiting
    Ballot,     ///< i64 (i32 predicate): bit k for item k, where it is active and its predicate set
    Shuffle,    ///< T (T, i32 k): item k's, modulo the size; zero where that is not active
    Broadcast,  ///< the same where all ask for one
    Reduce,     ///< T (T): of all
    Cluster,    ///< T (T, i32 size): of the aligned cluster that the item is in
    Inclusive,  ///< T (T): of all up to the item
    Exclusive,  ///< T (T): of all before the item
  };
  enum class Combination : uint8_t {
    None,
    Add,
    Mul,
    Min,
    Max,
    UMin,
    UMax,
    And,
    Or,
    Xor,
    FAdd,
    FMul,
    FMin,
    FMax
  };

  Kind kind;
  Combination combination = Combination::None;

  /// Whether all who take part get the same.
  bool isUniform() const {
    return kind == Kind::Ballot || kind == Kind::Broadcast || kind == Kind::Reduce;
  }
};

/// Which operation `value` is a call of, if any.
std::optional<SubGroupOperation> subGroupOperation(const llvm::Value& value);

/// Whether `value` is a call of one whose result is the same for all who take part.
bool isUniformInSubGroup(const llvm::Value& value);

/// One of the functions kSubGroupLane and kSubGroupNumber, added to the module if need be.
llvm::Function* subGroupFunction(llvm::Module& module, llvm::StringRef name);
/// Whether `value` is a call of that function.
bool isCallOf(const llvm::Value& value, llvm::StringRef name);

/// Emits operations on the values of a whole sub-group in a vector: the one definition of what they
/// compute, in all forms. `active` says who takes part.
///
/// Combinations are trees: first items k and k + size / 2, then k and k + size / 4..., with a
/// neutral number in place of who does not take part; scans add what is 1 item before, then 2, 4...
/// So a sum of floating-point numbers does not depend on the form, the width or the host.
class SubGroupCode {
 public:
  SubGroupCode(llvm::IRBuilderBase& builder, unsigned size) : builder_(builder), size_(size) {}

  /// The mask as an i64.
  llvm::Value* bits(llvm::Value* mask);
  /// A scalar for what is uniform, else a vector. `argument` is the vector or number that Cluster
  /// takes. Pre: none of Barrier, Ballot, Shuffle, Broadcast.
  llvm::Value* combine(const SubGroupOperation& operation, llvm::Value* lanes, llvm::Value* active,
                       llvm::Value* argument);

 private:
  using Combination = SubGroupOperation::Combination;

  llvm::Value* pair(Combination combination, llvm::Value* first, llvm::Value* second);
  llvm::Value* reduce(Combination combination, llvm::Value* lanes);
  llvm::Value* clusters(Combination combination, llvm::Value* lanes, llvm::Value* clusterSize);
  llvm::Value* scan(Combination combination, llvm::Value* lanes, llvm::Constant* neutral);
  llvm::Value* moveUp(llvm::Value* lanes, unsigned distance, llvm::Constant* neutral);

  llvm::IRBuilderBase& builder_;
  const unsigned size_;
};

}  // namespace weft::compiler
