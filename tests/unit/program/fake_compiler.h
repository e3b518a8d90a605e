// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "weft/compiler/compiler.h"

/// A compiler of a toy language, linked in place of the real one, so that the program objects can
/// be tested for what a real compiler does seldom: slow builds, every kind of failure, running
/// out of memory. "Machine code" are C++ functions of the test.
///
/// A source is a list of words:
///   kernel:<name>   the kernel defined under this name
///   error:<kind>    the build fails: options, source, binary, memory, internal
///   throw           the build throws std::bad_alloc
///   wait            the build waits until openGate() is called
///   warn            the build log holds a warning
///   need:<header>   fails unless the header is given to compile
/// Options: "-bad" is refused by checkOptions.
namespace weft::fake {

struct KernelDefinition {
  compiler::KernelInfo info;
  abi::GroupEntry group = nullptr;
  abi::ItemEntry item = nullptr;
};

/// Makes a kernel known to sources. The name in `definition.info` is what they call it.
void define(KernelDefinition definition);
void undefineAll();

/// Lets builds with the word "wait" go on, or makes later ones wait.
void openGate();
void closeGate();
/// Builds that wait at the gate now.
int waiting();

/// Calls of Program::variant on any program.
int variantCalls();
/// What the last of them was told.
compiler::LaunchOutlook lastOutlook();
/// Makes variants fail from now on.
void failVariants(bool fail);
/// Makes variants in this form, but no other, fail from now on.
void failForm(std::optional<compiler::Form> form, compiler::ErrorKind kind);
/// Makes variants for certain images fail from now on, as when there are too many.
void failImages(bool fail);
/// Makes variants provisional from now on, with code that does nothing; improve() gives all of
/// those so far the kernel's own code.
void makeProvisional(bool provisional);
void improve();
/// Makes the compiler refuse background jobs from now on, as without memory for a thread.
void failPosts(bool fail);
/// Builds, compiles, links and loads that began.
int runs();

}  // namespace weft::fake
