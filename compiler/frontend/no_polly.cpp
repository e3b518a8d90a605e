// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <llvm/Passes/PassPlugin.h>

/// Debian's Clang names Polly in the driver of its own optimiser, which we do not use. Defined
/// here, Polly's 8 MB and its start-up code stay out of the library.
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder&) {}};
}
