// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/adaptor.h"
#include "api/info.h"
#include "program/kernel.h"
#include "program/program.h"
#include "validate/program.h"

using namespace weft;

namespace {

using ProgramRow = api::InfoRow<Program>;
using BuildRow = api::InfoRow<ProgramBuild>;
using api::InfoWriter;

Result<void> devices(const Program& program, const InfoWriter& out) {
  std::vector<cl_device_id> handles;
  for (Device* device : program.devices()) handles.push_back(device->handle());
  return out.array<cl_device_id>(handles);
}

using SharedBinary = std::shared_ptr<const std::vector<std::byte>>;

/// One for each device; null where there is no binary.
Result<std::vector<SharedBinary>> binaries(const Program& program) {
  std::vector<SharedBinary> result;
  for (const Device* device : program.devices()) {
    WEFT_TRY(SharedBinary binary, program.binary(*device));
    result.push_back(std::move(binary));
  }
  return result;
}

Result<void> binarySizes(const Program& program, const InfoWriter& out) {
  WEFT_TRY(const auto all, binaries(program));
  std::vector<size_t> sizes;
  for (const SharedBinary& binary : all) sizes.push_back(binary ? binary->size() : 0);
  return out.array<size_t>(sizes);
}

/// The buffer is an array of pointers to where the application wants each binary; a null pointer
/// says that it does not want that one.
Result<void> binaryContents(const Program& program, const InfoWriter& out) {
  const size_t size = program.devices().size() * sizeof(unsigned char*);
  if (out.buffer() != nullptr) {
    if (out.capacity() < size) return clError(CL_INVALID_VALUE);
    WEFT_TRY(const auto all, binaries(program));
    auto** targets = static_cast<unsigned char**>(out.buffer());
    for (size_t i = 0; i < all.size(); ++i)
      if (targets[i] != nullptr && all[i]) std::memcpy(targets[i], all[i]->data(), all[i]->size());
  }
  out.setSize(size);
  return {};
}

Result<void> kernelNames(const Program& program, const InfoWriter& out) {
  WEFT_TRY(const auto executables, program.executables());
  std::string names;
  for (const std::string& name : kernelNames(executables)) {
    if (!names.empty()) names += ';';
    names += name;
  }
  return out.string(names);
}

Result<void> constructors(const Program& program, const InfoWriter& out) {
  WEFT_TRY(const auto executables, program.executables());
  const bool any = std::ranges::any_of(
      executables, [](const auto& executable) { return executable.code->hasConstructors(); });
  return out.value<cl_bool>(any ? CL_TRUE : CL_FALSE);
}

/// The compiler takes no objects with destructors at program scope.
Result<void> noDestructors(const Program& program, const InfoWriter& out) {
  WEFT_TRY_VOID(program.executables());
  return out.value<cl_bool>(CL_FALSE);
}

constexpr ProgramRow kProgramRows[] = {
    {CL_PROGRAM_REFERENCE_COUNT,
     [](const Program& p, const InfoWriter& out) {
       return out.value<cl_uint>(p.applicationRefs());
     }},
    {CL_PROGRAM_CONTEXT,
     [](const Program& p, const InfoWriter& out) {
       return out.value<cl_context>(p.context().handle());
     }},
    {CL_PROGRAM_NUM_DEVICES,
     [](const Program& p, const InfoWriter& out) {
       return out.value(static_cast<cl_uint>(p.devices().size()));
     }},
    {CL_PROGRAM_DEVICES, devices},
    {CL_PROGRAM_SOURCE,
     [](const Program& p, const InfoWriter& out) { return out.string(p.source()); }},
    {CL_PROGRAM_BINARY_SIZES, binarySizes},
    {CL_PROGRAM_BINARIES, binaryContents},
    {CL_PROGRAM_NUM_KERNELS,
     [](const Program& p, const InfoWriter& out) -> Result<void> {
       WEFT_TRY(const auto executables, p.executables());
       return out.value<size_t>(kernelNames(executables).size());
     }},
    {CL_PROGRAM_KERNEL_NAMES, kernelNames},
    {CL_PROGRAM_IL, [](const Program& p,
                       const InfoWriter& out) { return out.bytes(p.il().data(), p.il().size()); }},
    {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, constructors},
    {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, noDestructors},
};

cl_program_binary_type binaryType(const ProgramBuild& build) noexcept {
  if (!build.code) return CL_PROGRAM_BINARY_TYPE_NONE;
  switch (build.code->kind()) {
    case compiler::ProgramKind::CompiledObject:
      return CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    case compiler::ProgramKind::Library:
      return CL_PROGRAM_BINARY_TYPE_LIBRARY;
    case compiler::ProgramKind::Executable:
      return CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
  }
  return CL_PROGRAM_BINARY_TYPE_NONE;
}

constexpr BuildRow kBuildRows[] = {
    {CL_PROGRAM_BUILD_STATUS,
     [](const ProgramBuild& b, const InfoWriter& out) {
       return out.value<cl_build_status>(b.status);
     }},
    {CL_PROGRAM_BUILD_OPTIONS,
     [](const ProgramBuild& b, const InfoWriter& out) { return out.string(b.options); }},
    {CL_PROGRAM_BUILD_LOG,
     [](const ProgramBuild& b, const InfoWriter& out) { return out.string(b.log); }},
    {CL_PROGRAM_BINARY_TYPE,
     [](const ProgramBuild& b, const InfoWriter& out) { return out.value(binaryType(b)); }},
    {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
     [](const ProgramBuild& b, const InfoWriter& out) {
       return out.value<size_t>(b.code ? b.code->programScopeBytes() : 0);
     }},
};

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                                 size_t param_value_size, void* param_value,
                                                 size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    return api::queryInfo<Program>(kProgramRows, *object, param_name, param_value_size, param_value,
                                   param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                      cl_program_build_info param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    Device* onDevice = Device::from(device);
    if (onDevice == nullptr || !object->has(*onDevice)) return clError(CL_INVALID_DEVICE);
    return api::queryInfo<ProgramBuild>(kBuildRows, object->build(*onDevice), param_name,
                                        param_value_size, param_value, param_value_size_ret);
  });
}
