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
lines = ["// Made by cmake/spirv_grammar.py.\n"]
lines.append("#ifdef WEFT_SPIRV_OP\n")
seen = set()
grammar = json.load(open(core))
for instruction in sorted(grammar["instructions"], key=lambda i: i["opcode"]):
    if instruction["opcode"] in seen:
        continue  # the same under the name of an extension
    seen.add(instruction["opcode"])
    operands = instruction.get("operands", [])
    kinds = [operand["kind"] for operand in operands]
    words = sum(1 for operand in operands if "quantifier" not in operand)
    lines.append("WEFT_SPIRV_OP(%d, \"%s\", %d, %d, %d)\n" % (
        instruction["opcode"], instruction["opname"], "IdResultType" in kinds,
        "IdResult" in kinds, words))
lines.append("#endif\n#ifdef WEFT_SPIRV_STD\n")
for instruction in sorted(json.load(open(std))["instructions"], key=lambda i: i["opcode"]):
    lines.append("WEFT_SPIRV_STD(%d, \"%s\")\n" % (instruction["opcode"], instruction["opname"]))
for kind, macro in (("Capability", "CAPABILITY"), ("ExecutionMode", "MODE")):
    lines.append("#endif\n#ifdef WEFT_SPIRV_%s\n" % macro)
    values = next(k for k in grammar["operand_kinds"] if k["kind"] == kind)["enumerants"]
    names = {}
    for value in values:
        names.setdefault(value["value"], value["enumerant"])
    for number in sorted(names):
        lines.append("WEFT_SPIRV_%s(%d, \"%s\")\n" % (macro, number, names[number]))
lines.append("#endif\n")
with open(output, "w") as file:
    file.writelines(lines)
