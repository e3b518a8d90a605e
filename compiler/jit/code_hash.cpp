// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code_hash.h"

#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/xxhash.h>

#include <vector>

namespace weft::compiler {

using namespace llvm;
using namespace llvm::object;

uint64_t codeHash(MemoryBufferRef buffer) {
  auto object = ObjectFile::createELFObjectFile(buffer);
  if (!object) {
    consumeError(object.takeError());
    return 0;
  }
  std::vector<uint64_t> hashes;
  for (const SectionRef& section : (*object)->sections()) {
    if (!section.isText() && !section.isData()) continue;
    auto contents = section.getContents();
    if (!contents) {
      consumeError(contents.takeError());
      return 0;
    }
    hashes.push_back(xxh3_64bits(*contents));
  }
  return xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t*>(hashes.data()), hashes.size() * sizeof(uint64_t)));
}

}  // namespace weft::compiler
