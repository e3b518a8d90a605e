// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

#include <string>
#include <vector>

#include "weft/compiler/kernel_info.h"

namespace weft::compiler {

/// Puts the formats and samplers of a variant's images into its code.
///
/// Does:    makes constants of what is loaded of the formats of image arguments whose class is
///          known, and of the numbers of samplers, also where they come by way of selections and
///          of functions out of line. Calls of the library's image functions become calls of
///          copies for the format and for constants among the arguments, which are simplified
///          and, as far as the budget of a kernel goes, inlined.
/// Assumes: the launches of the variant have images and samplers of these classes. Image
///          functions have the image as parameter 0, and what they call gets numbers, or the
///          image again.
/// Leaves:  calls of the image functions where the format is not known, and of copies where
///          there are too many.
/// Reads:   names::isImageFunction.
class SpecializeImagesPass : public llvm::PassInfoMixin<SpecializeImagesPass> {
 public:
  SpecializeImagesPass(const KernelInfo& kernel, const ImageClasses& classes, std::string body)
      : kernel_(kernel), classes_(classes), body_(std::move(body)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
  static bool isRequired() { return true; }

 private:
  KernelInfo kernel_;
  ImageClasses classes_;
  std::string body_;  ///< name of the kernel's function in the module
};

}  // namespace weft::compiler
