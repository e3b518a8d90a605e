// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Support/MemoryBuffer.h>

#include <memory>
#include <new>

// Stands in for llvm::WritableMemoryBuffer::getNewMemBuffer in all that is linked with the compiler
// (the linker's --wrap, compiler/CMakeLists.txt). It gives null where there is no memory, and Clang
// 19 does not ask (clang::ScratchBuffer, when a macro is pushed). As an exception that is an error
// that ends the compiler thread's job, like all other exhausted memory.

using Buffer = std::unique_ptr<llvm::WritableMemoryBuffer>;

Buffer makeBuffer(size_t size, const llvm::Twine& name) asm(
    "__real__ZN4llvm20WritableMemoryBuffer15getNewMemBufferEmRKNS_5TwineE");
Buffer makeCheckedBuffer(size_t size, const llvm::Twine& name) asm(
    "__wrap__ZN4llvm20WritableMemoryBuffer15getNewMemBufferEmRKNS_5TwineE");

Buffer makeCheckedBuffer(size_t size, const llvm::Twine& name) {
  Buffer buffer = makeBuffer(size, name);
  if (!buffer) throw std::bad_alloc();
  return buffer;
}
