// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/builtins_linker.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/CallingConv.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "frontend/lower_target_types.h"
#include "ir/names.h"
#include "weft/compiler/embedded_builtins.h"

namespace weft::compiler {
namespace {

/// The library module that defines `symbol`, or nothing.
std::optional<uint32_t> moduleOf(llvm::StringRef symbol) {
  const auto definitions = builtins::definitions();
  const std::string_view name(symbol.data(), symbol.size());
  const auto found = std::ranges::lower_bound(definitions, name, {}, &builtins::Definition::symbol);
  if (found == definitions.end() || found->symbol != name) return std::nullopt;
  return found->module;
}

/// Name of the library's relaxed form of a function, if it has one: `_Z3sinf` to
/// `_Z16weft_relaxed_sinf`.
std::optional<std::string> relaxedName(llvm::StringRef symbol) {
  unsigned length = 0;
  if (!symbol.consume_front("_Z") || symbol.consumeInteger(10, length)) return std::nullopt;
  const std::string name = ("weft_relaxed_" + symbol.take_front(length)).str();
  std::string relaxed = "_Z" + std::to_string(name.size()) + name;
  relaxed += symbol.drop_front(std::min<size_t>(length, symbol.size()));
  if (!moduleOf(relaxed)) return std::nullopt;
  return relaxed;
}

/// Sends calls from code that was compiled for unsafe optimisations to relaxed forms.
void relaxCalls(llvm::Module& module) {
  auto isUnsafe = [](const llvm::Function& function) {
    return function.getFnAttribute("unsafe-fp-math").getValueAsString() == "true";
  };
  if (llvm::none_of(module, isUnsafe)) return;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const auto name = relaxedName(function.getName());
    if (!name) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledOperand() != &function || !isUnsafe(*call->getFunction()))
        continue;
      auto relaxed =
          module.getOrInsertFunction(*name, function.getFunctionType(), function.getAttributes());
      llvm::cast<llvm::Function>(relaxed.getCallee())->setCallingConv(function.getCallingConv());
      call->setCalledFunction(relaxed);
    }
  }
}

bool mentionsTargetType(const llvm::FunctionType* type) {
  auto isTarget = [](const llvm::Type* t) { return llvm::isa<llvm::TargetExtType>(t); };
  return isTarget(type->getReturnType()) || llvm::any_of(type->params(), isTarget);
}

Expected<std::unique_ptr<llvm::Module>, std::string> readLibraryModule(uint32_t index,
                                                                       llvm::LLVMContext& context) {
  const builtins::EmbeddedModule& embedded = builtins::modules()[index];
  const llvm::MemoryBufferRef buffer(
      llvm::StringRef(reinterpret_cast<const char*>(embedded.bitcode.data()),
                      embedded.bitcode.size()),
      llvm::StringRef(embedded.name.data(), embedded.name.size()));
  auto module = llvm::getLazyBitcodeModule(buffer, context, /*ShouldLazyLoadMetadata=*/true);
  if (!module) return fail(llvm::toString(module.takeError()) + "\n");
  // A body that handles such an object has it from, or gives it to, a function of the module.
  const bool lower = llvm::any_of(**module, [](const llvm::Function& function) {
    return mentionsTargetType(function.getFunctionType());
  });
  if (lower) {
    if (llvm::Error error = (*module)->materializeAll()) {
      return fail(llvm::toString(std::move(error)) + "\n");
    }
    lowerTargetTypes(**module);
  }
  return std::move(*module);
}

/// Modules that define functions which are still undefined.
std::set<uint32_t> neededModules(const llvm::Module& module) {
  std::set<uint32_t> needed;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    if (auto index = moduleOf(function.getName())) needed.insert(*index);
  }
  return needed;
}

/// The program's own functions. All but kernels become internal, so that no call inside the
/// library, whose helpers have plain C names, can end in one of them.
llvm::SmallPtrSet<const llvm::Function*, 32> hideOwnSymbols(llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Function*, 32> own;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    own.insert(&function);
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) continue;
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration() || global.hasAppendingLinkage()) continue;
    global.setComdat(nullptr);
    global.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return own;
}

}  // namespace

Expected<void, std::string> linkBuiltins(llvm::Module& module) {
  relaxCalls(module);
  const auto own = hideOwnSymbols(module);
  llvm::Linker linker(module);
  // Ends: a module that was linked once has given all it defines of what was then undefined,
  // and each round must make some function defined.
  size_t defined = own.size();
  while (true) {
    const std::set<uint32_t> needed = neededModules(module);
    if (needed.empty()) break;
    for (uint32_t index : needed) {
      WEFT_TRY(auto library, readLibraryModule(index, module.getContext()));
      if (linker.linkInModule(std::move(library), llvm::Linker::LinkOnlyNeeded)) {
        return fail(std::string("error: the builtins library could not be linked\n"));
      }
    }
    const auto now = static_cast<size_t>(
        llvm::count_if(module, [](const llvm::Function& f) { return !f.isDeclaration(); }));
    if (now == defined) break;
    defined = now;
  }
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || own.contains(&function)) continue;
    function.addFnAttr(names::kLibraryAttribute);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  return {};
}

}  // namespace weft::compiler
