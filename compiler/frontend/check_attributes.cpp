// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/check_attributes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticSema.h>

namespace weft::compiler {
namespace {

class AttributeChecker : public clang::ASTConsumer {
 public:
  AttributeChecker(clang::DiagnosticsEngine& diagnostics, uint32_t size)
      : diagnostics_(diagnostics), size_(size) {}

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
    if (size_ == 0) {
      diagnostics_.Report(required->getLocation(), clang::diag::warn_unknown_attribute_ignored)
          << required << required->getRange();
      function.dropAttr<clang::OpenCLIntelReqdSubGroupSizeAttr>();
    } else if (required->getSubGroupSize() != size_) {
      const unsigned error = diagnostics_.getCustomDiagID(
          clang::DiagnosticsEngine::Error, "the device has no sub-groups of %0, only of %1");
      diagnostics_.Report(required->getLocation(), error)
          << required->getSubGroupSize() << size_ << required->getRange();
    }
  }

  clang::DiagnosticsEngine& diagnostics_;
  uint32_t size_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> createAttributeChecker(clang::DiagnosticsEngine& diagnostics,
                                                           uint32_t size) {
  return std::make_unique<AttributeChecker>(diagnostics, size);
}

}  // namespace weft::compiler
