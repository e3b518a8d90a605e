// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/argument_notes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "ir/names.h"
#include "weft/abi/work_group.h"

namespace weft::compiler {
namespace {

/// What no type of LLVM's tells once objects have become plain pointers.
ArgumentKind kindOf(clang::QualType type) {
  if (type->isImageType()) return ArgumentKind::Image;
  if (type->isSamplerT()) return ArgumentKind::Sampler;
  if (type->isQueueT()) return ArgumentKind::Queue;
  if (type->isPipeType()) return ArgumentKind::Pipe;
  return ArgumentKind::Value;  // or a pointer, which LLVM's type tells
}

ImageType imageTypeOf(clang::QualType type) {
  if (!type->isImageType()) return ImageType::None;
  switch (type->castAs<clang::BuiltinType>()->getKind()) {
#define WEFT_IMAGE_TYPE(id, result)          \
  case clang::BuiltinType::OCLImage##id##RO: \
  case clang::BuiltinType::OCLImage##id##WO: \
  case clang::BuiltinType::OCLImage##id##RW: \
    return ImageType::result;
    WEFT_IMAGE_TYPE(1d, Image1D)
    WEFT_IMAGE_TYPE(1dBuffer, Image1DBuffer)
    WEFT_IMAGE_TYPE(1dArray, Image1DArray)
    WEFT_IMAGE_TYPE(2d, Image2D)
    WEFT_IMAGE_TYPE(2dDepth, Image2DDepth)
    WEFT_IMAGE_TYPE(2dArray, Image2DArray)
    WEFT_IMAGE_TYPE(2dArrayDepth, Image2DArrayDepth)
    WEFT_IMAGE_TYPE(3d, Image3D)
#undef WEFT_IMAGE_TYPE
    default:  // several samples, which no device has
      return ImageType::None;
  }
}

/// That of the widest type where nothing is known of what is pointed to.
uint32_t pointeeAlignment(const clang::ASTContext& context, clang::QualType type) {
  const clang::QualType pointee = type->getPointeeType();
  if (pointee.isNull()) return 1;
  if (pointee->isVoidType() || pointee->isIncompleteType()) return abi::kLocalMemoryAlignment;
  const auto alignment = context.getTypeAlignInChars(pointee).getQuantity();
  return static_cast<uint32_t>(
      std::clamp<int64_t>(alignment, 1, int64_t{abi::kLocalMemoryAlignment}));
}

class Collector : public clang::ASTConsumer {
 public:
  explicit Collector(ArgumentNotes& notes) : notes_(notes) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl* declaration : group) collect(*declaration);
    return true;
  }

 private:
  void collect(const clang::Decl& declaration) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      return collect(*function);
    if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) return;
    for (const clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration).decls())
      collect(*inner);
  }

  void collect(const clang::FunctionDecl& function) {
    if (!function.hasAttr<clang::OpenCLKernelAttr>() || function.isInvalidDecl() ||
        !function.getDeclName().isIdentifier())
      return;
    std::vector<ArgumentNotes::Note> notes;
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      const clang::QualType type = parameter->getType().getCanonicalType();
      notes.push_back(
          {kindOf(type), pointeeAlignment(function.getASTContext(), type), imageTypeOf(type)});
    }
    notes_.add(function.getName().str(), std::move(notes));
  }

  ArgumentNotes& notes_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> ArgumentNotes::collector(ArgumentNotes& notes) {
  return std::make_unique<Collector>(notes);
}

void ArgumentNotes::attach(llvm::Module& module) const {
  llvm::Type* type = llvm::Type::getInt32Ty(module.getContext());
  const auto number = [&](uint64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, value));
  };
  for (const auto& [name, notes] : notes_) {
    llvm::Function* kernel = module.getFunction(name);
    // Clang adds no parameters to kernels; if it did, nothing would be known.
    if (!kernel || kernel->arg_size() != notes.size()) continue;
    llvm::SmallVector<llvm::Metadata*> fields;
    for (const Note& note : notes) {
      fields.push_back(number(static_cast<uint64_t>(note.kind)));
      fields.push_back(number(note.alignment));
      fields.push_back(number(static_cast<uint64_t>(note.image)));
    }
    kernel->setMetadata(names::kArgumentNotes, llvm::MDNode::get(module.getContext(), fields));
  }
}

}  // namespace weft::compiler
