// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl.h>

#include <optional>
#include <string_view>
#include <utility>

#include "api/adaptor.h"
#include "backend/backend.h"
#include "platform/versions.h"
#include "program/build.h"
#include "program/build_error.h"
#include "program/program.h"
#include "validate/handles.h"
#include "validate/program.h"

using namespace weft;

namespace {

std::string_view text(const char* options) noexcept { return options ? options : ""; }

/// The code of one binary for a context.
///   CL_INVALID_VALUE   there is none
///   CL_INVALID_BINARY  damaged, of another build or host, or built for private memory that the
///                      context does not give
Result<Ref<compiler::Program>> loadBinary(Context& context, std::span<const std::byte> bytes) {
  if (bytes.empty()) return clError(CL_INVALID_VALUE);
  auto loaded = Backend::instance().compiler().load(bytes);
  if (!loaded) return clError(clCode(loaded.error().kind, BuildStep::Build));
  const bool mustZero = context.privateMemory() == compiler::PrivateMemory::Zeroed &&
                        (*loaded)->kind() == compiler::ProgramKind::Executable;
  if (mustZero && (*loaded)->privateMemory() != compiler::PrivateMemory::Zeroed)
    return clError(CL_INVALID_BINARY);
  return std::move(*loaded);
}

/// The code behind each binary; every device gets its own status. The error is CL_INVALID_VALUE
/// if any binary is missing, else that of the first that could not be loaded.
Result<std::vector<Program::DeviceCode>> loadBinaries(
    Context& context, const std::vector<validate::BinaryArgument>& binaries, cl_int* status) {
  std::vector<Program::DeviceCode> codes;
  cl_int outcome = CL_SUCCESS;
  for (size_t i = 0; i < binaries.size(); ++i) {
    auto loaded = loadBinary(context, binaries[i].bytes);
    const cl_int code = loaded ? CL_SUCCESS : loaded.error().code;
    if (status) status[i] = code;
    if (loaded) codes.push_back({binaries[i].device, std::move(*loaded)});
    if (outcome == CL_SUCCESS || code == CL_INVALID_VALUE) outcome = code;
  }
  WEFT_TRY_VOID(require(outcome == CL_SUCCESS, outcome));
  return codes;
}

}  // namespace

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                              const char** strings,
                                                              const size_t* lengths,
                                                              cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Program>> {
    WEFT_TRY(Context * owner, validate::context(context));
    WEFT_TRY(std::string source, validate::programSource(count, strings, lengths));
    return Program::fromSource(*owner, std::move(source));
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBinary(
    cl_context context, cl_uint num_devices, const cl_device_id* device_list, const size_t* lengths,
    const unsigned char** binaries, cl_int* binary_status, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Program>> {
    WEFT_TRY(Context * owner, validate::context(context));
    WEFT_TRY(const auto given,
             validate::programBinaries(*owner, num_devices, device_list, lengths, binaries));
    WEFT_TRY(auto codes, loadBinaries(*owner, given, binary_status));
    return Program::fromBinaries(*owner, std::move(codes));
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(
    cl_context context, cl_uint num_devices, const cl_device_id* device_list,
    const char* kernel_names, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Program>> {
    WEFT_TRY(Context * owner, validate::context(context));
    WEFT_TRY_VOID(require(num_devices != 0 && device_list != nullptr && kernel_names != nullptr,
                          CL_INVALID_VALUE));
    WEFT_TRY_VOID(validate::buildDevices(owner->devices(), num_devices, device_list));
    return clError(CL_INVALID_VALUE);  // the device has no built-in kernels, so no name is known
  });
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void* il,
                                                          size_t length, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Program>> {
    WEFT_TRY(Context * owner, validate::context(context));
    WEFT_TRY_VOID(require(takesIl(), CL_INVALID_OPERATION));
    WEFT_TRY_VOID(require(il != nullptr && length != 0, CL_INVALID_VALUE));
    std::string words(static_cast<const char*>(il), length);
    auto constants = Backend::instance().compiler().describeIl(words);
    if (!constants) return clError(CL_INVALID_VALUE);
    return Program::fromIl(*owner, std::move(words), std::move(*constants));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    object->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    return require(object->releaseApplication(), CL_INVALID_PROGRAM);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramReleaseCallback(
    cl_program program, void(CL_CALLBACK* pfn_notify)(cl_program, void*), void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::program(program));
    WEFT_TRY_VOID(require(pfn_notify != nullptr, CL_INVALID_VALUE));
    return clError(CL_INVALID_OPERATION);  // no device runs destructors at program scope
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program,
                                                                   cl_uint spec_id,
                                                                   size_t spec_size,
                                                                   const void* spec_value) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    WEFT_TRY_VOID(require(takesIl(), CL_INVALID_OPERATION));
    WEFT_TRY_VOID(require(object->origin() == Program::Origin::Il, CL_INVALID_PROGRAM));
    WEFT_TRY_VOID(require(spec_value != nullptr, CL_INVALID_VALUE));
    return object->specialize(spec_id,
                              std::span(static_cast<const std::byte*>(spec_value), spec_size));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                               const cl_device_id* device_list, const char* options,
                                               void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                               void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    WEFT_TRY(const BuildNotify notify, validate::buildNotify(pfn_notify, user_data));
    WEFT_TRY(const auto devices,
             validate::buildDevices(object->devices(), num_devices, device_list));
    const Ref<Program> keep(object);
    return buildProgram(*object, devices,
                        options ? std::optional<std::string_view>(options) : std::nullopt, notify);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clCompileProgram(
    cl_program program, cl_uint num_devices, const cl_device_id* device_list, const char* options,
    cl_uint num_input_headers, const cl_program* input_headers, const char** header_include_names,
    void(CL_CALLBACK* pfn_notify)(cl_program, void*), void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Program * object, validate::program(program));
    WEFT_TRY(const BuildNotify notify, validate::buildNotify(pfn_notify, user_data));
    WEFT_TRY(const auto devices,
             validate::buildDevices(object->devices(), num_devices, device_list));
    WEFT_TRY(auto headers, validate::programHeaders(object->context(), num_input_headers,
                                                    input_headers, header_include_names));
    const Ref<Program> keep(object);
    return compileProgram(*object, devices, text(options), std::move(headers), notify);
  });
}

CL_API_ENTRY cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                                  const cl_device_id* device_list,
                                                  const char* options, cl_uint num_input_programs,
                                                  const cl_program* input_programs,
                                                  void(CL_CALLBACK* pfn_notify)(cl_program, void*),
                                                  void* user_data, cl_int* errcode_ret) {
  // Unlike other entry points this one may return an object and an error: a program with the
  // log of a link that failed.
  cl_int failure = CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  const cl_program linked = api::create(&error, [&]() -> Result<Ref<Program>> {
    WEFT_TRY(Context * owner, validate::context(context));
    WEFT_TRY(const BuildNotify notify, validate::buildNotify(pfn_notify, user_data));
    WEFT_TRY(const auto devices,
             validate::buildDevices(owner->devices(), num_devices, device_list));
    WEFT_TRY(const auto inputs, validate::linkInputs(*owner, num_input_programs, input_programs));
    WEFT_TRY(LinkOutcome outcome, linkPrograms(*owner, devices, text(options), inputs, notify));
    failure = outcome.code;
    return std::move(outcome.program);
  });
  if (errcode_ret) *errcode_ret = error != CL_SUCCESS ? error : failure;
  return linked;
}
