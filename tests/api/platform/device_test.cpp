// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <sched.h>

#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "support/info_query.h"
#include "support/objects.h"
#include "support/reported_version.h"
#include "weft/khr/command_buffer.h"
#include "weft/khr/external_memory.h"
#include "weft/khr/language_extensions.h"
#include "weft/khr/opencl_3_1.h"
#include "weft/khr/terminate_context.h"

namespace weft::test {
namespace {

InfoCall deviceInfo(cl_device_info parameter) {
  return [=](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device(), parameter, size, value, sizeRet);
  };
}

template <class T>
T deviceValue(cl_device_info parameter) {
  return infoValue<T>(deviceInfo(parameter));
}

struct Parameter {
  cl_device_info id;
  const char* name;
  size_t size;  ///< 0 for texts and lists
};

/// Every parameter of the specification, 1.0 to 3.0, with the size of its type.
const Parameter kParameters[] = {
#define WEFT_PARAMETER(name, type) {name, #name, sizeof(type)},
#define WEFT_LIST(name) {name, #name, 0},
#include "device_parameters.def"
#undef WEFT_PARAMETER
#undef WEFT_LIST
};

class DeviceParameter : public testing::TestWithParam<Parameter> {};

TEST_P(DeviceParameter, KeepsTheRules) {
  const auto bytes = checkInfoRules(deviceInfo(GetParam().id));
  if (GetParam().size != 0) {
    EXPECT_EQ(bytes.size(), GetParam().size);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceParameter, testing::ValuesIn(kParameters),
                         [](const auto& info) {
                           // Names of our own constants come with their namespace.
                           const std::string_view name = info.param.name;
                           return std::string(name.substr(name.rfind(':') + 1));
                         });

TEST(Device, IsFoundAsCpu) {
  for (cl_device_type type :
       {cl_device_type{CL_DEVICE_TYPE_CPU}, cl_device_type{CL_DEVICE_TYPE_DEFAULT},
        cl_device_type{CL_DEVICE_TYPE_ALL},
        cl_device_type{CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU}}) {
    cl_uint count = 0;
    EXPECT_EQ(clGetDeviceIDs(platform(), type, 0, nullptr, &count), CL_SUCCESS);
    EXPECT_EQ(count, 1u);
  }
  for (cl_device_type type :
       {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM}) {
    cl_uint count = 7;
    EXPECT_EQ(clGetDeviceIDs(platform(), type, 0, nullptr, &count), CL_DEVICE_NOT_FOUND);
    EXPECT_EQ(count, 0u);
  }
}

TEST(Device, BadListArguments) {
  cl_device_id found = nullptr;
  cl_uint count = 0;
  EXPECT_EQ(clGetDeviceIDs(platform(), 0, 1, &found, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform(), 1 << 10, 1, &found, nullptr), CL_INVALID_DEVICE_TYPE);
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, &found, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 1, nullptr, nullptr), CL_INVALID_VALUE);
  const auto wrong = reinterpret_cast<cl_platform_id>(device());
  EXPECT_EQ(clGetDeviceIDs(wrong, CL_DEVICE_TYPE_ALL, 0, nullptr, &count), CL_INVALID_PLATFORM);
}

TEST(Device, BadInfoArguments) {
  size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(nullptr, CL_DEVICE_NAME, 0, nullptr, &size), CL_INVALID_DEVICE);
  const auto wrong = reinterpret_cast<cl_device_id>(platform());
  EXPECT_EQ(clGetDeviceInfo(wrong, CL_DEVICE_NAME, 0, nullptr, &size), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetDeviceInfo(device(), 0, 0, nullptr, &size), CL_INVALID_VALUE);
}

TEST(Device, FiguresAreThoseOfTheHost) {
  cpu_set_t mask;
  ASSERT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  const auto units = deviceValue<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  EXPECT_GE(units, 1u);
  EXPECT_LE(units, static_cast<cl_uint>(CPU_COUNT(&mask)));
  EXPECT_FALSE(infoText(deviceInfo(CL_DEVICE_NAME)).empty());
  EXPECT_FALSE(infoText(deviceInfo(CL_DEVICE_VENDOR)).empty());
  EXPECT_GT(deviceValue<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE), cl_ulong{64} << 20);
  EXPECT_EQ(deviceValue<cl_platform_id>(CL_DEVICE_PLATFORM), platform());
  EXPECT_EQ(deviceValue<cl_device_type>(CL_DEVICE_TYPE), cl_device_type{CL_DEVICE_TYPE_CPU});
}

TEST(Device, LimitsKeepTheMinimaOfTheFullProfile) {
  const auto global = deviceValue<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  const auto allocation = deviceValue<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  EXPECT_GE(allocation, std::min<cl_ulong>(global / 4, cl_ulong{1} << 30));
  EXPECT_LE(allocation, global);
  EXPECT_GE(deviceValue<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE), cl_ulong{32} << 10);
  EXPECT_GE(deviceValue<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), cl_ulong{64} << 10);
  EXPECT_GE(deviceValue<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS), 8u);
  EXPECT_GE(deviceValue<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE), 1024u);
  EXPECT_GE(deviceValue<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1024u);
  EXPECT_GE(deviceValue<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  EXPECT_GE(deviceValue<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE), size_t{1} << 20);
  const auto sizes = infoList<size_t>(deviceInfo(CL_DEVICE_MAX_WORK_ITEM_SIZES));
  EXPECT_EQ(sizes.size(), deviceValue<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  constexpr cl_device_fp_config kSingle = CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
  EXPECT_EQ(deviceValue<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG) & kSingle, kSingle);
  constexpr cl_device_fp_config kDouble = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO |
                                          CL_FP_ROUND_TO_INF | CL_FP_INF_NAN | CL_FP_DENORM;
  EXPECT_EQ(deviceValue<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG), kDouble);
}

TEST(Device, ImagesAreThereInFullOrNotAtAll) {
  const bool has = deviceValue<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE;
  const auto atLeast = [&](size_t value, size_t least) {
    if (has)
      EXPECT_GE(value, least);
    else
      EXPECT_EQ(value, 0u);
  };
  atLeast(deviceValue<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS), 128);
  atLeast(deviceValue<cl_uint>(CL_DEVICE_MAX_WRITE_IMAGE_ARGS), 64);
  atLeast(deviceValue<cl_uint>(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS), 64);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE2D_MAX_WIDTH), 16384);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE2D_MAX_HEIGHT), 16384);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE3D_MAX_WIDTH), 2048);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE3D_MAX_HEIGHT), 2048);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE3D_MAX_DEPTH), 2048);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE), 65536);
  atLeast(deviceValue<size_t>(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE), 2048);
  atLeast(deviceValue<cl_uint>(CL_DEVICE_IMAGE_PITCH_ALIGNMENT), 1);
  atLeast(deviceValue<cl_uint>(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT), 1);
  atLeast(deviceValue<cl_uint>(CL_DEVICE_MAX_SAMPLERS), 16);
  const std::string extensions = infoText(deviceInfo(CL_DEVICE_EXTENSIONS)) + " ";
  for (const char* name :
       {"cl_ext_image_from_buffer ", "cl_ext_image_raw10_raw12 ", "cl_ext_image_requirements_info ",
        "cl_ext_image_unorm_int_2_101010 ", "cl_khr_3d_image_writes ", "cl_khr_depth_images ",
        "cl_khr_image2d_from_buffer ", "cl_khr_mipmap_image ", "cl_khr_mipmap_image_writes ",
        "cl_khr_srgb_image_writes "})
    EXPECT_EQ(extensions.find(name) != std::string::npos, has) << name;
}

TEST(Device, VersionsAgree) {
  EXPECT_TRUE(infoText(deviceInfo(CL_DEVICE_VERSION))
                  .starts_with(expectsOpenCl31() ? "OpenCL 3.1 Weft " : "OpenCL 3.0 Weft "));
  EXPECT_TRUE(infoText(deviceInfo(CL_DEVICE_OPENCL_C_VERSION)).starts_with("OpenCL C 1.2 "));
  EXPECT_EQ(deviceValue<cl_version>(CL_DEVICE_NUMERIC_VERSION), expectedVersion());
  std::set<cl_version> languages;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_OPENCL_C_ALL_VERSIONS))) {
    EXPECT_STREQ(row.name, "OpenCL C");
    languages.insert(row.version);
  }
  std::set<cl_version> expected{CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0)};
  if (expectsOpenCl31()) expected.insert(CL_MAKE_VERSION(3, 1, 0));
  // It promises images, besides what there is without them.
  if (deviceValue<cl_bool>(CL_DEVICE_IMAGE_SUPPORT)) expected.insert(CL_MAKE_VERSION(2, 0, 0));
  EXPECT_EQ(languages, expected);
}

/// What OpenCL 3.1 demands of every device that reports it.
TEST(Device, HasAllOfOpenCl31) {
  if (!expectsOpenCl31()) GTEST_SKIP() << "OpenCL 3.0 is reported";
  std::set<std::string> extensions, features;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_EXTENSIONS_WITH_VERSION)))
    extensions.insert(row.name);
  for (const char* name :
       {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product",
        "cl_khr_spirv_queries", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate",
        "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
        "cl_khr_suggested_local_work_size", "cl_khr_il_program"})
    EXPECT_TRUE(extensions.contains(name)) << name;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_OPENCL_C_FEATURES)))
    features.insert(row.name);
  for (const char* name : {"__opencl_c_subgroups", "__opencl_c_int64",
                           "__opencl_c_integer_dot_product_input_4x8bit_packed"})
    EXPECT_TRUE(features.contains(name)) << name;
  std::set<cl_version> modules;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_ILS_WITH_VERSION)))
    if (std::string_view(row.name) == "SPIR-V") modules.insert(row.version);
  for (cl_uint minor = 0; minor <= 4; ++minor)
    EXPECT_TRUE(modules.contains(CL_MAKE_VERSION(1, minor, 0))) << minor;
  EXPECT_GT(deviceValue<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS), 0u);
  EXPECT_EQ(deviceValue<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY), cl_bool{CL_TRUE});
  EXPECT_EQ(infoList<size_t>(deviceInfo(khr::kDeviceMaxWorkGroupSizes)).size(), 3u);
  EXPECT_NE(deviceValue<cl_bitfield>(khr::kDeviceIntegerDotProductCapabilities) &
                CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR,
            0u);
}

/// Programs that keep binaries (hashcat, pyopencl) make them anew when the driver version changes,
/// so it names the build and the host that binaries are for.
TEST(Device, DriverVersionNamesWhatBinariesAreFor) {
  const std::string version = infoText(deviceInfo(CL_DRIVER_VERSION));
  EXPECT_TRUE(std::regex_match(version, std::regex("[0-9]+\\.[0-9]+\\.[0-9]+-[0-9a-f]{8}")))
      << version;
}

TEST(Device, BothExtensionListsAgree) {
  std::string joined;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_EXTENSIONS_WITH_VERSION))) {
    if (!joined.empty()) joined += ' ';
    joined += row.name;
  }
  const std::string text = infoText(deviceInfo(CL_DEVICE_EXTENSIONS));
  EXPECT_EQ(joined, text);
  // What OpenCL 1.1 and later demand of every device.
  for (const char* name :
       {"cl_khr_byte_addressable_store", "cl_khr_global_int32_base_atomics",
        "cl_khr_global_int32_extended_atomics", "cl_khr_local_int32_base_atomics",
        "cl_khr_local_int32_extended_atomics"})
    EXPECT_NE((" " + text + " ").find(" " + std::string(name) + " "), std::string::npos) << name;
}

/// Load and store have features of their own for half alone.
void checkFloatAtomics(const std::set<std::string>& features, const std::string& type,
                       cl_device_info parameter) {
  const auto bits = deviceValue<cl_bitfield>(parameter);
  const auto expectSame = [&](const char* name, cl_bitfield bit) {
    EXPECT_EQ(features.contains("__opencl_c_ext_" + type + name), (bits & bit) != 0)
        << type << name;
  };
  expectSame("_global_atomic_add", khr::kGlobalFpAtomicAdd);
  expectSame("_global_atomic_min_max", khr::kGlobalFpAtomicMinMax);
  expectSame("_local_atomic_add", khr::kLocalFpAtomicAdd);
  expectSame("_local_atomic_min_max", khr::kLocalFpAtomicMinMax);
  if (type != "fp16") return;
  expectSame("_global_atomic_load_store", khr::kGlobalFpAtomicLoadStore);
  expectSame("_local_atomic_load_store", khr::kLocalFpAtomicLoadStore);
}

TEST(Device, FeaturesMatchTheQueries) {
  std::set<std::string> features;
  for (const auto& row : infoList<cl_name_version>(deviceInfo(CL_DEVICE_OPENCL_C_FEATURES)))
    features.insert(row.name);
  EXPECT_EQ(features.contains("__opencl_c_fp64"),
            deviceValue<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG) != 0);
  EXPECT_EQ(features.contains("__opencl_c_images"),
            deviceValue<cl_bool>(CL_DEVICE_IMAGE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(features.contains("__opencl_c_pipes"),
            deviceValue<cl_bool>(CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(features.contains("__opencl_c_generic_address_space"),
            deviceValue<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT) == CL_TRUE);
  EXPECT_EQ(features.contains("__opencl_c_program_scope_global_variables"),
            deviceValue<size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) != 0);
  EXPECT_GE(deviceValue<size_t>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE), 65536u);
  const auto clocks = deviceValue<cl_bitfield>(khr::kDeviceKernelClockCapabilities);
  EXPECT_EQ(features.contains("__opencl_c_kernel_clock_scope_device"),
            (clocks & khr::kKernelClockScopeDevice) != 0);
  EXPECT_EQ(features.contains("__opencl_c_kernel_clock_scope_work_group"),
            (clocks & khr::kKernelClockScopeWorkGroup) != 0);
  EXPECT_EQ(features.contains("__opencl_c_kernel_clock_scope_sub_group"),
            (clocks & khr::kKernelClockScopeSubGroup) != 0);
  const auto dots = deviceValue<cl_bitfield>(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR);
  EXPECT_EQ(features.contains("__opencl_c_integer_dot_product_input_4x8bit"),
            (dots & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR) != 0);
  EXPECT_EQ(features.contains("__opencl_c_integer_dot_product_input_4x8bit_packed"),
            (dots & CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR) != 0);
  checkFloatAtomics(features, "fp16", khr::kDeviceHalfFpAtomicCapabilities);
  checkFloatAtomics(features, "fp32", khr::kDeviceSingleFpAtomicCapabilities);
  checkFloatAtomics(features, "fp64", khr::kDeviceDoubleFpAtomicCapabilities);
  EXPECT_EQ(features.contains("__opencl_c_work_group_collective_functions"),
            deviceValue<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT) == CL_TRUE);
  EXPECT_EQ(features.contains("__opencl_c_subgroups"),
            deviceValue<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0);
  EXPECT_EQ(features.contains("__opencl_c_device_enqueue"),
            deviceValue<cl_device_device_enqueue_capabilities>(
                CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) != 0);
  const auto memory =
      deviceValue<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  EXPECT_EQ(features.contains("__opencl_c_atomic_scope_device"),
            (memory & CL_DEVICE_ATOMIC_SCOPE_DEVICE) != 0);
  EXPECT_EQ(features.contains("__opencl_c_atomic_order_acq_rel"),
            (memory & CL_DEVICE_ATOMIC_ORDER_ACQ_REL) != 0);
  EXPECT_EQ(features.contains("__opencl_c_atomic_order_seq_cst"),
            (memory & CL_DEVICE_ATOMIC_ORDER_SEQ_CST) != 0);
  EXPECT_EQ(features.contains("__opencl_c_atomic_scope_all_devices"),
            (memory & CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES) != 0);
  // What OpenCL 3.0 asks of every device.
  constexpr cl_device_atomic_capabilities kLeast =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  EXPECT_EQ(memory & kLeast, kLeast);
  const auto fence =
      deviceValue<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  EXPECT_EQ(fence & memory, memory);
}

TEST(Device, RootHasNoParent) {
  EXPECT_EQ(deviceValue<cl_device_id>(CL_DEVICE_PARENT_DEVICE), nullptr);
  EXPECT_EQ(infoList<cl_device_partition_property>(deviceInfo(CL_DEVICE_PARTITION_TYPE)),
            std::vector<cl_device_partition_property>{0});
}

TEST(Device, HasIdentifiersAndNoLuid) {
  EXPECT_NE(checkInfoRules(deviceInfo(CL_DEVICE_UUID_KHR)),
            checkInfoRules(deviceInfo(CL_DRIVER_UUID_KHR)));
  EXPECT_EQ(deviceValue<cl_bool>(CL_DEVICE_LUID_VALID_KHR), cl_bool{CL_FALSE});
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_PCI_BUS_INFO_KHR, 0, nullptr, nullptr),
            CL_INVALID_VALUE)
      << "processors are on no PCI bus";
}

TEST(Device, RootIsNotCounted) {
  EXPECT_EQ(clRetainDevice(device()), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device()), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(device()), CL_SUCCESS);
  EXPECT_EQ(deviceValue<cl_uint>(CL_DEVICE_REFERENCE_COUNT), 1u);
  EXPECT_EQ(clRetainDevice(nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clReleaseDevice(nullptr), CL_INVALID_DEVICE);
}

TEST(Device, TimersShareOneClock) {
  cl_ulong onDevice = 0, onHost = 0, later = 0;
  ASSERT_EQ(clGetDeviceAndHostTimer(device(), &onDevice, &onHost), CL_SUCCESS);
  ASSERT_EQ(clGetHostTimer(device(), &later), CL_SUCCESS);
  EXPECT_EQ(onDevice, onHost);
  EXPECT_LE(onHost, later);
  EXPECT_LT(later - onHost, 10'000'000'000u);
  EXPECT_EQ(clGetDeviceAndHostTimer(nullptr, &onDevice, &onHost), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetDeviceAndHostTimer(device(), nullptr, &onHost), CL_INVALID_VALUE);
  EXPECT_EQ(clGetDeviceAndHostTimer(device(), &onDevice, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetHostTimer(nullptr, &onHost), CL_INVALID_DEVICE);
  EXPECT_EQ(clGetHostTimer(device(), nullptr), CL_INVALID_VALUE);
}

}  // namespace
}  // namespace weft::test
