// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/argument_notes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>

#include <algorithm>

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

AccessQualifier accessOf(clang::QualType type) {
  if (const auto* pipe = type->getAs<clang::PipeType>())
    return pipe->isReadOnly() ? AccessQualifier::ReadOnly : AccessQualifier::WriteOnly;
  if (!type->isImageType()) return AccessQualifier::None;
  switch (type->castAs<clang::BuiltinType>()->getKind()) {
#define IMAGE_TYPE(name, id, singleton, access, suffix) \
  case clang::BuiltinType::id:                          \
    return AccessQualifier::WEFT_ACCESS_##suffix;
#define WEFT_ACCESS_ro ReadOnly
#define WEFT_ACCESS_wo WriteOnly
#define WEFT_ACCESS_rw ReadWrite
#include <clang/Basic/OpenCLImageTypes.def>
#undef WEFT_ACCESS_ro
#undef WEFT_ACCESS_wo
#undef WEFT_ACCESS_rw
    default:
      return AccessQualifier::None;
  }
}

ArgumentNote noteOf(const clang::ASTContext& context, clang::QualType type) {
  ArgumentNote note;
  note.kind = kindOf(type);
  note.alignment = pointeeAlignment(context, type);
  note.image = imageTypeOf(type);
  note.access = accessOf(type);
  if (const auto* pointer = type->getAs<clang::PointerType>()) {
    const clang::QualType pointee = pointer->getPointeeType();
    note.isConst =
        pointee.isConstQualified() || pointee.getAddressSpace() == clang::LangAS::opencl_constant;
    note.isRestrict = type.isRestrictQualified();
    note.isVolatile = pointee.isVolatileQualified();
  }
  return note;
}

}  // namespace

class ArgumentNotes::Collector : public clang::ASTConsumer {
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
    std::vector<ArgumentNote> notes;
    for (const clang::ParmVarDecl* parameter : function.parameters())
      notes.push_back(noteOf(function.getASTContext(), parameter->getType().getCanonicalType()));
    notes_.notes_[function.getName().str()] = std::move(notes);
  }

  ArgumentNotes& notes_;
};

std::unique_ptr<clang::ASTConsumer> ArgumentNotes::collector(ArgumentNotes& notes) {
  return std::make_unique<Collector>(notes);
}

void ArgumentNotes::attach(llvm::Module& module) const {
  for (const auto& [name, notes] : notes_) {
    llvm::Function* kernel = module.getFunction(name);
    // Clang adds no parameters to kernels; if it did, nothing would be known.
    if (kernel && kernel->arg_size() == notes.size()) setArgumentNotes(*kernel, notes);
  }
}

}  // namespace weft::compiler
