// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize/widen_report.h"

#include <llvm/IR/DebugInfoMetadata.h>

namespace weft::compiler {

void WidenReport::note(const char* what, const llvm::Instruction& instruction) {
  const llvm::DebugLoc& place = instruction.getDebugLoc();
  ++notes_[{what, place ? place.getLine() : 0}];
}

std::string WidenReport::text() const {
  std::string result;
  for (const auto& [kind, count] : notes_) {
    result += "  " + kind.first;
    if (kind.second != 0) result += " at line " + std::to_string(kind.second);
    if (count > 1) result += " (" + std::to_string(count) + ")";
    result += "\n";
  }
  return result;
}

}  // namespace weft::compiler
