# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes grammar.inc of compiler/frontend/spirv from the JSON grammar of SPIR-V's headers.

WEFT_SPIRV_OP(number, name, hasType, hasResult, words): an instruction, in the order of numbers;
words: the fewest words that its operands take, type and result included.
WEFT_SPIRV_STD(number, name): an instruction of OpenCL.std.
WEFT_SPIRV_CAPABILITY(number, name), WEFT_SPIRV_MODE(number, name): a capability, an execution mode.
"""
import json
import sys

core, std, output = sys.argv[1:4]

# What is newer than the headers of the distribution: instructions (number, name, whether there are a
# type and a result, words), capabilities and modes.
NEWER_OPS = [
    (6116, "OpConvertFToBF16INTEL", 1, 1, 3),
    (6117, "OpConvertBF16ToFINTEL", 1, 1, 3),
    (6145, "OpArithmeticFenceEXT", 1, 1, 3),
]
NEWER = {
    "Capability": {
        6115: "BFloat16ConversionINTEL",
        6134: "HWThreadQueryINTEL",
        6144: "ArithmeticFenceEXT",
        6146: "GlobalVariableDecorationsINTEL",
        6169: "FPMaxErrorINTEL",
        6187: "GlobalVariableHostAccessINTEL",
        6189: "GlobalVariableFPGADecorationsINTEL",
        6441: "CacheControlsINTEL",
        6460: "RegisterLimitsINTEL",
    },
    "ExecutionMode": {
        6461: "MaximumRegistersINTEL",
        6462: "MaximumRegistersIdINTEL",
        6463: "NamedMaximumRegistersINTEL",
    },
}
lines = ["// Made by cmake/spirv_grammar.py.\n"]
lines.append("#ifdef WEFT_SPIRV_OP\n")
grammar = json.load(open(core))
facts = {number: (number, *rest) for number, *rest in NEWER_OPS}
for instruction in grammar["instructions"]:
    operands = instruction.get("operands", [])
    kinds = [operand["kind"] for operand in operands]
    words = sum(1 for operand in operands if "quantifier" not in operand)
    # The first of several with a number; others have the name of an extension.
    facts.setdefault(instruction["opcode"],
                     (instruction["opcode"], instruction["opname"], "IdResultType" in kinds,
                      "IdResult" in kinds, words))
for number in sorted(facts):
    lines.append("WEFT_SPIRV_OP(%d, \"%s\", %d, %d, %d)\n" % facts[number])
lines.append("#endif\n#ifdef WEFT_SPIRV_STD\n")
for instruction in sorted(json.load(open(std))["instructions"], key=lambda i: i["opcode"]):
    lines.append("WEFT_SPIRV_STD(%d, \"%s\")\n" % (instruction["opcode"], instruction["opname"]))
for kind, macro in (("Capability", "CAPABILITY"), ("ExecutionMode", "MODE")):
    lines.append("#endif\n#ifdef WEFT_SPIRV_%s\n" % macro)
    values = next(k for k in grammar["operand_kinds"] if k["kind"] == kind)["enumerants"]
    names = dict(NEWER[kind])
    for value in values:
        names.setdefault(value["value"], value["enumerant"])
    for number in sorted(names):
        lines.append("WEFT_SPIRV_%s(%d, \"%s\")\n" % (macro, number, names[number]))
lines.append("#endif\n")
with open(output, "w") as file:
    file.writelines(lines)
