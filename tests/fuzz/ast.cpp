// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/ast.h"

#include <algorithm>

#include "weft/support/checked.h"

namespace weft::fuzz {

std::string Shape::text() const {
  const auto list = [&](const std::array<uint64_t, 3>& sizes) {
    std::string text;
    for (uint32_t d = 0; d < dimensions; ++d) text += (d ? "," : "") + std::to_string(sizes[d]);
    return "{" + text + "}";
  };
  std::string text = "global " + list(global) + " local " + list(local);
  if (offset != std::array<uint64_t, 3>{}) text += " offset " + list(offset);
  return text;
}

uint64_t Program::alignmentOf(Type type) const {
  if (type.pointer) return 8;
  if (type.structure >= 0) return structs[static_cast<size_t>(type.structure)].alignment;
  return valueBytes(type);
}

uint64_t Program::sizeOf(Type type) const {
  if (type.pointer) return 8;
  const uint64_t element =
      type.structure >= 0 ? structs[static_cast<size_t>(type.structure)].bytes : valueBytes(type);
  return element * std::max<uint64_t>(type.array, 1);
}

void layOut(Program& program) {
  for (Structure& structure : program.structs) {
    structure.bytes = 0;
    structure.alignment = 1;
    for (Structure::Field& field : structure.fields) {
      const uint64_t alignment = program.alignmentOf(field.type);
      field.offset = alignUp(structure.bytes, alignment);
      structure.bytes = field.offset + program.sizeOf(field.type);
      structure.alignment = std::max(structure.alignment, alignment);
    }
    structure.bytes = alignUp(structure.bytes, structure.alignment);
  }
  program.privateBytes = program.localBytes = program.tableBytes = program.globalBytes = 0;
  for (Variable& variable : program.variables) {
    uint64_t& end = variable.kind == VariableKind::Local    ? program.localBytes
                    : variable.kind == VariableKind::Table  ? program.tableBytes
                    : variable.kind == VariableKind::Global ? program.globalBytes
                                                            : program.privateBytes;
    variable.offset = alignUp(end, std::max<uint64_t>(program.alignmentOf(variable.type), 8));
    end = variable.offset + program.sizeOf(variable.type);
  }
}

namespace {

bool markBarriers(Body& body, const Program& program) {
  bool any = false;
  for (StmtPtr& statement : body) {
    const bool inBody = markBarriers(statement->body, program);
    const bool inOther = markBarriers(statement->otherwise, program);
    const Expr* value = statement->kind == StmtKind::Assign ? statement->exprs[1].get() : nullptr;
    const bool inCall = value && value->kind == ExprKind::Call &&
                        static_cast<size_t>(value->ref) < program.functions.size() &&
                        program.functions[static_cast<size_t>(value->ref)].hasBarrier;
    const bool isBarrier =
        statement->kind == StmtKind::Barrier || statement->kind == StmtKind::Collect;
    statement->hasBarrier = isBarrier || inBody || inOther || inCall;
    const auto meets = [](const StmtPtr& inner) { return inner->meets; };
    statement->meets = statement->kind == StmtKind::Meet ||
                       std::ranges::any_of(statement->body, meets) ||
                       std::ranges::any_of(statement->otherwise, meets);
    any |= statement->hasBarrier;
  }
  return any;
}

}  // namespace

void markBarriers(Program& program) {
  // Helpers call those that stand after them.
  for (size_t f = program.functions.size(); f-- > 0;)
    program.functions[f].hasBarrier = markBarriers(program.functions[f].body, program);
}

}  // namespace weft::fuzz
