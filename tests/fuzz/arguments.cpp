// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/arguments.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "weft/support/checked.h"

namespace weft::fuzz {
namespace {

constexpr uint64_t kPage = 4096;
/// Larger buffers than this some hosts have no memory for, though nothing is there.
constexpr uint64_t kMostOfBuffer = uint64_t{3} << 30;

void addValue(test::Launch& launch, Type type, uint64_t bits) {
  switch (bytesOf(type.scalar)) {
    case 1:
      launch.value(static_cast<uint8_t>(bits));
      break;
    case 2:
      launch.value(static_cast<uint16_t>(bits));
      break;
    case 4:
      launch.value(static_cast<uint32_t>(bits));
      break;
    default:
      launch.value(bits);
      break;
  }
}

std::string hex(const uint8_t* bytes, uint64_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "0x";
  for (uint64_t i = count; i-- > 0;) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

abi::Image headerOf(const ImageType& type, const uint8_t* pixels) {
  abi::Image header{};
  header.channelType = type.channelType();
  header.channelOrder = type.channelOrder();
  header.format = abi::imageFormat(header.channelType - abi::kFirstChannelType,
                                   header.channelOrder - abi::kFirstChannelOrder);
  header.elementBytes = type.elementBytes();
  header.levelCount = 1;
  const uint64_t rowPitch = uint64_t{type.width} * type.elementBytes();
  header.levels[0] = {.data = reinterpret_cast<uint64_t>(pixels),
                      .rowPitch = rowPitch,
                      .slicePitch = rowPitch * type.height,
                      .width = type.width,
                      .height = type.height,
                      .slices = type.slices,
                      .reserved = 0};
  return header;
}

compiler::ImageType typeOf(ImageKind kind) {
  using enum compiler::ImageType;
  static constexpr std::array kTypes{Image1D, Image1DBuffer, Image1DArray,
                                     Image2D, Image2DArray,  Image3D};
  return kTypes[static_cast<size_t>(kind)];
}

compiler::AccessQualifier accessOf(ImageAccess access) {
  using enum compiler::AccessQualifier;
  static constexpr std::array kAccess{ReadOnly, WriteOnly, ReadWrite};
  return kAccess[static_cast<size_t>(access)];
}

}  // namespace

Guarded::Guarded(const Chunks& chunks, bool guardBelow)
    : chunks_(chunks), mapped_(alignUp(chunks.span(), kPage) + 2 * kPage) {
  void* all = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  base_ = static_cast<uint8_t*>(all);
  first_ = guardBelow ? base_ + kPage : base_ + mapped_ - kPage - chunks.span();
  for (uint64_t i = 0; i < chunks.count; ++i) {
    const auto from = static_cast<uint64_t>(at(i) - base_) / kPage * kPage;
    const uint64_t to = alignUp(static_cast<uint64_t>(at(i) - base_) + chunks.bytes, kPage);
    if (mprotect(base_ + from, to - from, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  }
}

void Guarded::fill(const Bytes& bytes) {
  for (uint64_t i = 0; i < chunks_.count; ++i)
    std::memcpy(at(i), bytes.data() + i * chunks_.bytes, chunks_.bytes);
}

Bytes Guarded::contents() const {
  Bytes bytes(chunks_.count * chunks_.bytes);
  for (uint64_t i = 0; i < chunks_.count; ++i)
    std::memcpy(bytes.data() + i * chunks_.bytes, at(i), chunks_.bytes);
  return bytes;
}

Guarded::~Guarded() { munmap(base_, mapped_); }

Arguments::Arguments(const Program& program, const std::vector<Bytes>& initial)
    : program_(program), initial_(initial), memory_(initial.size()) {
  for (const int parameter : program.functions[0].parameters) {
    const auto p = static_cast<size_t>(parameter);
    const Variable& variable = program.variables[p];
    if (variable.isMemory() && variable.sameAs < 0)
      memory_[p] = std::make_unique<Guarded>(
          variable.isSparse() ? variable.chunks : Chunks{.bytes = initial[p].size()},
          variable.guardBelow);
  }
  for (size_t i = 0; i < memory_.size(); ++i)
    if (program.variables[i].kind == VariableKind::Image && memory_[i])
      headers_[static_cast<int>(i)] = headerOf(program.variables[i].image, memory_[i]->data());
  reset();
}

void Arguments::reset() {
  for (size_t i = 0; i < memory_.size(); ++i)
    if (memory_[i]) memory_[i]->fill(initial_[i]);
}

uint8_t* Arguments::memoryOf(int variable) const {
  const int same = program_.variables[static_cast<size_t>(variable)].sameAs;
  const auto& owner = memory_[static_cast<size_t>(same >= 0 ? same : variable)];
  return owner ? owner->data() : nullptr;
}

uint64_t Arguments::sizeOf(int variable, uint64_t mostOfBuffer) const {
  const Variable& what = program_.variables[static_cast<size_t>(variable)];
  if (!what.isSparse())
    return initial_[static_cast<size_t>(what.sameAs >= 0 ? what.sameAs : variable)].size();
  return what.chunks.origin == 0 && what.chunks.span() <= mostOfBuffer ? what.chunks.span() : 0;
}

void Arguments::give(test::Launch& launch) const {
  for (const int parameter : program_.functions[0].parameters) {
    const auto p = static_cast<size_t>(parameter);
    const Variable& variable = program_.variables[p];
    if (variable.kind == VariableKind::Image)
      launch.image(headers_.at(parameter), memoryOf(parameter), initial_[p].size());
    else if (variable.kind == VariableKind::Sampler)
      launch.value(variable.initial[0]);
    else if (uint8_t* memory = memoryOf(parameter))
      launch.memory(memory, sizeOf(parameter, /*mostOfBuffer=*/0));  // it keeps copies
    else if (variable.isArgument)
      launch.local(program_.sizeOf(variable.type));
    else
      addValue(launch, variable.type, variable.initial[0]);
  }
}

std::vector<test::product::Program::Argument> Arguments::forProduct() const {
  using Argument = test::product::Program::Argument;
  std::vector<Argument> all;
  for (const int parameter : program_.functions[0].parameters) {
    const auto p = static_cast<size_t>(parameter);
    const Variable& variable = program_.variables[p];
    if (variable.kind == VariableKind::Image)
      all.push_back({.kind = Argument::Kind::Image,
                     .image = &headers_.at(parameter),
                     .type = typeOf(variable.image.kind),
                     .access = accessOf(variable.image.access)});
    else if (variable.kind == VariableKind::Sampler)
      all.push_back({Argument::Kind::Sampler, const_cast<uint64_t*>(variable.initial.data()),
                     sizeof(uint64_t)});
    else if (uint8_t* memory = memoryOf(parameter))
      all.push_back({Argument::Kind::Memory, memory, sizeOf(parameter, kMostOfBuffer)});
    else if (variable.isArgument)
      all.push_back({Argument::Kind::Local, nullptr, program_.sizeOf(variable.type)});
    else
      all.push_back({Argument::Kind::Value, const_cast<uint64_t*>(variable.initial.data()),
                     bytesOf(variable.type.scalar)});
  }
  return all;
}

std::string Arguments::difference(const std::vector<Bytes>& expected) const {
  for (size_t i = 0; i < memory_.size(); ++i) {
    if (!memory_[i]) continue;
    const Bytes now = memory_[i]->contents();
    const Bytes& wanted = expected[i];
    const auto at = std::ranges::mismatch(wanted, now).in1 - wanted.begin();
    if (static_cast<size_t>(at) == wanted.size()) continue;
    const Variable& variable = program_.variables[i];
    const uint64_t size = variable.kind == VariableKind::Image
                              ? variable.image.elementBytes()
                              : program_.sizeOf(variable.type.element());
    const uint64_t element = static_cast<uint64_t>(at) / size;
    return variable.name + "[" + std::to_string(element) + "] is " +
           hex(now.data() + element * size, size) + ", not " +
           hex(wanted.data() + element * size, size);
  }
  return "";
}

}  // namespace weft::fuzz
