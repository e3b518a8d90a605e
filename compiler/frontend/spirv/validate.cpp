// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/validate.h"

#include <spirv-tools/libspirv.h>

#include <cstring>
#include <memory>
#include <unordered_map>

namespace weft::compiler::spirv {

/// The validator goes through all parts of types anew for each of their uses, those that several
/// members share too, and through control flow more than once.
static bool isSoonDone(const Binary& binary) {
  constexpr size_t kMostInstructions = 50000;
  constexpr uint64_t kMostParts = 4096, kMostVisits = uint64_t{1} << 24;
  if (binary.instructions().size() > kMostInstructions) return false;
  std::unordered_map<uint32_t, uint64_t> parts;
  uint64_t visits = 0;
  for (const Instruction& i : binary.instructions()) {
    if (const auto type = parts.find(i.type); type != parts.end()) visits += type->second;
    if (visits > kMostVisits) return false;
    if (i.op < SpvOpTypeVoid || i.op > SpvOpTypePipe) continue;
    uint64_t count = 1;
    for (const uint32_t id : i.operands)
      if (const auto part = parts.find(id); part != parts.end()) count += part->second;
    if (count > kMostParts) return false;
    parts[i.result] = count;
  }
  return true;
}

std::string explain(const Binary& binary) {
  if (!isSoonDone(binary)) return {};
  const std::span<const uint32_t> words = binary.words();
  // Any version up to 1.6; what producers for OpenCL send is often newer than they say.
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(SPV_ENV_UNIVERSAL_1_6), spvContextDestroy);
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result =
      spvValidateBinary(context.get(), words.data(), words.size(), &diagnostic);
  const std::unique_ptr<spv_diagnostic_t, decltype(&spvDiagnosticDestroy)> owner(
      diagnostic, spvDiagnosticDestroy);
  if (result == SPV_SUCCESS) return {};
  std::string text = "note: the SPIR-V module is not valid";
  if (diagnostic) {
    text += " at word " + std::to_string(diagnostic->position.index);
    // The text of an instruction may be as long as that.
    constexpr size_t kMostText = 1000;
    if (diagnostic->error)
      text += ": " + std::string(diagnostic->error, ::strnlen(diagnostic->error, kMostText));
  }
  return text + "\n";
}

}  // namespace weft::compiler::spirv
