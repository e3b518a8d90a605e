// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/loop_analyses.h"

#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace weft::compiler {

using namespace llvm;

LoopAnalyses::LoopAnalyses(Function& function)
    : dominators(function),
      loops(dominators),
      assumptions(function),
      library(Triple(function.getParent()->getTargetTriple())),
      libraryInfo(library),
      evolution(function, libraryInfo, assumptions, dominators, loops) {}

}  // namespace weft::compiler
