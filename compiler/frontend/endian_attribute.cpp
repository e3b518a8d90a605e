// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/endian_attribute.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

namespace weft::compiler {
namespace {

class EndianAttribute : public clang::ParsedAttrInfo {
 public:
  EndianAttribute() {
    static constexpr Spelling kSpellings[] = {{clang::ParsedAttr::AS_GNU, "endian"},
                                              {clang::ParsedAttr::AS_GNU, "__endian__"}};
    Spellings = kSpellings;
    OptArgs = 1;  // the device's byte order is meant where none is named
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl*,
                                   const clang::ParsedAttr& attribute) const override {
    if (attribute.getNumArgs() == 0) return AttributeApplied;
    if (attribute.isArgIdent(0)) {
      const clang::IdentifierInfo* order = attribute.getArgAsIdent(0)->Ident;
      if (order->isStr("host") || order->isStr("device")) return AttributeApplied;
    }
    sema.Diag(attribute.getLoc(), clang::diag::err_attribute_argument_type)
        << attribute << clang::AANT_ArgumentIdentifier;
    return AttributeNotApplied;
  }
};

}  // namespace

void registerEndianAttribute() {
  static const clang::ParsedAttrInfoRegistry::Add<EndianAttribute> registered(
      "endian", "byte order of a variable's memory");
}

}  // namespace weft::compiler
