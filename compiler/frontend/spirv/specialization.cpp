// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/specialization.h"

#include <algorithm>
#include <unordered_map>

namespace weft::compiler::spirv {

std::vector<SpecializationConstant> specializationConstants(const Binary& binary) {
  std::unordered_map<uint32_t, uint32_t> ids;    // of constants: their SpecId
  std::unordered_map<uint32_t, uint32_t> sizes;  // of types of numbers: their bytes
  std::vector<SpecializationConstant> constants;
  for (const Instruction& i : binary.instructions()) {
    if (i.op == SpvOpFunction) break;
    if (i.op == SpvOpDecorate && i.operand(1) == SpvDecorationSpecId && i.operands.size() > 2)
      ids[i.operand(0)] = i.operand(2);
    if (i.op == SpvOpTypeInt || i.op == SpvOpTypeFloat) sizes[i.result] = i.operand(0) / 8;
    if (i.op == SpvOpTypeBool) sizes[i.result] = 1;
    if (i.op != SpvOpSpecConstant && i.op != SpvOpSpecConstantTrue &&
        i.op != SpvOpSpecConstantFalse)
      continue;
    const auto id = ids.find(i.result);
    const auto size = sizes.find(i.type);
    if (id != ids.end() && size != sizes.end() && size->second != 0 && size->second <= 8)
      constants.push_back({id->second, size->second});
  }
  return constants;
}

}  // namespace weft::compiler::spirv
