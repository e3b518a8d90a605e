// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/program.h"

#include <algorithm>

namespace weft::validate {

Result<std::string> programSource(cl_uint count, const char** strings, const size_t* lengths) {
  if (count == 0 || strings == nullptr) return clError(CL_INVALID_VALUE);
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (strings[i] == nullptr) return clError(CL_INVALID_VALUE);
    if (lengths != nullptr && lengths[i] != 0)
      source.append(strings[i], lengths[i]);
    else
      source.append(strings[i]);
  }
  std::erase(source, '\0');
  return source;
}

Result<std::vector<BinaryArgument>> programBinaries(const Context& context, cl_uint count,
                                                    const cl_device_id* devices,
                                                    const size_t* lengths,
                                                    const unsigned char** binaries) {
  if (count == 0 || devices == nullptr || lengths == nullptr || binaries == nullptr)
    return clError(CL_INVALID_VALUE);
  std::vector<BinaryArgument> result;
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY(Device * device, deviceOf(context, devices[i]));
    if (std::ranges::find(result, device, &BinaryArgument::device) != result.end())
      return clError(CL_INVALID_DEVICE);
    result.push_back({device, std::as_bytes(std::span(binaries[i], binaries[i] ? lengths[i] : 0))});
  }
  return result;
}

Result<std::vector<Device*>> buildDevices(std::span<Device* const> allowed, cl_uint count,
                                          const cl_device_id* devices) {
  if ((count == 0) != (devices == nullptr)) return clError(CL_INVALID_VALUE);
  if (count == 0) return std::vector<Device*>(allowed.begin(), allowed.end());
  std::vector<Device*> result;
  for (cl_uint i = 0; i < count; ++i) {
    Device* device = Device::from(devices[i]);
    if (device == nullptr || std::ranges::find(allowed, device) == allowed.end())
      return clError(CL_INVALID_DEVICE);
    if (std::ranges::find(result, device) == result.end()) result.push_back(device);
  }
  return result;
}

Result<BuildNotify> buildNotify(void(CL_CALLBACK* function)(cl_program, void*),
                                void* userData) noexcept {
  if (function == nullptr && userData != nullptr) return clError(CL_INVALID_VALUE);
  return BuildNotify{function, userData};
}

Result<std::vector<ProgramHeader>> programHeaders(const Context& context, cl_uint count,
                                                  const cl_program* programs, const char** names) {
  const bool given = count != 0;
  if (given != (programs != nullptr) || given != (names != nullptr))
    return clError(CL_INVALID_VALUE);
  std::vector<ProgramHeader> headers;
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY(Program * header, program(programs[i]));
    if (names[i] == nullptr) return clError(CL_INVALID_VALUE);
    if (&header->context() != &context) return clError(CL_INVALID_CONTEXT);
    if (header->origin() != Program::Origin::Source) return clError(CL_INVALID_OPERATION);
    headers.push_back({names[i], Ref<Program>(header)});
  }
  return headers;
}

Result<std::vector<Ref<Program>>> linkInputs(const Context& context, cl_uint count,
                                             const cl_program* programs) {
  if (count == 0 || programs == nullptr) return clError(CL_INVALID_VALUE);
  std::vector<Ref<Program>> inputs;
  for (cl_uint i = 0; i < count; ++i) {
    WEFT_TRY(Program * input, program(programs[i]));
    if (&input->context() != &context) return clError(CL_INVALID_CONTEXT);
    inputs.emplace_back(input);
  }
  return inputs;
}

Result<Device*> kernelDevice(const Kernel& kernel, cl_device_id handle) noexcept {
  const auto devices = kernel.context().devices();
  if (handle == nullptr) {
    if (devices.size() != 1) return clError(CL_INVALID_DEVICE);
    return devices.front();
  }
  Device* device = Device::from(handle);
  if (device == nullptr || std::ranges::find(devices, device) == devices.end())
    return clError(CL_INVALID_DEVICE);
  return device;
}

}  // namespace weft::validate
