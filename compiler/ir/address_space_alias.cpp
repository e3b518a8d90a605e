// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/address_space_alias.h"

#include "ir/names.h"

namespace weft::compiler {

llvm::AnalysisKey AddressSpaceAA::Key;

llvm::AliasResult AddressSpaceAAResult::alias(const llvm::MemoryLocation& a,
                                              const llvm::MemoryLocation& b, llvm::AAQueryInfo&,
                                              const llvm::Instruction*) {
  unsigned spaceA = a.Ptr->getType()->getPointerAddressSpace();
  unsigned spaceB = b.Ptr->getType()->getPointerAddressSpace();
  if (spaceA == spaceB || spaceA > names::kGeneric || spaceB > names::kGeneric)
    return llvm::AliasResult::MayAlias;
  bool constant = spaceA == names::kConstant || spaceB == names::kConstant;
  bool generic = spaceA == names::kGeneric || spaceB == names::kGeneric;
  return generic && !constant ? llvm::AliasResult::MayAlias : llvm::AliasResult::NoAlias;
}

llvm::ModRefInfo AddressSpaceAAResult::getModRefInfoMask(const llvm::MemoryLocation& location,
                                                         llvm::AAQueryInfo&, bool) {
  return location.Ptr->getType()->getPointerAddressSpace() == names::kConstant
             ? llvm::ModRefInfo::NoModRef
             : llvm::ModRefInfo::ModRef;
}

}  // namespace weft::compiler
