// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>

#include "weft/abi/image.h"
#include "weft/abi/sub_group.h"

/// Fixed limits of the device; what depends on the host is in Device.
namespace weft::limits {

/// Most work-items in one group. A fiber group of this size still fits the default stack pool,
/// and programs tuned for other CPU runtimes expect at least 1024.
inline constexpr size_t kMaxWorkGroupSize = 4096;
inline constexpr cl_uint kMaxWorkItemDimensions = 3;

/// Bytes of kernel arguments. Enough for 512 pointers.
inline constexpr size_t kMaxParameterSize = 4096;
inline constexpr cl_uint kMaxConstantArgs = 128;
/// Constant memory is plain memory. The cap keeps the figure within 31 bits, since programs hold
/// it in an int.
inline constexpr uint64_t kMaxConstantBufferSize = uint64_t{1} << 30;

/// Alignment of every buffer's start: long16, the widest type, and two cache lines.
inline constexpr size_t kMemoryAlignment = 128;
inline constexpr cl_uint kMemBaseAddrAlignBits = kMemoryAlignment * 8;

/// Local memory lies between these bounds: see localMemoryBytes() in device.cpp.
inline constexpr uint64_t kMinLocalMemory = uint64_t{64} << 10;
inline constexpr uint64_t kMaxLocalMemory = uint64_t{256} << 10;

/// Pipe arguments of a kernel; reservations that a work-item may have open at a time, though they
/// take no memory; bytes of a packet.
inline constexpr cl_uint kMaxPipeArgs = 128;
inline constexpr cl_uint kMaxPipeReservations = 1024;
inline constexpr cl_uint kMaxPipePacketSize = 64u << 10;

/// Elements of an image's edge: of 1D and 2D images, of 3D images; of one made from a buffer as a
/// row. Layers of an array. Images are plain memory, so nothing but a full chain of mipmap levels
/// sets a limit; those of volumes and arrays are what programs meet on other devices.
inline constexpr size_t kMaxImage2DSize = size_t{1} << (abi::kMaxImageLevels - 1);
inline constexpr size_t kMaxImage3DSize = size_t{16} << 10;
inline constexpr size_t kMaxImage3DDepth = 2048;
inline constexpr size_t kMaxImageBufferSize = size_t{128} << 20;
inline constexpr size_t kMaxImageArraySize = 4096;
/// Bytes of the largest element.
inline constexpr size_t kMaxImageElementSize = 16;
/// In elements: where images may start in a buffer, and what rows are a multiple of.
inline constexpr cl_uint kImageBaseAddressAlignment = 1;
inline constexpr cl_uint kImagePitchAlignment = 1;
/// Arguments of a kernel; only their places in the block limit them.
inline constexpr cl_uint kMaxReadImageArgs = 128;
inline constexpr cl_uint kMaxWriteImageArgs = 64;
inline constexpr cl_uint kMaxReadWriteImageArgs = 64;
inline constexpr cl_uint kMaxSamplers = 64;

/// Bytes of a queue on the device, of which a launch in it takes some hundreds; queues and events
/// of that kind that a program may have at a time, though nothing limits them.
inline constexpr cl_uint kPreferredDeviceQueueSize = 1u << 20;
inline constexpr cl_uint kMaxDeviceQueueSize = 64u << 20;
inline constexpr cl_uint kMaxDeviceQueues = 1024;
inline constexpr cl_uint kMaxDeviceEvents = 64u << 10;

/// Bytes of one variable at program scope, and what programs had better not exceed in all.
inline constexpr size_t kMaxGlobalVariableSize = size_t{64} << 20;
inline constexpr size_t kPreferredGlobalVariablesSize = kMaxGlobalVariableSize;

inline constexpr size_t kPrintfBufferSize = size_t{16} << 20;

/// Sub-group size of kernels that require none: the same on every host, so that results are.
inline constexpr uint32_t kSubGroupSize = 16;
/// Most sub-groups of a work-group, in a kernel that requires the smallest ones.
inline constexpr cl_uint kMaxNumSubGroups = kMaxWorkGroupSize / abi::kSubGroupSizes.front();

/// A work-group size that fills every SIMD register of every host, whatever the type.
inline constexpr size_t kPreferredWorkGroupSizeMultiple = 32;

/// Bytes of the longest fill pattern and of the widest OpenCL C type.
inline constexpr size_t kMaxPatternSize = 128;

// What OpenCL 3.0 asks of a full-profile device (the specification, section 4.2).
static_assert(kMaxWorkGroupSize >= 1024);
static_assert(kMaxWorkItemDimensions >= 3);
static_assert(kMaxParameterSize >= 1024);
static_assert(kMaxConstantArgs >= 8);
static_assert(kMaxConstantArgs * sizeof(void*) <= kMaxParameterSize);
static_assert(kMaxConstantBufferSize >= (64u << 10) && kMaxConstantBufferSize <= INT32_MAX);
static_assert(kMinLocalMemory >= (32u << 10) && kMinLocalMemory <= kMaxLocalMemory);
static_assert(kMaxPipeArgs >= 16 && kMaxPipeArgs * sizeof(void*) <= kMaxParameterSize);
static_assert(kMaxPipeReservations >= 1);
static_assert(kMaxPipePacketSize >= 1024);
static_assert(kMaxImage2DSize >= (16u << 10) && kMaxImage3DSize >= 2048);
static_assert(kMaxImage3DDepth >= 2048 && kMaxImage3DDepth <= kMaxImage3DSize);
static_assert(kMaxImage3DSize <= kMaxImage2DSize);
static_assert(kMaxImageBufferSize >= (64u << 10) && kMaxImageBufferSize <= INT32_MAX);
static_assert(kMaxImageArraySize >= 2048);
static_assert(kMaxReadImageArgs >= 128 && kMaxReadImageArgs * sizeof(void*) <= kMaxParameterSize);
static_assert(kMaxWriteImageArgs >= 64 && kMaxReadWriteImageArgs >= 64 && kMaxSamplers >= 16);
// Images of whatever kind and format stay within 64 bits.
static_assert(kMaxImage3DSize * kMaxImage3DSize * kMaxImage3DDepth <=
              (SIZE_MAX >> 2) / kMaxImageElementSize);
static_assert(kMaxImage2DSize * kMaxImage2DSize * kMaxImageArraySize <=
              (SIZE_MAX >> 2) / kMaxImageElementSize);
static_assert(kPreferredDeviceQueueSize >= (16u << 10));
static_assert(kMaxDeviceQueueSize >= (256u << 10));
static_assert(kMaxDeviceQueues >= 1 && kMaxDeviceEvents >= 1024);
static_assert(kMaxGlobalVariableSize >= (64u << 10));
static_assert(kPrintfBufferSize >= (1u << 20));
static_assert(kMemoryAlignment >= sizeof(cl_long16));
static_assert(kMemoryAlignment >= kMaxPatternSize);
static_assert((kMemoryAlignment & (kMemoryAlignment - 1)) == 0);
static_assert(kMaxWorkGroupSize % kPreferredWorkGroupSizeMultiple == 0);
static_assert(kMaxWorkGroupSize % abi::kMaxSubGroupSize == 0);
static_assert(kSubGroupSize == abi::kSubGroupSizes[1]);

}  // namespace weft::limits
