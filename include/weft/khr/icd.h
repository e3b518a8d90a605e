// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

/// cl_khr_icd 2.0, which Debian's headers predate. Values and signatures of the registry.
namespace weft::khr {

/// What the two tag slots of a dispatch table hold: clGetPlatformIDs and clUnloadCompiler, which
/// no loader calls through a table. A 2.0 loader then asks for functions by name and gives the
/// platform its own data.
inline constexpr intptr_t kIcd2Tag =
    sizeof(intptr_t) == 4 ? 0x434C3331 : static_cast<intptr_t>(0x4F50454E434C3331);

using IcdGetPlatformIDs = cl_int(CL_API_CALL*)(cl_uint entries, cl_platform_id* platforms,
                                               cl_uint* count);
using IcdGetFunctionAddressForPlatform = void*(CL_API_CALL*)(cl_platform_id platform,
                                                             const char* name);
using IcdSetPlatformDispatchData = cl_int(CL_API_CALL*)(cl_platform_id platform, void* data);

}  // namespace weft::khr

// Exported by the library under these names.
extern "C" {
CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries,
                                                       cl_platform_id* platforms,
                                                       cl_uint* num_platforms);
CL_API_ENTRY void* CL_API_CALL clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform,
                                                                     const char* func_name);
CL_API_ENTRY cl_int CL_API_CALL clIcdSetPlatformDispatchDataKHR(cl_platform_id platform,
                                                                void* dispatch_data);
}
