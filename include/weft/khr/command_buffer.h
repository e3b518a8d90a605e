// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>

/// cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5, of which Debian's
/// headers have versions with other signatures and layouts. Values and layouts of the registry.
/// The functions have C++ linkage, since applications get them by name.

struct _cl_command_buffer_khr;
struct _cl_mutable_command_khr;

namespace weft::khr {

inline constexpr cl_version kCommandBufferVersion = CL_MAKE_VERSION(0, 9, 8);
inline constexpr cl_version kMutableDispatchVersion = CL_MAKE_VERSION(0, 9, 5);

using cl_command_buffer = _cl_command_buffer_khr*;
using cl_mutable_command = _cl_mutable_command_khr*;
using cl_sync_point = cl_uint;
using cl_command_buffer_info = cl_uint;
using cl_command_buffer_state = cl_uint;
using cl_command_buffer_properties = cl_properties;
using cl_command_buffer_flags = cl_bitfield;
using cl_command_properties = cl_properties;
using cl_command_buffer_capabilities = cl_bitfield;
using cl_command_buffer_update_type = cl_uint;
using cl_mutable_command_info = cl_uint;
using cl_mutable_dispatch_fields = cl_bitfield;
using cl_mutable_dispatch_asserts = cl_bitfield;

// Errors
inline constexpr cl_int kInvalidCommandBuffer = -1138;
inline constexpr cl_int kInvalidSyncPointWaitList = -1139;
inline constexpr cl_int kIncompatibleCommandQueue = -1140;
inline constexpr cl_int kInvalidMutableCommand = -1141;

// cl_device_info
inline constexpr cl_device_info kDeviceCommandBufferSupportedQueueProperties = 0x129A;
inline constexpr cl_device_info kDeviceCommandBufferCapabilities = 0x12A9;
inline constexpr cl_device_info kDeviceCommandBufferRequiredQueueProperties = 0x12AA;
inline constexpr cl_device_info kDeviceMutableDispatchCapabilities = 0x12B0;

// CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
inline constexpr cl_command_buffer_capabilities kCapabilityKernelPrintf = 1 << 0;
inline constexpr cl_command_buffer_capabilities kCapabilityDeviceSideEnqueue = 1 << 1;
inline constexpr cl_command_buffer_capabilities kCapabilitySimultaneousUse = 1 << 2;

// Properties of clCreateCommandBufferKHR
inline constexpr cl_command_buffer_properties kCommandBufferFlags = 0x1293;
inline constexpr cl_command_buffer_properties kCommandBufferMutableDispatchAsserts = 0x12B7;

// CL_COMMAND_BUFFER_FLAGS_KHR
inline constexpr cl_command_buffer_flags kCommandBufferSimultaneousUse = 1 << 0;
inline constexpr cl_command_buffer_flags kCommandBufferMutable = 1 << 1;
inline constexpr cl_command_buffer_flags kDeviceSideSync = 1 << 2;  ///< of another extension

// clGetCommandBufferInfoKHR
inline constexpr cl_command_buffer_info kCommandBufferQueues = 0x1294;
inline constexpr cl_command_buffer_info kCommandBufferNumQueues = 0x1295;
inline constexpr cl_command_buffer_info kCommandBufferReferenceCount = 0x1296;
inline constexpr cl_command_buffer_info kCommandBufferState = 0x1297;
inline constexpr cl_command_buffer_info kCommandBufferPropertiesArray = 0x1298;
inline constexpr cl_command_buffer_info kCommandBufferContext = 0x1299;

// CL_COMMAND_BUFFER_STATE_KHR
inline constexpr cl_command_buffer_state kStateRecording = 0;
inline constexpr cl_command_buffer_state kStateExecutable = 1;
inline constexpr cl_command_buffer_state kStateFinalized = 2;

// cl_command_type
inline constexpr cl_command_type kCommandCommandBuffer = 0x12A8;

// Properties of clCommandNDRangeKernelKHR
inline constexpr cl_command_properties kMutableDispatchUpdatableFields = 0x12B1;
inline constexpr cl_command_properties kMutableDispatchAsserts = 0x12B8;

// CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR
inline constexpr cl_mutable_dispatch_fields kFieldGlobalOffset = 1 << 0;
inline constexpr cl_mutable_dispatch_fields kFieldGlobalSize = 1 << 1;
inline constexpr cl_mutable_dispatch_fields kFieldLocalSize = 1 << 2;
inline constexpr cl_mutable_dispatch_fields kFieldArguments = 1 << 3;
inline constexpr cl_mutable_dispatch_fields kFieldExecInfo = 1 << 4;

inline constexpr cl_mutable_dispatch_asserts kAssertNoAdditionalWorkGroups = 1 << 0;

// clGetMutableCommandInfoKHR
inline constexpr cl_mutable_command_info kMutableCommandQueue = 0x12A0;
inline constexpr cl_mutable_command_info kMutableCommandBuffer = 0x12A1;
inline constexpr cl_mutable_command_info kMutableCommandPropertiesArray = 0x12A2;
inline constexpr cl_mutable_command_info kMutableDispatchKernel = 0x12A3;
inline constexpr cl_mutable_command_info kMutableDispatchDimensions = 0x12A4;
inline constexpr cl_mutable_command_info kMutableDispatchGlobalOffset = 0x12A5;
inline constexpr cl_mutable_command_info kMutableDispatchGlobalSize = 0x12A6;
inline constexpr cl_mutable_command_info kMutableDispatchLocalSize = 0x12A7;
inline constexpr cl_mutable_command_info kMutableCommandType = 0x12AD;

// cl_command_buffer_update_type_khr
inline constexpr cl_command_buffer_update_type kStructureTypeMutableDispatchConfig = 0;

struct MutableDispatchArgument {
  cl_uint index;
  size_t size;
  const void* value;
};

struct MutableDispatchExecInfo {
  cl_uint name;
  size_t size;
  const void* value;
};

struct MutableDispatchConfig {
  cl_mutable_command command = nullptr;
  cl_uint argumentCount = 0;
  cl_uint svmArgumentCount = 0;
  cl_uint execInfoCount = 0;
  cl_uint workDim = 0;
  const MutableDispatchArgument* arguments = nullptr;
  const MutableDispatchArgument* svmArguments = nullptr;
  const MutableDispatchExecInfo* execInfos = nullptr;
  const size_t* globalOffset = nullptr;
  const size_t* globalSize = nullptr;
  const size_t* localSize = nullptr;
};
static_assert(sizeof(MutableDispatchArgument) == 24 && sizeof(MutableDispatchExecInfo) == 24);
static_assert(offsetof(MutableDispatchConfig, workDim) == 20);
static_assert(sizeof(MutableDispatchConfig) == 72);

// What every recording function ends with.
#define WEFT_KHR_SYNC_PARAMETERS                                                   \
  cl_uint num_sync_points_in_wait_list, const cl_sync_point *sync_point_wait_list, \
      cl_sync_point *sync_point, cl_mutable_command *mutable_handle
// And what it begins with.
#define WEFT_KHR_RECORD_PARAMETERS                                  \
  cl_command_buffer command_buffer, cl_command_queue command_queue, \
      const cl_command_properties *properties

// Both as the fields of one argument.
#define WEFT_KHR_RECORD_ARGUMENTS                                                    \
  {command_buffer,       command_queue, properties,    num_sync_points_in_wait_list, \
   sync_point_wait_list, sync_point,    mutable_handle}

cl_command_buffer CL_API_CALL
clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue* queues,
                         const cl_command_buffer_properties* properties, cl_int* errcode_ret);
cl_int CL_API_CALL clRetainCommandBufferKHR(cl_command_buffer command_buffer);
cl_int CL_API_CALL clReleaseCommandBufferKHR(cl_command_buffer command_buffer);
cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer command_buffer);
cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue* queues,
                                             cl_command_buffer command_buffer,
                                             cl_uint num_events_in_wait_list,
                                             const cl_event* event_wait_list, cl_event* event);
cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer command_buffer,
                                             cl_command_buffer_info param_name,
                                             size_t param_value_size, void* param_value,
                                             size_t* param_value_size_ret);

cl_int CL_API_CALL clCommandBarrierWithWaitListKHR(WEFT_KHR_RECORD_PARAMETERS,
                                                   WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandCopyBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                          cl_mem dst_buffer, size_t src_offset, size_t dst_offset,
                                          size_t size, WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandCopyBufferRectKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                              cl_mem dst_buffer, const size_t* src_origin,
                                              const size_t* dst_origin, const size_t* region,
                                              size_t src_row_pitch, size_t src_slice_pitch,
                                              size_t dst_row_pitch, size_t dst_slice_pitch,
                                              WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandFillBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem buffer,
                                          const void* pattern, size_t pattern_size, size_t offset,
                                          size_t size, WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandSVMMemcpyKHR(WEFT_KHR_RECORD_PARAMETERS, void* dst_ptr,
                                         const void* src_ptr, size_t size,
                                         WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandSVMMemFillKHR(WEFT_KHR_RECORD_PARAMETERS, void* svm_ptr,
                                          const void* pattern, size_t pattern_size, size_t size,
                                          WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandNDRangeKernelKHR(WEFT_KHR_RECORD_PARAMETERS, cl_kernel kernel,
                                             cl_uint work_dim, const size_t* global_work_offset,
                                             const size_t* global_work_size,
                                             const size_t* local_work_size,
                                             WEFT_KHR_SYNC_PARAMETERS);

cl_int CL_API_CALL clCommandCopyBufferToImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_buffer,
                                                 cl_mem dst_image, size_t src_offset,
                                                 const size_t* dst_origin, const size_t* region,
                                                 WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandCopyImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                         cl_mem dst_image, const size_t* src_origin,
                                         const size_t* dst_origin, const size_t* region,
                                         WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandCopyImageToBufferKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem src_image,
                                                 cl_mem dst_buffer, const size_t* src_origin,
                                                 const size_t* region, size_t dst_offset,
                                                 WEFT_KHR_SYNC_PARAMETERS);
cl_int CL_API_CALL clCommandFillImageKHR(WEFT_KHR_RECORD_PARAMETERS, cl_mem image,
                                         const void* fill_color, const size_t* origin,
                                         const size_t* region, WEFT_KHR_SYNC_PARAMETERS);

cl_int CL_API_CALL clUpdateMutableCommandsKHR(cl_command_buffer command_buffer, cl_uint num_configs,
                                              const cl_command_buffer_update_type* config_types,
                                              const void** configs);
cl_int CL_API_CALL clGetMutableCommandInfoKHR(cl_mutable_command command,
                                              cl_mutable_command_info param_name,
                                              size_t param_value_size, void* param_value,
                                              size_t* param_value_size_ret);

}  // namespace weft::khr
