// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/call_graph.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

namespace weft::compiler {
namespace {

/// Depth-first walk without recursion of our own: call chains may be as deep as a program is
/// long.
struct Frame {
  llvm::Function* function;
  size_t next;
};

}  // namespace

CallGraph::CallGraph(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::SmallSetVector<llvm::Function*, 8> found;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && !callee->isIntrinsic()) found.insert(callee);
    }
    if (!found.empty()) callees_[&function].assign(found.begin(), found.end());
  }

  enum class Mark : uint8_t { None, Open, Done };
  llvm::DenseMap<const llvm::Function*, Mark> marks;
  for (llvm::Function& root : module) {
    if (root.isDeclaration() || marks[&root] != Mark::None) continue;
    llvm::SmallVector<Frame> stack{{&root, 0}};
    marks[&root] = Mark::Open;
    while (!stack.empty()) {
      Frame& top = stack.back();
      llvm::ArrayRef<llvm::Function*> called = callees(top.function);
      if (top.next == called.size()) {
        marks[top.function] = Mark::Done;
        bottomUp_.push_back(top.function);
        stack.pop_back();
        continue;
      }
      llvm::Function* callee = called[top.next++];
      if (callee->isDeclaration()) continue;
      Mark& mark = marks[callee];
      if (mark == Mark::Open && cycle_.empty()) {
        auto first = llvm::find_if(stack, [&](const Frame& f) { return f.function == callee; });
        for (; first != stack.end(); ++first) cycle_.push_back(first->function);
      }
      if (mark != Mark::None) continue;
      mark = Mark::Open;
      stack.push_back({callee, 0});
    }
  }
}

llvm::ArrayRef<llvm::Function*> CallGraph::callees(const llvm::Function* function) const {
  auto found = callees_.find(function);
  if (found == callees_.end()) return {};
  return found->second;
}

llvm::SetVector<llvm::Function*> CallGraph::reachable(llvm::Function* root) const {
  llvm::SetVector<llvm::Function*> result;
  result.insert(root);
  for (size_t i = 0; i < result.size(); ++i)
    for (llvm::Function* callee : callees(result[i])) result.insert(callee);
  return result;
}

llvm::DenseSet<const llvm::Function*> CallGraph::reaching(
    llvm::function_ref<bool(const llvm::Function&)> seed) const {
  llvm::DenseSet<const llvm::Function*> result;
  for (const llvm::Function* function : bottomUp_) {
    auto reached = [&](const llvm::Function* callee) {
      return result.contains(callee) || (callee->isDeclaration() && seed(*callee));
    };
    if (seed(*function) || llvm::any_of(callees(function), reached)) result.insert(function);
  }
  return result;
}

}  // namespace weft::compiler
