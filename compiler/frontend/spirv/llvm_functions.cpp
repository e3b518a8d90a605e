// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of LLVM's that translators know no instructions for.
#include <llvm/IR/Intrinsics.h>

#include "frontend/spirv/reader.h"

namespace weft::compiler::spirv {
namespace {

using llvm::Intrinsic::ID;

/// Arithmetic of integers that any target has code for. What takes a constant is left out: a module
/// may give it anything.
bool isPlainArithmetic(ID id) {
  switch (id) {
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::scmp:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::sshl_sat:
    case llvm::Intrinsic::ssub_sat:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::ucmp:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::ushl_sat:
    case llvm::Intrinsic::usub_sat:
      return true;
    default:
      return false;
  }
}

}  // namespace

llvm::Function* functionOfLlvm(llvm::Module& module, std::string_view name,
                               llvm::FunctionType* type) {
  const ID id = llvm::Function::lookupIntrinsicID(name);
  if (!isPlainArithmetic(id)) return nullptr;
  llvm::SmallVector<llvm::Type*> overloads;
  if (!llvm::Intrinsic::getIntrinsicSignature(id, type, overloads) ||
      llvm::Intrinsic::getName(id, overloads, &module, type) != name)
    return nullptr;
  return llvm::Intrinsic::getDeclaration(&module, id, overloads);
}

}  // namespace weft::compiler::spirv
