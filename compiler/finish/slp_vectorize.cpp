// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finish/slp_vectorize.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

namespace weft::compiler {

using namespace llvm;

namespace {

/// Lets addresses escape as long as it lives. For escape analysis an integer of an address is
/// enough; a store would be one more access to be ordered with the others.
class EscapingObjects {
 public:
  explicit EscapingObjects(Function& function) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    for (Argument& argument : function.args())
      if (argument.hasNoAliasAttr() || argument.hasByValAttr()) addEscape(builder, argument);
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (!isa<AllocaInst>(instruction)) continue;
      builder.SetInsertPoint(instruction.getNextNode());
      addEscape(builder, instruction);
    }
  }

  EscapingObjects(const EscapingObjects&) = delete;
  EscapingObjects& operator=(const EscapingObjects&) = delete;

  ~EscapingObjects() {
    for (PtrToIntInst* escape : escapes_) escape->eraseFromParent();
  }

 private:
  void addEscape(IRBuilder<>& builder, Value& address) {
    Type* integer = builder.getIntPtrTy(builder.GetInsertBlock()->getDataLayout());
    escapes_.push_back(builder.Insert(new PtrToIntInst(&address, integer)));
  }

  SmallVector<PtrToIntInst*, 8> escapes_;
};

}  // namespace

PreservedAnalyses SlpVectorizePass::run(Function& function, FunctionAnalysisManager& analyses) {
  const EscapingObjects escaping(function);
  return SLPVectorizerPass().run(function, analyses);
}

}  // namespace weft::compiler
