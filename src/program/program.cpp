// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/program.h"

#include <algorithm>
#include <cstring>

#include "program/build_error.h"

namespace weft {

Program::Program(Context& context, Origin origin, std::string text,
                 std::span<Device* const> devices)
    : context_(&context),
      origin_(origin),
      text_(std::move(text)),
      devices_(devices.begin(), devices.end()),
      builds_(devices.size()) {}

Ref<Program> Program::fromSource(Context& context, std::string source) {
  return Ref<Program>::adopt(
      new Program(context, Origin::Source, std::move(source), context.devices()));
}

Ref<Program> Program::fromIl(Context& context, std::string words,
                             std::vector<compiler::SpecializationConstant> constants) {
  auto program =
      Ref<Program>::adopt(new Program(context, Origin::Il, std::move(words), context.devices()));
  program->constants_ = std::move(constants);
  return program;
}

Result<void> Program::specialize(uint32_t id, std::span<const std::byte> value) {
  if (origin_ != Origin::Il) return clError(CL_INVALID_PROGRAM);
  const auto constant = std::ranges::find(constants_, id, &compiler::SpecializationConstant::id);
  if (constant == constants_.end()) return clError(CL_INVALID_SPEC_ID);
  uint64_t bits = 0;
  if (value.size() != constant->bytes || value.size() > sizeof bits)
    return clError(CL_INVALID_VALUE);
  std::memcpy(&bits, value.data(), value.size());
  ObjectLock lock(mutex_);
  specialization_[id] = bits;
  return {};
}

std::vector<compiler::SpecializationValue> Program::specialization() const {
  ObjectLock lock(mutex_);
  std::vector<compiler::SpecializationValue> values;
  for (const auto& [id, bits] : specialization_) values.push_back({id, bits});
  return values;
}

Ref<Program> Program::fromBinaries(Context& context, std::vector<DeviceCode> binaries) {
  std::vector<Device*> devices;
  for (const DeviceCode& binary : binaries) devices.push_back(binary.device);
  auto program = Ref<Program>::adopt(new Program(context, Origin::Binary, {}, devices));
  ObjectLock lock(program->mutex_);
  for (size_t i = 0; i < binaries.size(); ++i)
    program->builds_[i].code = std::move(binaries[i].code);
  return program;
}

Ref<Program> Program::forLink(Context& context, std::span<Device* const> devices) {
  return Ref<Program>::adopt(new Program(context, Origin::Linked, {}, devices));
}

bool Program::has(const Device& device) const noexcept {
  return std::ranges::find(devices_, &device) != devices_.end();
}

const Device* Program::nearest(const Device& device) const noexcept {
  const Device* owner = &device;
  while (owner && !has(*owner)) owner = owner->parent();
  return owner;
}

ProgramBuild& Program::slot(const Device& device) {
  return builds_[static_cast<size_t>(std::ranges::find(devices_, &device) - devices_.begin())];
}

const ProgramBuild& Program::slot(const Device& device) const {
  return builds_[static_cast<size_t>(std::ranges::find(devices_, &device) - devices_.begin())];
}

const ProgramBuild& Program::inForce(const Device& device) const {
  for (const Device* owner = &device; owner; owner = owner->parent()) {
    if (!has(*owner)) continue;
    const ProgramBuild& build = slot(*owner);
    if (build.status != CL_BUILD_NONE || build.code) return build;
  }
  return slot(device);
}

ProgramBuild Program::build(const Device& device) const {
  ObjectLock lock(mutex_);
  return inForce(device);
}

Result<std::shared_ptr<const std::vector<std::byte>>> Program::binary(const Device& device) const {
  Ref<compiler::Program> code;
  {
    ObjectLock lock(mutex_);
    const ProgramBuild& build = inForce(device);
    if (build.binary || !build.code) return build.binary;
    code = build.code;
  }
  auto bytes = code->serialize();
  if (!bytes) return clError(clCode(bytes.error().kind, BuildStep::Build));
  auto shared = std::make_shared<const std::vector<std::byte>>(std::move(*bytes));
  ObjectLock lock(mutex_);
  const ProgramBuild& build = inForce(device);
  if (build.code == code) build.binary = shared;
  return shared;
}

Result<void> Program::beginBuild(std::span<Device* const> devices, std::string_view options) {
  // The copies are made first: a bad_alloc must not leave a device marked.
  std::vector<std::string> copies(devices.size(), std::string(options));
  ObjectLock lock(mutex_);
  if (attachedKernels_ != 0) return clError(CL_INVALID_OPERATION);
  for (const Device* device : devices)
    if (slot(*device).status == CL_BUILD_IN_PROGRESS) return clError(CL_INVALID_OPERATION);
  for (size_t i = 0; i < devices.size(); ++i) {
    ProgramBuild& build = slot(*devices[i]);
    build.status = CL_BUILD_IN_PROGRESS;
    build.options = std::move(copies[i]);
    build.log.clear();
  }
  return {};
}

void Program::finishBuild(const Device& device, Ref<compiler::Program> code,
                          std::string_view log) noexcept {
  std::shared_ptr<const std::vector<std::byte>> oldBinary;  // freed after the lock
  ObjectLock lock(mutex_);
  ProgramBuild& build = slot(device);
  build.status = code ? CL_BUILD_SUCCESS : CL_BUILD_ERROR;
  if (!(build.code == code)) {  // a loaded executable is "built" as it is
    std::swap(build.code, code);
    std::swap(build.binary, oldBinary);
  }
  try {
    build.log = log;
  } catch (const std::bad_alloc&) {  // the status is what counts
    build.log.clear();
  }
}

void Program::abandonBuilds() noexcept {
  ObjectLock lock(mutex_);
  for (ProgramBuild& build : builds_) {
    if (build.status != CL_BUILD_IN_PROGRESS) continue;
    build.status = CL_BUILD_ERROR;
    // Code of an earlier build may be what a thread left behind was working on: it is leaked.
    static_cast<void>(build.code.detach());
    build.binary.reset();
    try {
      build.log = "error: the process was forked during the build\n";
    } catch (const std::bad_alloc&) {  // the status is what counts
    }
  }
}

std::vector<Program::DeviceCode> Program::executablesLocked() const {
  std::vector<DeviceCode> codes;
  for (Device* device : devices_)
    if (const ProgramBuild& build = inForce(*device); build.isExecutable())
      codes.push_back({device, build.code});
  return codes;
}

Result<std::vector<Program::DeviceCode>> Program::executables() const {
  ObjectLock lock(mutex_);
  std::vector<DeviceCode> codes = executablesLocked();
  if (codes.empty()) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  return codes;
}

Result<std::vector<Program::DeviceCode>> Program::attachKernel() {
  ObjectLock lock(mutex_);
  std::vector<DeviceCode> codes = executablesLocked();
  if (codes.empty()) return clError(CL_INVALID_PROGRAM_EXECUTABLE);
  ++attachedKernels_;
  return codes;
}

void Program::attachClone() noexcept {
  ObjectLock lock(mutex_);
  ++attachedKernels_;
}

void Program::detachKernel() noexcept {
  ObjectLock lock(mutex_);
  --attachedKernels_;
}

}  // namespace weft
