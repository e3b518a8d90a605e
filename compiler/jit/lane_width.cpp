// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/lane_width.h"

#include <llvm/Object/ObjectFile.h>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;
using namespace llvm::object;

llvm::Expected<uint32_t> laneWidth(MemoryBufferRef buffer, const std::string& symbol) {
  auto object = ObjectFile::createELFObjectFile(buffer);
  if (!object) return object.takeError();
  const std::string prefix = symbol + names::kLanesSuffix;
  for (const SymbolRef& candidate : (*object)->symbols()) {
    auto name = candidate.getName();
    if (!name) return name.takeError();
    uint32_t width = 0;
    if (name->consume_front(prefix) && !name->getAsInteger(10, width) && width != 0) return width;
  }
  return 1;
}

}  // namespace weft::compiler
