// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/check_printf.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/FormatString.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticSema.h>

namespace weft::compiler {
namespace {

bool isPrintf(const clang::NamedDecl& declaration) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
  return function && function->getDeclName().isIdentifier() && function->getName() == "printf" &&
         function->isVariadic();
}

/// Finds the arguments of one call that its format takes as strings.
class StringArguments : public clang::analyze_format_string::FormatStringHandler {
 public:
  bool HandlePrintfSpecifier(const clang::analyze_printf::PrintfSpecifier& specifier, const char*,
                             unsigned, const clang::TargetInfo&) override {
    using clang::analyze_format_string::ConversionSpecifier;
    if (specifier.getConversionSpecifier().getKind() == ConversionSpecifier::sArg)
      indices.push_back(specifier.getArgIndex());
    return true;
  }

  llvm::SmallVector<unsigned> indices;  ///< counted from the first argument after the format
};

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  Visitor(clang::ASTContext& context, clang::DiagnosticsEngine& diagnostics)
      : context_(context), diagnostics_(diagnostics) {}

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee || !isPrintf(*callee) || call->getNumArgs() == 0) return true;
    const auto* format =
        llvm::dyn_cast<clang::StringLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    if (!format || format->getCharByteWidth() != 1) return true;
    StringArguments strings;
    const llvm::StringRef text = format->getString();
    clang::analyze_format_string::ParsePrintfString(
        strings, text.begin(), text.end(), context_.getLangOpts(), context_.getTargetInfo(), false);
    for (const unsigned index : strings.indices)
      if (index + 1 < call->getNumArgs()) check(*call->getArg(index + 1));
    return true;
  }

 private:
  void check(const clang::Expr& argument) {
    const clang::QualType type = argument.getType();
    if (!type->isPointerType() ||
        type->getPointeeType().getAddressSpace() == clang::LangAS::opencl_constant)
      return;
    const clang::QualType string = context_.getPointerType(
        context_.getAddrSpaceQualType(context_.CharTy, clang::LangAS::opencl_constant));
    // Clang's own words, so that -Wno-format, -w and -Werror hold.
    diagnostics_.Report(argument.getExprLoc(),
                        clang::diag::warn_format_conversion_argument_type_mismatch)
        << string << type << /*underlying type=*/false << argument.getSourceRange();
  }

  clang::ASTContext& context_;
  clang::DiagnosticsEngine& diagnostics_;
};

class PrintfChecker : public clang::ASTConsumer {
 public:
  explicit PrintfChecker(clang::DiagnosticsEngine& diagnostics) : diagnostics_(diagnostics) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    // Few programs print; the others need not be walked over.
    clang::TranslationUnitDecl* unit = context.getTranslationUnitDecl();
    const auto isUsed = [](const clang::NamedDecl* found) {
      return isPrintf(*found) && found->isReferenced();
    };
    if (llvm::any_of(unit->lookup(&context.Idents.get("printf")), isUsed))
      Visitor(context, diagnostics_).TraverseDecl(unit);
  }

 private:
  clang::DiagnosticsEngine& diagnostics_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> createPrintfChecker(clang::DiagnosticsEngine& diagnostics) {
  return std::make_unique<PrintfChecker>(diagnostics);
}

}  // namespace weft::compiler
