// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/memory.h"

#include <algorithm>
#include <cstring>

namespace weft::fuzz {

Memory::Memory(const Program& program, std::vector<Bytes>& buffers)
    : program_(program),
      buffers_(buffers),
      shadows_(buffers.size()),
      local_(program.localBytes),
      tables_(program.tableBytes),
      globals_(program.globalBytes),
      localShadow_(program.localBytes),
      globalShadow_(program.globalBytes) {
  for (size_t i = 0; i < program.variables.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (variable.isMemory() && variable.written) shadows_[i].resize(buffers[i].size());
    if (variable.kind != VariableKind::Table) continue;
    const size_t bytes = bytesOf(variable.type.scalar);
    for (size_t k = 0; k < variable.initial.size(); ++k)
      std::memcpy(tables_.data() + variable.offset + k * bytes, &variable.initial[k], bytes);
  }
}

void Memory::beginGroup() {
  localShadow_.assign(localShadow_.size(), {});
  for (Epoch* epoch : {&localEpoch_, &globalEpoch_}) epoch->groupBegin = ++epoch->now;
}

void Memory::barrier(bool local, bool global) {
  if (local) ++localEpoch_.now;
  if (global) ++globalEpoch_.now;
}

void Memory::check(Shadow& shadow, const Epoch& epoch, bool isGlobal, const Actor& actor,
                   Access access) {
  // Nothing orders different groups, and within one only barriers do.
  const auto unordered = [&](uint32_t then) {
    return then == epoch.now || (isGlobal && then != 0 && then < epoch.groupBegin);
  };
  const bool bothAtomic = access == Access::Atomic && shadow.wasAtomic;
  if (unordered(shadow.writeEpoch) && shadow.writer != actor.number && !bothAtomic)
    throw Undefined{"race with a write"};
  if (access == Access::Read) {
    const bool others = unordered(shadow.readEpoch) && shadow.reader != actor.number;
    shadow.manyReaders = others || (shadow.readEpoch == epoch.now && shadow.manyReaders);
    shadow.reader = actor.number;
    shadow.readEpoch = epoch.now;
    return;
  }
  if (unordered(shadow.readEpoch) && (shadow.manyReaders || shadow.reader != actor.number))
    throw Undefined{"race with a read"};
  shadow.writer = actor.number;
  shadow.writeEpoch = epoch.now;
  shadow.wasAtomic = access == Access::Atomic;
}

uint64_t Memory::positionOf(size_t variable, int64_t offset, uint64_t bytes) const {
  const Variable& what = program_.variables[variable];
  const uint64_t size = what.isMemory() ? buffers_[variable].size() : program_.sizeOf(what.type);
  const Chunks chunks = what.isSparse() ? what.chunks : Chunks{.bytes = size};
  const std::optional<uint64_t> position = chunks.packed(offset, bytes);
  if (!position) throw Undefined{"access out of bounds"};
  return *position;
}

uint8_t* Memory::access(const Actor& actor, Address address, uint64_t bytes, Access access) {
  auto index = static_cast<size_t>(address.variable);
  if (index >= program_.variables.size()) throw Undefined{"wild pointer"};
  if (program_.variables[index].sameAs >= 0)
    index = static_cast<size_t>(program_.variables[index].sameAs);
  const Variable& variable = program_.variables[index];
  const uint64_t offset = positionOf(index, address.offset, bytes);
  switch (variable.kind) {
    case VariableKind::Buffer:
    case VariableKind::Image:
      if (!variable.written && access != Access::Read) throw Undefined{"write to an input"};
      if (variable.written)
        for (uint64_t i = 0; i < bytes; ++i)
          check(shadows_[index][offset + i], globalEpoch_, true, actor, access);
      return buffers_[index].data() + offset;
    case VariableKind::Local:
      for (uint64_t i = 0; i < bytes; ++i) {
        Shadow& shadow = localShadow_[variable.offset + offset + i];
        if (access != Access::Write && shadow.writeEpoch == 0)
          throw Undefined{"local memory without a value"};
        check(shadow, localEpoch_, false, actor, access);
      }
      return local_.data() + variable.offset + offset;
    case VariableKind::Global:
      for (uint64_t i = 0; i < bytes; ++i) {
        Shadow& shadow = globalShadow_[variable.offset + offset + i];
        if (access != Access::Write && shadow.writeEpoch == 0)
          throw Undefined{"what another launch has left"};
        check(shadow, globalEpoch_, true, actor, access);
      }
      return globals_.data() + variable.offset + offset;
    case VariableKind::Table:
      if (access != Access::Read) throw Undefined{"write to a table"};
      return tables_.data() + variable.offset + offset;
    case VariableKind::Sampler:
    case VariableKind::Private:
    case VariableKind::Parameter:
      break;
  }
  const Own own = this->own(actor, {static_cast<int>(index), address.offset}, bytes);
  constexpr uint8_t kAllBits = 0xff;
  if (access == Access::Write)
    std::memset(own.known, kAllBits, bytes);
  else if (std::any_of(own.known, own.known + bytes, [](uint8_t bits) { return bits != kAllBits; }))
    throw Undefined{"variable without a value"};
  return own.bytes;
}

Memory::Own Memory::own(const Actor& actor, Address address, uint64_t bytes) const {
  const auto index = static_cast<size_t>(address.variable);
  const Variable& variable = program_.variables[index];
  if (variable.kind != VariableKind::Private && variable.kind != VariableKind::Parameter)
    throw Undefined{"not a work-item's own variable"};
  const uint64_t at = variable.offset + positionOf(index, address.offset, bytes);
  return {actor.frame + at, actor.known + at};
}

}  // namespace weft::fuzz
