// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>
#include <string>

#include "analysis/lane_shapes.h"
#include "analysis/lane_uniformity.h"
#include "analysis/mask_plan.h"
#include "analysis/private_variables.h"
#include "ir/item_loop.h"

namespace weft::compiler::test {

/// A loop over work-items in textual IR, with everything that is found out about it. The text is
/// the body of an iteration: it starts in block `iteration`, where %i is the index, and comes to
/// block `end`. Arguments: %in, %out (global), %l (local), %n, %m (i32), %w (i64), %f (float).
class LaneLoop {
 public:
  explicit LaneLoop(const std::string& body, const std::string& variables = "") {
    const std::string text = R"(
      target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
      declare i32 @anything(ptr addrspace(1))
      declare i32 @llvm.smax.i32(i32, i32)
      declare i32 @llvm.abs.i32(i32, i1)
      declare void @llvm.lifetime.start.p0(i64, ptr)
      define void @f(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) %l, i32 %n, i32 %m,
                     i64 %w, float %f, i64 %count) {
      entry:
        )" + variables + R"(
        br label %iteration
      iteration:
        %i = phi i64 [ 0, %entry ], [ %i.next, %end ]
        )" + body + R"(
      end:
        %i.next = add nuw nsw i64 %i, 1
        %i.last = icmp eq i64 %i.next, %count
        br i1 %i.last, label %done, label %iteration
      done:
        ret void
      })";
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(text, diagnostic, context_);
    if (!module_) {
      ADD_FAILURE() << diagnostic.getMessage().str() << " in line " << diagnostic.getLineNo()
                    << ": " << diagnostic.getLineContents().str();
      std::abort();
    }
    function_ = module_->getFunction("f");
    dominators_.recalculate(*function_);
    postDominators_.recalculate(*function_);
    loops_.analyze(dominators_);
    items_ = ItemLoop::recognise(*loops_.getLoopFor(&block("iteration")));
    if (!items_) return;  // nobody asks further then
    privates_ = findPrivateVariables(*function_, *items_->loop);
    for (const auto& entry : privates_) variables_.insert(entry.first);
    uniformity_ = std::make_unique<LaneUniformity>(*function_, dominators_, *items_->loop,
                                                   *items_->index, variables_);
    masks_ = std::make_unique<MaskPlan>(*items_->loop, loops_, postDominators_, *uniformity_);
    shapes_ = std::make_unique<LaneShapes>(*items_->loop, *items_->index, *uniformity_, *masks_,
                                           privates_, /*width=*/16);
  }

  llvm::Value& value(const std::string& name) const {
    return *function_->getValueSymbolTable()->lookup(name);
  }
  llvm::BasicBlock& block(const std::string& name) const {
    return llvm::cast<llvm::BasicBlock>(value(name));
  }
  LaneShape shape(const std::string& name) const { return shapes_->of(&value(name)); }
  bool isUniform(const std::string& name) const { return uniformity_->isUniform(value(name)); }
  const MaskPlan& masks() const { return *masks_; }
  bool isMasked(const std::string& name) const { return masks_->isMasked(block(name)); }
  const LaneShapes& shapes() const { return *shapes_; }
  const PrivateLayouts& privates() const { return privates_; }
  const llvm::Loop& loop() const { return *items_->loop; }
  const LaneUniformity& uniformity() const { return *uniformity_; }
  PrivateLayout layout(const std::string& variable) const {
    return privates_.lookup(&llvm::cast<llvm::AllocaInst>(value(variable)));
  }
  bool isPrivate(const std::string& variable) const {
    return privates_.contains(&llvm::cast<llvm::AllocaInst>(value(variable)));
  }
  const std::optional<ItemLoop>& items() const { return items_; }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  llvm::Function* function_ = nullptr;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
  std::optional<ItemLoop> items_;
  PrivateLayouts privates_;
  LaneUniformity::Variables variables_;
  std::unique_ptr<LaneUniformity> uniformity_;
  std::unique_ptr<MaskPlan> masks_;
  std::unique_ptr<LaneShapes> shapes_;
};

}  // namespace weft::compiler::test
