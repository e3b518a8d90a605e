// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/read_module.h"

#include "frontend/module_checks.h"
#include "frontend/object_linker.h"
#include "frontend/spirv/binary.h"
#include "frontend/spirv/reader.h"
#include "frontend/spirv/validate.h"

namespace weft::compiler::spirv {
namespace {

/// Clang 19's for the target.
constexpr const char* kTriple = "spir64-unknown-unknown";
constexpr const char* kDataLayout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

void setUniformGroups(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
      function.addFnAttr("uniform-work-group-size", "true");
}

}  // namespace

Expected<std::unique_ptr<IrUnit>, std::string> readModule(const IlModule& il,
                                                          const BuildOptions& options,
                                                          bool keepNames) {
  WEFT_TRY(const Binary binary, Binary::decode(std::as_bytes(std::span(il.words))));
  auto unit = std::make_unique<IrUnit>(keepNames);
  auto module = std::make_unique<llvm::Module>("program", unit->context());
  module->setTargetTriple(kTriple);
  module->setDataLayout(kDataLayout);
  unit->setModule(std::move(module));
  try {
    Reader reader(binary, unit->module());
    for (const SpecializationValue& value : il.constants)
      reader.specialization[value.id] = value.bits;
    reader.singlePrecisionDivideIsExact = options.correctlyRoundedDivideSqrt;
    readGlobals(reader);
    readFunctions(reader);
  } catch (const ReadError& wrong) {
    return weft::fail(wrong.what() + explain(binary));
  }
  if (options.uniformWorkGroupSize) setUniformGroups(unit->module());
  applyMathOptions(unit->module(), options);
  if (auto checked = checkModule(unit->module()); !checked)
    return weft::fail(checked.error() + explain(binary));
  return unit;
}

}  // namespace weft::compiler::spirv
