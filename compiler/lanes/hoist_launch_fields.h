// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace weft::compiler {

/// Reads once what stays the same for a whole group. `int w = get_global_size(0)` is read in the
/// loop over work-items; passes on loops around that one take nothing that reads memory.
///
/// Does:    moves loads of the fields of the group and of its launch to the end of the entry block,
///          and loads each of them once.
/// Assumes: form-kernel: the entry takes the group, and nothing else.
/// Leaves:  no such load in a loop; other functions as they are.
/// Reads:   loop metadata `weft.items`, which entries alone have.
class HoistLaunchFieldsPass : public llvm::PassInfoMixin<HoistLaunchFieldsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace weft::compiler
