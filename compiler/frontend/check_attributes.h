// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <cstdint>
#include <memory>

namespace clang {
class DiagnosticsEngine;
}

namespace weft::compiler {

/// A consumer that looks at the attributes that Clang takes whatever the device is: a required
/// sub-group size, of cl_intel_required_subgroup_size, has to be one of abi::kSubGroupSizes. When
/// the device lacks the extension (`takesSizes`), the attribute is dropped with Clang's warning of
/// unknown ones. Has to come before the consumer that generates code.
std::unique_ptr<clang::ASTConsumer> createAttributeChecker(clang::DiagnosticsEngine& diagnostics,
                                                           bool takesSizes);

}  // namespace weft::compiler
