// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"
#include "backend/backend.h"

#include <CL/cl_ext.h>

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "api/list.h"
#include "base/clock.h"
#include "memory/external_memory.h"
#include "memory/svm_types.h"
#include "platform/versions.h"
#include "validate/handles.h"

// clGetPlatformIDs, clGetPlatformInfo, clUnloadPlatformCompiler, clUnloadCompiler.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

constexpr std::array kPlatformInfo{
    InfoRow<Platform>{
        CL_PLATFORM_PROFILE,
        [](const Platform&, const InfoWriter& out) { return out.string("FULL_PROFILE"); }},
    InfoRow<Platform>{
        CL_PLATFORM_VERSION,
        [](const Platform&, const InfoWriter& out) { return out.string(versionText()); }},
    InfoRow<Platform>{
        CL_PLATFORM_NUMERIC_VERSION,
        [](const Platform&, const InfoWriter& out) { return out.value(openClVersion()); }},
    InfoRow<Platform>{CL_PLATFORM_NAME,
                      [](const Platform&, const InfoWriter& out) { return out.string("Weft"); }},
    InfoRow<Platform>{
        CL_PLATFORM_VENDOR,
        [](const Platform&, const InfoWriter& out) { return out.string("The Weft authors"); }},
    InfoRow<Platform>{CL_PLATFORM_EXTENSIONS,
                      [](const Platform&, const InfoWriter& out) {
                        return out.string(joinNames(platformExtensions()));
                      }},
    InfoRow<Platform>{
        CL_PLATFORM_EXTENSIONS_WITH_VERSION,
        [](const Platform&, const InfoWriter& out) { return out.array(platformExtensions()); }},
    InfoRow<Platform>{CL_PLATFORM_HOST_TIMER_RESOLUTION,
                      [](const Platform&, const InfoWriter& out) {
                        return out.value(cl_ulong{clockResolutionNanoseconds()});
                      }},
    InfoRow<Platform>{CL_PLATFORM_SEMAPHORE_TYPES_KHR,
                      [](const Platform&, const InfoWriter& out) {
                        return out.value(cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
                      }},
    InfoRow<Platform>{CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
                      [](const Platform&, const InfoWriter& out) {
                        return out.array(std::span<const cl_external_memory_handle_type_khr>(
                            kExternalMemoryHandleTypes));
                      }},
    InfoRow<Platform>{khr::kPlatformSvmTypeCapabilities,
                      [](const Platform&, const InfoWriter& out) {
                        return out.array(std::span<const khr::cl_svm_capabilities>(kSvmTypes));
                      }},
    InfoRow<Platform>{CL_PLATFORM_ICD_SUFFIX_KHR,
                      [](const Platform&, const InfoWriter& out) { return out.string("WEFT"); }},
};

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id* platforms,
                                                 cl_uint* num_platforms) {
  return api::call([&]() -> Result<void> {
    const std::array<cl_platform_id, 1> all{Platform::instance().handle()};
    return api::listHandles<cl_platform_id>(all, num_entries, platforms, num_platforms);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform,
                                                  cl_platform_info param_name,
                                                  size_t param_value_size, void* param_value,
                                                  size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Platform* found, validate::platformOrDefault(platform));
    return api::queryInfo<Platform>(kPlatformInfo, *found, param_name, param_value_size,
                                    param_value, param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::platform(platform));
    Backend::instance().unloadCompiler();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clUnloadCompiler() {
  return api::call([]() -> Result<void> {
    Backend::instance().unloadCompiler();
    return {};
  });
}

}  // extern "C"
