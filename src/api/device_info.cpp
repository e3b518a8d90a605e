// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/device_info.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "memory/external_memory.h"
#include "memory/svm_types.h"
#include "platform/image_support.h"
#include "platform/limits.h"
#include "platform/platform.h"
#include "platform/uuid.h"
#include "platform/versions.h"
#include "validate/command_buffer.h"
#include "weft/abi/sub_group.h"
#include "weft/compiler/il_support.h"
#include "weft/khr/external_memory.h"
#include "weft/khr/language_extensions.h"
#include "weft/khr/opencl_3_1.h"
#include "weft/khr/terminate_context.h"

namespace weft::api {
namespace {

using Row = InfoRow<Device>;
using Getter = Result<void> (*)(const Device&, const InfoWriter&);

// --- Makers of getters -------------------------------------------------------------------------

/// The same answer on every host.
template <class T, T kValue>
constexpr Getter fixed = [](const Device&, const InfoWriter& out) { return out.value(kValue); };

constexpr Getter yes = fixed<cl_bool, CL_TRUE>;
constexpr Getter no = fixed<cl_bool, CL_FALSE>;
constexpr Getter noCount = fixed<cl_uint, 0>;

/// A member of DeviceFacts, as the type that the specification names.
template <class T, auto kMember>
constexpr Getter fact = [](const Device& device, const InfoWriter& out) {
  return out.value(static_cast<T>(device.facts().*kMember));
};

/// Elements of T in a SIMD register, at most the widest vector of the language.
template <class T>
constexpr Getter vectorWidth = [](const Device& device, const InfoWriter& out) {
  return out.value(
      static_cast<cl_uint>(std::min<size_t>(16, device.facts().vectorBytes / sizeof(T))));
};

template <std::span<const cl_name_version> (*kTable)() noexcept>
constexpr Getter table = [](const Device&, const InfoWriter& out) { return out.array(kTable()); };

/// "SPIR-V_1.6 SPIR-V_1.5 ..."
std::string ilVersionText() {
  std::string text;
  for (const cl_name_version& entry : ilVersions()) {
    if (!text.empty()) text += ' ';
    text += std::string(entry.name) + '_' + std::to_string(CL_VERSION_MAJOR(entry.version)) + '.' +
            std::to_string(CL_VERSION_MINOR(entry.version));
  }
  return text;
}

/// A list of what modules of SPIR-V may ask for: empty where the device takes none.
template <auto kMember>
constexpr Getter ofIl = [](const Device&, const InfoWriter& out) {
  const compiler::IlSupport none, &support = takesIl() ? compiler::ilSupport() : none;
  return out.array(support.*kMember);
};

constexpr Getter emptyText = [](const Device&, const InfoWriter& out) { return out.string(""); };
constexpr Getter emptyTable = [](const Device&, const InfoWriter& out) {
  return out.array(std::span<const cl_name_version>{});
};

// --- Values ------------------------------------------------------------------------------------

constexpr cl_device_fp_config kRounding =
    CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF;
constexpr cl_device_fp_config kDoubleConfig = CL_FP_DENORM | CL_FP_INF_NAN | kRounding | CL_FP_FMA;
constexpr cl_device_fp_config kHalfConfig = kDoubleConfig;
constexpr cl_device_fp_config kSingleConfig =
    CL_FP_DENORM | CL_FP_INF_NAN | kRounding | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;

/// None was submitted; this is how the specification's format, vYYYY-MM-DD-XX, says never.
constexpr std::string_view kConformanceVersion = "v0000-01-01-00";

// Every order and scope of OpenCL C 3.0, as the feature macros say too.
constexpr cl_device_atomic_capabilities kAtomicMemory =
    CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL |
    CL_DEVICE_ATOMIC_ORDER_SEQ_CST | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
    CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
constexpr cl_device_atomic_capabilities kAtomicFence =
    kAtomicMemory | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM;

// Kernels run on the host's processors: they have its memory and its atomics.
constexpr cl_device_svm_capabilities kSvm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER |
                                            CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                            CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
using UsmCapabilities = cl_device_unified_shared_memory_capabilities_intel;
constexpr UsmCapabilities kUsm = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                                 CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
                                 CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                                 CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

constexpr khr::cl_device_fp_atomic_capabilities_ext kFpAtomics =
    khr::kGlobalFpAtomicLoadStore | khr::kGlobalFpAtomicAdd | khr::kGlobalFpAtomicMinMax |
    khr::kLocalFpAtomicLoadStore | khr::kLocalFpAtomicAdd | khr::kLocalFpAtomicMinMax;

/// Dot products of bytes take several instructions.
Result<void> plainDotProducts(const Device&, const InfoWriter& out) {
  return out.value(cl_device_integer_dot_product_acceleration_properties_khr{});
}

Result<void> singleConfig(const Device& device, const InfoWriter& out) {
  // fma() is right everywhere; the flag says that it is as fast as a multiplication.
  return out.value(kSingleConfig | (device.facts().fma ? cl_device_fp_config{CL_FP_FMA} : 0));
}

Result<void> maxWorkItemSizes(const Device&, const InfoWriter& out) {
  std::array<size_t, limits::kMaxWorkItemDimensions> sizes{};
  sizes.fill(limits::kMaxWorkGroupSize);
  return out.array(std::span<const size_t>(sizes));
}

/// Those that a kernel may require.
Result<void> subGroupSizes(const Device&, const InfoWriter& out) {
  std::array<size_t, abi::kSubGroupSizes.size()> sizes{};
  std::ranges::copy(abi::kSubGroupSizes, sizes.begin());
  return out.array(std::span<const size_t>(sizes));
}

/// The schemes that give at least two sub-devices; a zero alone when there is none.
Result<void> partitionProperties(const Device& device, const InfoWriter& out) {
  if (device.computeUnits() < 2) return out.value(cl_device_partition_property{0});
  constexpr std::array<cl_device_partition_property, 3> kSchemes{
      CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS,
      CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN};
  return out.array(std::span(kSchemes).first(device.affinityDomains() != 0 ? 3 : 2));
}

Result<void> partitionType(const Device& device, const InfoWriter& out) {
  if (device.isRoot()) return out.value(cl_device_partition_property{0});
  return out.array(device.partitionType());
}

Result<void> externalMemoryTypes(const Device&, const InfoWriter& out) {
  return out.array(std::span<const cl_external_memory_handle_type_khr>(kExternalMemoryHandleTypes));
}

Result<void> languageVersion(const Device&, const InfoWriter& out) {
  // The highest version whose every feature is there.
  return out.string("OpenCL C 1.2 Weft " + std::string(libraryVersion()));
}

// --- The table ---------------------------------------------------------------------------------

constexpr std::array kIdentity{
    Row{CL_DEVICE_TYPE, fixed<cl_device_type, Device::kType>},
    Row{CL_DEVICE_VENDOR_ID, fact<cl_uint, &DeviceFacts::vendorId>},
    Row{CL_DEVICE_NAME,
        [](const Device& d, const InfoWriter& out) { return out.string(d.facts().name); }},
    Row{CL_DEVICE_VENDOR,
        [](const Device& d, const InfoWriter& out) { return out.string(d.facts().vendor); }},
    Row{CL_DRIVER_VERSION,
        [](const Device&, const InfoWriter& out) { return out.string(driverVersion()); }},
    Row{CL_DEVICE_PROFILE,
        [](const Device&, const InfoWriter& out) { return out.string("FULL_PROFILE"); }},
    Row{CL_DEVICE_VERSION,
        [](const Device&, const InfoWriter& out) { return out.string(versionText()); }},
    Row{CL_DEVICE_NUMERIC_VERSION,
        [](const Device&, const InfoWriter& out) { return out.value(openClVersion()); }},
    Row{CL_DEVICE_OPENCL_C_VERSION, languageVersion},
    Row{CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR, fixed<cl_version, CL_MAKE_VERSION(1, 2, 0)>},
    Row{CL_DEVICE_OPENCL_C_ALL_VERSIONS, table<languageVersions>},
    Row{CL_DEVICE_OPENCL_C_FEATURES, table<languageFeatures>},
    Row{CL_DEVICE_EXTENSIONS,
        [](const Device&, const InfoWriter& out) {
          return out.string(joinNames(deviceExtensions()));
        }},
    Row{CL_DEVICE_EXTENSIONS_WITH_VERSION, table<deviceExtensions>},
    Row{CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
        [](const Device&, const InfoWriter& out) { return out.string(kConformanceVersion); }},
    Row{CL_DEVICE_PLATFORM,
        [](const Device& d, const InfoWriter& out) {
          return out.value(cl_platform_id{d.platform().handle()});
        }},
    Row{CL_DEVICE_REFERENCE_COUNT,
        [](const Device& d, const InfoWriter& out) {
          return out.value(d.isRoot() ? cl_uint{1} : cl_uint{d.applicationRefs()});
        }},
    // A sub-device is the same device to other interfaces.
    Row{CL_DEVICE_UUID_KHR,
        [](const Device&, const InfoWriter& out) { return out.value(deviceUuid()); }},
    Row{CL_DRIVER_UUID_KHR,
        [](const Device&, const InfoWriter& out) { return out.value(driverUuid()); }},
    Row{CL_DEVICE_LUID_VALID_KHR, no},
    Row{CL_DEVICE_LUID_KHR,
        [](const Device&, const InfoWriter& out) {
          return out.value(std::array<cl_uchar, CL_LUID_SIZE_KHR>{});
        }},
    Row{CL_DEVICE_NODE_MASK_KHR, noCount},
    Row{CL_DEVICE_AVAILABLE, yes},
    Row{CL_DEVICE_ENDIAN_LITTLE, yes},
    Row{CL_DEVICE_ADDRESS_BITS, fixed<cl_uint, 64>},
    Row{CL_DEVICE_ERROR_CORRECTION_SUPPORT, no},
    Row{CL_DEVICE_PROFILING_TIMER_RESOLUTION,
        [](const Device&, const InfoWriter& out) {
          return out.value(static_cast<size_t>(clockResolutionNanoseconds()));
        }},
};

constexpr std::array kExecution{
    Row{CL_DEVICE_MAX_COMPUTE_UNITS, fact<cl_uint, &DeviceFacts::computeUnits>},
    Row{CL_DEVICE_MAX_CLOCK_FREQUENCY, fact<cl_uint, &DeviceFacts::clockMHz>},
    Row{CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, fixed<cl_uint, limits::kMaxWorkItemDimensions>},
    Row{CL_DEVICE_MAX_WORK_ITEM_SIZES, maxWorkItemSizes},
    Row{CL_DEVICE_MAX_WORK_GROUP_SIZE, fixed<size_t, limits::kMaxWorkGroupSize>},
    Row{CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
        fixed<size_t, limits::kPreferredWorkGroupSizeMultiple>},
    Row{CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, fixed<cl_bool, Device::kNonUniformWorkGroups>},
    Row{CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, yes},
    Row{CL_DEVICE_MAX_NUM_SUB_GROUPS, fixed<cl_uint, limits::kMaxNumSubGroups>},
    Row{CL_DEVICE_SUB_GROUP_SIZES_INTEL, subGroupSizes},
    // A sub-group that waits for another one without a barrier keeps its thread from it.
    Row{CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, no},
    Row{CL_DEVICE_EXECUTION_CAPABILITIES,
        fixed<cl_device_exec_capabilities, CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL>},
    Row{CL_DEVICE_QUEUE_ON_HOST_PROPERTIES,
        fixed<cl_command_queue_properties, Device::kHostQueueProperties>},
    Row{CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
        fixed<cl_device_device_enqueue_capabilities,
              CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT>},
    Row{CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        fixed<cl_command_queue_properties, Device::kDeviceQueueProperties>},
    Row{CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        fixed<cl_uint, limits::kPreferredDeviceQueueSize>},
    Row{CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, fixed<cl_uint, limits::kMaxDeviceQueueSize>},
    Row{CL_DEVICE_MAX_ON_DEVICE_QUEUES, fixed<cl_uint, limits::kMaxDeviceQueues>},
    Row{CL_DEVICE_MAX_ON_DEVICE_EVENTS, fixed<cl_uint, limits::kMaxDeviceEvents>},
    Row{khr::kDeviceTerminateCapability1x, fixed<khr::cl_device_terminate_capability_khr,
                                                 khr::CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR>},
    Row{CL_DEVICE_TERMINATE_CAPABILITY_KHR, fixed<khr::cl_device_terminate_capability_khr,
                                                  khr::CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR>},
    Row{CL_DEVICE_SEMAPHORE_TYPES_KHR, fixed<cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR>},
    Row{CL_DEVICE_COMPILER_AVAILABLE, yes},
    Row{CL_DEVICE_LINKER_AVAILABLE, yes},
    Row{CL_DEVICE_BUILT_IN_KERNELS, emptyText},
    Row{CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, emptyTable},
    Row{CL_DEVICE_IL_VERSION,
        [](const Device&, const InfoWriter& out) { return out.string(ilVersionText()); }},
    Row{CL_DEVICE_ILS_WITH_VERSION, table<ilVersions>},
    Row{khr::kDeviceSpirvExtendedInstructionSets, ofIl<&compiler::IlSupport::instructionSets>},
    Row{khr::kDeviceSpirvExtensions, ofIl<&compiler::IlSupport::extensions>},
    Row{khr::kDeviceSpirvCapabilities, ofIl<&compiler::IlSupport::capabilities>},
    Row{CL_DEVICE_PRINTF_BUFFER_SIZE, fixed<size_t, limits::kPrintfBufferSize>},
    Row{CL_DEVICE_PARENT_DEVICE,
        [](const Device& d, const InfoWriter& out) {
          return out.value(d.parent() ? cl_device_id{d.parent()->handle()} : nullptr);
        }},
    Row{CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
        [](const Device& d, const InfoWriter& out) {
          return out.value(d.computeUnits() < 2 ? cl_uint{0} : d.computeUnits());
        }},
    Row{CL_DEVICE_PARTITION_PROPERTIES, partitionProperties},
    Row{CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
        [](const Device& d, const InfoWriter& out) { return out.value(d.affinityDomains()); }},
    Row{CL_DEVICE_PARTITION_TYPE, partitionType},
};

constexpr std::array kArithmetic{
    Row{CL_DEVICE_SINGLE_FP_CONFIG, singleConfig},
    Row{CL_DEVICE_DOUBLE_FP_CONFIG, fixed<cl_device_fp_config, kDoubleConfig>},
    Row{CL_DEVICE_HALF_FP_CONFIG, fixed<cl_device_fp_config, kHalfConfig>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, vectorWidth<cl_char>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, vectorWidth<cl_short>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, vectorWidth<cl_int>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, vectorWidth<cl_long>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, vectorWidth<cl_float>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, vectorWidth<cl_double>},
    Row{CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, vectorWidth<cl_half>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, vectorWidth<cl_char>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, vectorWidth<cl_short>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, vectorWidth<cl_int>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, vectorWidth<cl_long>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, vectorWidth<cl_float>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, vectorWidth<cl_double>},
    Row{CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, vectorWidth<cl_half>},
    Row{CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, fixed<cl_device_atomic_capabilities, kAtomicMemory>},
    Row{CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, fixed<cl_device_atomic_capabilities, kAtomicFence>},
    // 0: the size of the type.
    Row{CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, noCount},
    Row{CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, noCount},
    Row{CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, noCount},
};

/// Extensions of the language.
constexpr std::array kLanguage{
    Row{CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, fixed<cl_version, CL_MAKE_VERSION(1, 0, 0)>},
    Row{CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR,
        fixed<cl_device_integer_dot_product_capabilities_khr,
              CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR |
                  CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR>},
    Row{CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, plainDotProducts},
    Row{CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, plainDotProducts},
    Row{khr::kDeviceKernelClockCapabilities,
        fixed<khr::cl_device_kernel_clock_capabilities_khr, khr::kKernelClockScopeDevice |
                                                                khr::kKernelClockScopeWorkGroup |
                                                                khr::kKernelClockScopeSubGroup>},
    Row{khr::kDeviceSingleFpAtomicCapabilities,
        fixed<khr::cl_device_fp_atomic_capabilities_ext, kFpAtomics>},
    Row{khr::kDeviceDoubleFpAtomicCapabilities,
        fixed<khr::cl_device_fp_atomic_capabilities_ext, kFpAtomics>},
    Row{khr::kDeviceHalfFpAtomicCapabilities,
        fixed<khr::cl_device_fp_atomic_capabilities_ext, kFpAtomics>},
};

constexpr std::array kCommandBuffers{
    Row{khr::kDeviceCommandBufferCapabilities,
        fixed<khr::cl_command_buffer_capabilities, validate::kCommandBufferCapabilities>},
    Row{khr::kDeviceCommandBufferRequiredQueueProperties,
        fixed<cl_command_queue_properties, validate::kCommandBufferRequiredQueue>},
    Row{khr::kDeviceCommandBufferSupportedQueueProperties,
        fixed<cl_command_queue_properties, validate::kCommandBufferSupportedQueue>},
    Row{khr::kDeviceMutableDispatchCapabilities,
        fixed<khr::cl_mutable_dispatch_fields, validate::kMutableDispatchCapabilities>},
};

constexpr std::array kMemory{
    Row{CL_DEVICE_GLOBAL_MEM_SIZE, fact<cl_ulong, &DeviceFacts::globalMemory>},
    Row{CL_DEVICE_MAX_MEM_ALLOC_SIZE, fact<cl_ulong, &DeviceFacts::maxAllocation>},
    Row{CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, fixed<cl_device_mem_cache_type, CL_READ_WRITE_CACHE>},
    Row{CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, fact<cl_ulong, &DeviceFacts::cacheBytes>},
    Row{CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, fact<cl_uint, &DeviceFacts::cacheLineBytes>},
    // Local memory is ordinary memory that tends to stay in cache.
    Row{CL_DEVICE_LOCAL_MEM_TYPE, fixed<cl_device_local_mem_type, CL_GLOBAL>},
    Row{CL_DEVICE_LOCAL_MEM_SIZE, fact<cl_ulong, &DeviceFacts::localMemory>},
    Row{CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, fact<cl_ulong, &DeviceFacts::maxConstantBuffer>},
    Row{CL_DEVICE_MAX_CONSTANT_ARGS, fixed<cl_uint, limits::kMaxConstantArgs>},
    Row{CL_DEVICE_MAX_PARAMETER_SIZE, fixed<size_t, limits::kMaxParameterSize>},
    Row{CL_DEVICE_MEM_BASE_ADDR_ALIGN, fixed<cl_uint, limits::kMemBaseAddrAlignBits>},
    Row{CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, fixed<cl_uint, sizeof(cl_long16)>},
    Row{CL_DEVICE_HOST_UNIFIED_MEMORY, yes},
    Row{CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, yes},
    Row{CL_DEVICE_SVM_CAPABILITIES, fixed<cl_device_svm_capabilities, kSvm>},
    Row{khr::kDeviceSvmTypeCapabilities,
        [](const Device&, const InfoWriter& out) {
          return out.array(std::span<const khr::cl_svm_capabilities>(kSvmTypes));
        }},
    Row{CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, externalMemoryTypes},
    // Images in memory of the application's are linear too.
    Row{khr::kDeviceExternalMemoryAssumesLinearImages, externalMemoryTypes},
    Row{CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, fixed<UsmCapabilities, kUsm>},
    Row{CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, fixed<UsmCapabilities, kUsm>},
    Row{CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, fixed<UsmCapabilities, kUsm>},
    Row{CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, fixed<UsmCapabilities, kUsm>},
    Row{CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, fixed<UsmCapabilities, kUsm>},
    Row{CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, fixed<size_t, limits::kMaxGlobalVariableSize>},
    Row{CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
        fixed<size_t, limits::kPreferredGlobalVariablesSize>},
    Row{CL_DEVICE_PIPE_SUPPORT, yes},
    Row{CL_DEVICE_MAX_PIPE_ARGS, fixed<cl_uint, limits::kMaxPipeArgs>},
    Row{CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, fixed<cl_uint, limits::kMaxPipeReservations>},
    Row{CL_DEVICE_PIPE_MAX_PACKET_SIZE, fixed<cl_uint, limits::kMaxPipePacketSize>},
    Row{CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, yes},
};

/// Zeros where images are not reported.
template <class T, T kValue>
constexpr Getter ofImages = fixed < T,
                 kReportsImages ? kValue : T{} > ;

constexpr std::array kImages{
    Row{CL_DEVICE_IMAGE_SUPPORT, fixed<cl_bool, kReportsImages>},
    Row{CL_DEVICE_MAX_READ_IMAGE_ARGS, ofImages<cl_uint, limits::kMaxReadImageArgs>},
    Row{CL_DEVICE_MAX_WRITE_IMAGE_ARGS, ofImages<cl_uint, limits::kMaxWriteImageArgs>},
    Row{CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, ofImages<cl_uint, limits::kMaxReadWriteImageArgs>},
    Row{CL_DEVICE_IMAGE2D_MAX_WIDTH, ofImages<size_t, limits::kMaxImage2DSize>},
    Row{CL_DEVICE_IMAGE2D_MAX_HEIGHT, ofImages<size_t, limits::kMaxImage2DSize>},
    Row{CL_DEVICE_IMAGE3D_MAX_WIDTH, ofImages<size_t, limits::kMaxImage3DSize>},
    Row{CL_DEVICE_IMAGE3D_MAX_HEIGHT, ofImages<size_t, limits::kMaxImage3DSize>},
    Row{CL_DEVICE_IMAGE3D_MAX_DEPTH, ofImages<size_t, limits::kMaxImage3DDepth>},
    Row{CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, ofImages<size_t, limits::kMaxImageBufferSize>},
    Row{CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, ofImages<size_t, limits::kMaxImageArraySize>},
    Row{CL_DEVICE_IMAGE_PITCH_ALIGNMENT, ofImages<cl_uint, limits::kImagePitchAlignment>},
    Row{CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
        ofImages<cl_uint, limits::kImageBaseAddressAlignment>},
    Row{CL_DEVICE_MAX_SAMPLERS, ofImages<cl_uint, limits::kMaxSamplers>},
};

template <size_t... kSizes>
constexpr auto joined(const std::array<Row, kSizes>&... parts) {
  std::array<Row, (kSizes + ...)> all{};
  auto out = all.begin();
  ((out = std::copy(parts.begin(), parts.end(), out)), ...);
  return all;
}

constexpr auto kDeviceInfo =
    joined(kIdentity, kExecution, kCommandBuffers, kArithmetic, kLanguage, kMemory, kImages);

constexpr bool eachOnce() {
  for (size_t i = 0; i < kDeviceInfo.size(); ++i)
    for (size_t j = i + 1; j < kDeviceInfo.size(); ++j)
      if (kDeviceInfo[i].parameter == kDeviceInfo[j].parameter) return false;
  return true;
}
static_assert(eachOnce());

}  // namespace

std::span<const InfoRow<Device>> deviceInfoTable() noexcept { return kDeviceInfo; }

}  // namespace weft::api
