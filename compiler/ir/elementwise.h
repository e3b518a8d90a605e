// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instruction.h>

namespace weft::compiler {

/// Whether it computes a number from numbers, and does the same to each component of vectors.
bool isElementwise(const llvm::Instruction& instruction);

/// Floating point, or integers of a size that memory has, or truth values.
bool isNumber(const llvm::Type& type);

/// Whether both do the same to their operands, but for flags and metadata.
bool isAlike(const llvm::Instruction& one, const llvm::Instruction& other);

/// Whether it adds two numbers, and what is added up so may be added in any order.
bool isSumInAnyOrder(const llvm::Instruction& instruction);

/// How many operands compute the value of a call or another instruction.
unsigned operandCount(const llvm::Instruction& instruction);

/// Elements of a vector, or one.
unsigned elementsOf(const llvm::Type& type);

/// Emits what `model`, elementwise but for the type, does: it gives a `type`, of operands that fit.
llvm::Instruction* emitElementwise(const llvm::Instruction& model, llvm::Type* type,
                                   llvm::ArrayRef<llvm::Value*> operands,
                                   llvm::IRBuilderBase& builder);

/// Emits before `place` what computes the values of `members`, one for each component, from vectors
/// of their operands; a select may have one condition for all. It promises what all of them do.
/// Pre: the members are elementwise and alike.
llvm::Instruction* joinElementwise(llvm::ArrayRef<llvm::Value*> members,
                                   llvm::ArrayRef<llvm::Value*> operands, llvm::Instruction& place);

}  // namespace weft::compiler
