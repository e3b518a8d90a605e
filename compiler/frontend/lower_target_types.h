// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace weft::compiler {

/// Replaces target("spirv.*") types (images, samplers, events, queues, pipes, reservations) by
/// plain pointers, which is how the runtime passes such objects; pipes by pointers to global
/// memory, images and samplers by pointers to constant memory (weft/abi/image.h).
///
/// Assumes: a module as Clang emits it; all functions materialised.
/// Leaves:  no target type in the module; names, attributes and metadata as they were. Invalid
///          constants that Clang makes of null events and reservations become inttoptr.
void lowerTargetTypes(llvm::Module& module);

}  // namespace weft::compiler
