// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// Facts about the host that code is generated for.
struct HostTarget {
  std::string triple;
  std::string cpu;       ///< always "x86-64"-like baseline plus features; never a guessed name
  std::string features;  ///< "+avx2,+fma,..." from cpuid
  std::string tag;       ///< short text that keys caches and binaries
  std::string dataLayout;
};

/// Leaves those features of the host out that the level does not have. The process has one host:
/// only the first call counts, and none does after hostTarget() was asked.
void limitHost(CpuLevel level);

/// Takes the host for one with exactly the level's features: for tools that do not run the code,
/// so that it is the same wherever it is made. Before any other call here.
void assumeHost(CpuLevel level);

/// The host, detected once.
const HostTarget& hostTarget();

/// Whether that has a feature, which is named with its sign: "+avx2".
bool hostHas(llvm::StringRef feature);

/// Whether masks have registers of their own there, and no vectors.
bool hostHasMaskRegisters();

/// A new target machine for the host.
std::unique_ptr<llvm::TargetMachine> createTargetMachine(llvm::CodeGenOptLevel level);

/// The calling thread's target machine, made on first use: its tables of the host's features
/// cost more than the rest of a small kernel's code generation. Null when there is none.
llvm::TargetMachine* threadTargetMachine(llvm::CodeGenOptLevel level);

}  // namespace weft::compiler
