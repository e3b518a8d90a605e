// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/check_attributes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticSema.h>

#include <algorithm>
#include <string>

#include "weft/abi/sub_group.h"

namespace weft::compiler {
namespace {

class AttributeChecker : public clang::ASTConsumer {
 public:
  AttributeChecker(clang::DiagnosticsEngine& diagnostics, bool takesSizes)
      : diagnostics_(diagnostics), takesSizes_(takesSizes) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) check(*declaration);
    return true;
  }

 private:
  void check(clang::Decl& declaration) {
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) return check(*function);
    if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) return;
    for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration).decls()) check(*inner);
  }

  void check(clang::FunctionDecl& function) {
    const auto* required = function.getAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>();
    if (!required || required->isInherited()) return;
    if (!takesSizes_) {
      diagnostics_.Report(required->getLocation(), clang::diag::warn_unknown_attribute_ignored)
          << required << required->getRange();
      function.dropAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>();
    } else if (std::ranges::find(abi::kSubGroupSizes, required->getSubGroupSize()) ==
               abi::kSubGroupSizes.end()) {
      std::string sizes;
      for (const uint32_t size : abi::kSubGroupSizes)
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
      const unsigned error = diagnostics_.getCustomDiagID(
          clang::DiagnosticsEngine::Error, "the device has no sub-groups of %0, only of %1");
      diagnostics_.Report(required->getLocation(), error)
          << required->getSubGroupSize() << sizes << required->getRange();
    }
  }

  clang::DiagnosticsEngine& diagnostics_;
  bool takesSizes_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> createAttributeChecker(clang::DiagnosticsEngine& diagnostics,
                                                           bool takesSizes) {
  return std::make_unique<AttributeChecker>(diagnostics, takesSizes);
}

}  // namespace weft::compiler
