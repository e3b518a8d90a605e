// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "program/build.h"
#include "program/kernel.h"
#include "program/program.h"
#include "validate/handles.h"

/// Rules of the program and kernel entry points for their arguments.
namespace weft::validate {

[[nodiscard]] inline Result<Program*> program(cl_program handle) noexcept {
  return object<Program>(handle, CL_INVALID_PROGRAM);
}
[[nodiscard]] inline Result<Kernel*> kernel(cl_kernel handle) noexcept {
  return object<Kernel>(handle, CL_INVALID_KERNEL);
}

/// The strings of clCreateProgramWithSource as one. A length of 0, or no lengths, means that the
/// string ends with a zero; zeros within are dropped. CL_INVALID_VALUE when there is no string or a
/// null one.
[[nodiscard]] Result<std::string> programSource(cl_uint count, const char** strings,
                                                const size_t* lengths);

/// One binary of clCreateProgramWithBinary.
struct BinaryArgument {
  Device* device;
  std::span<const std::byte> bytes;
};

/// The devices and binaries of clCreateProgramWithBinary; a null or empty binary has no bytes.
///   CL_INVALID_VALUE   no devices, lengths or binaries
///   CL_INVALID_DEVICE  a device that is not the context's, or that comes twice
[[nodiscard]] Result<std::vector<BinaryArgument>> programBinaries(const Context& context,
                                                                  cl_uint count,
                                                                  const cl_device_id* devices,
                                                                  const size_t* lengths,
                                                                  const unsigned char** binaries);

/// A device list of a build; without one, all of `allowed`.
///   CL_INVALID_VALUE   count and list do not go together
///   CL_INVALID_DEVICE  a device that is not one of `allowed`
[[nodiscard]] Result<std::vector<Device*>> buildDevices(std::span<Device* const> allowed,
                                                        cl_uint count, const cl_device_id* devices);

/// pfn_notify with its user data. CL_INVALID_VALUE for user data without a function.
[[nodiscard]] Result<BuildNotify> buildNotify(void(CL_CALLBACK* function)(cl_program, void*),
                                              void* userData) noexcept;

/// The headers of clCompileProgram.
///   CL_INVALID_VALUE      count, programs and names do not go together, or a name is null
///   CL_INVALID_PROGRAM    a header is no program
///   CL_INVALID_CONTEXT    a header is of another context
///   CL_INVALID_OPERATION  a header has no source
[[nodiscard]] Result<std::vector<ProgramHeader>> programHeaders(const Context& context,
                                                                cl_uint count,
                                                                const cl_program* programs,
                                                                const char** names);

/// The inputs of clLinkProgram.
///   CL_INVALID_VALUE    there are none
///   CL_INVALID_PROGRAM  an input is no program
///   CL_INVALID_CONTEXT  an input is of another context
[[nodiscard]] Result<std::vector<Ref<Program>>> linkInputs(const Context& context, cl_uint count,
                                                           const cl_program* programs);

/// The device of a kernel query, one of the kernel's context; may be null when that has one only.
[[nodiscard]] Result<Device*> kernelDevice(const Kernel& kernel, cl_device_id device) noexcept;

}  // namespace weft::validate
