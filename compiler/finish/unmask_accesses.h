// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Makes masked accesses to memory that no other thread sees whole ones, on hosts that have no mask
/// registers. Masked stores of AVX and AVX2 take twelve cycles on AMD's CPUs, where a load, a
/// selection and a store take one, and later loads wait for them; elements of one or two bytes, and
/// all where there is no AVX, are accessed one by one.
///
/// Does:    stores to local and private memory what was there in lanes that are masked off; loads
///          all lanes where one is sure to be active, or the host has no masked load. Branches
///          round both if no lane is active.
/// Assumes: local memory has margins on both sides that are larger than a vector of work-items,
///          and the work-items of a group run on one thread.
/// Leaves:  masked accesses to other memory, and to variables of which a part may be reached.
/// Reads:   what the target says of the host.
class UnmaskAccessesPass : public llvm::PassInfoMixin<UnmaskAccessesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
