// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/versions.h"

#include <algorithm>
#include <array>

#include "config/config.h"
#include "platform/image_support.h"
#include "weft/compiler/binary_tag.h"
#include "weft/khr/command_buffer.h"
#include "weft/khr/external_memory.h"
#include "weft/khr/unified_svm.h"

namespace weft {
namespace {

constexpr cl_name_version row(cl_version version, std::string_view name) {
  cl_name_version result{};
  result.version = version;
  for (size_t i = 0; i < name.size(); ++i) result.name[i] = name[i];
  return result;
}

constexpr cl_version kOne = CL_MAKE_VERSION(1, 0, 0);

/// The platform's own extensions come first, then those of the device: the specification wants
/// every extension that all devices have in the platform's list too.
constexpr std::array kPlainExtensions{
    row(kOne, "cl_khr_icd"),
    row(CL_MAKE_VERSION(1, 0, 2), "cl_ext_buffer_device_address"),
    row(kOne, "cl_ext_cxx_for_opencl"),
    row(kOne, "cl_ext_float_atomics"),
    row(kOne, "cl_ext_immutable_memory_objects"),
    row(kOne, "cl_khr_async_work_group_copy_fence"),
    row(kOne, "cl_intel_required_subgroup_size"),
    row(kOne, "cl_intel_subgroup_local_block_io"),
    row(kOne, "cl_intel_subgroups"),
    row(kOne, "cl_intel_subgroups_char"),
    row(kOne, "cl_intel_subgroups_long"),
    row(kOne, "cl_intel_subgroups_short"),
    row(CL_MAKE_VERSION(1, 2, 0), "cl_intel_unified_shared_memory"),
    row(kOne, "cl_khr_byte_addressable_store"),
    row(khr::kCommandBufferVersion, "cl_khr_command_buffer"),
    row(khr::kMutableDispatchVersion, "cl_khr_command_buffer_mutable_dispatch"),
    row(kOne, "cl_khr_create_command_queue"),
    row(kOne, "cl_khr_device_uuid"),
    row(kOne, "cl_khr_expect_assume"),
    row(kOne, "cl_khr_extended_async_copies"),
    row(kOne, "cl_khr_extended_bit_ops"),
    row(kOne, "cl_khr_extended_versioning"),
    row(khr::kExternalMemoryVersion, "cl_khr_external_memory"),
    row(kOne, "cl_khr_external_memory_dma_buf"),
    row(kOne, "cl_khr_fp16"),
    row(kOne, "cl_khr_fp64"),
    row(kOne, "cl_khr_global_int32_base_atomics"),
    row(kOne, "cl_khr_global_int32_extended_atomics"),
    row(kOne, "cl_khr_initialize_memory"),
    row(CL_MAKE_VERSION(2, 0, 0), "cl_khr_integer_dot_product"),
    row(kOne, "cl_khr_int64_base_atomics"),
    row(kOne, "cl_khr_int64_extended_atomics"),
    row(kOne, "cl_khr_kernel_clock"),
    row(kOne, "cl_khr_local_int32_base_atomics"),
    row(kOne, "cl_khr_local_int32_extended_atomics"),
    row(kOne, "cl_khr_priority_hints"),
    row(CL_MAKE_VERSION(1, 0, 1), "cl_khr_semaphore"),
    row(kOne, "cl_khr_subgroup_ballot"),
    row(kOne, "cl_khr_subgroup_clustered_reduce"),
    row(kOne, "cl_khr_subgroup_extended_types"),
    row(kOne, "cl_khr_subgroup_non_uniform_arithmetic"),
    row(kOne, "cl_khr_subgroup_non_uniform_vote"),
    row(kOne, "cl_khr_subgroup_rotate"),
    row(kOne, "cl_khr_subgroup_shuffle"),
    row(kOne, "cl_khr_subgroup_shuffle_relative"),
    row(kOne, "cl_khr_suggested_local_work_size"),
    row(kOne, "cl_khr_terminate_context"),
    row(kOne, "cl_khr_throttle_hints"),
    row(khr::kUnifiedSvmVersion, "cl_khr_unified_svm"),
    row(kOne, "cl_khr_work_group_uniform_arithmetic"),
};
constexpr size_t kPlatformOnly = 1;

constexpr std::array kImageExtensions{
    row(kOne, "cl_ext_image_from_buffer"),
    row(kOne, "cl_ext_image_raw10_raw12"),
    row(CL_MAKE_VERSION(0, 5, 0), "cl_ext_image_requirements_info"),
    row(kOne, "cl_ext_image_unorm_int_2_101010"),
    row(kOne, "cl_khr_3d_image_writes"),
    row(kOne, "cl_khr_depth_images"),
    row(kOne, "cl_khr_image2d_from_buffer"),
    row(kOne, "cl_khr_mipmap_image"),
    row(kOne, "cl_khr_mipmap_image_writes"),
    row(kOne, "cl_khr_srgb_image_writes"),
};

/// `plain`, and `images` too where the device reports them; what follows the first `fixed` rows is
/// in alphabetical order.
template <size_t kPlain, size_t kImages>
constexpr auto withImages(const std::array<cl_name_version, kPlain>& plain,
                          const std::array<cl_name_version, kImages>& images, size_t fixed) {
  std::array<cl_name_version, kPlain + (kReportsImages ? kImages : 0)> all{};
  std::copy(plain.begin(), plain.end(), all.begin());
  if constexpr (kReportsImages) std::copy(images.begin(), images.end(), all.begin() + kPlain);
  std::sort(all.begin() + fixed, all.end(), [](const auto& a, const auto& b) {
    return std::string_view(a.name) < std::string_view(b.name);
  });
  return all;
}
constexpr auto kExtensions = withImages(kPlainExtensions, kImageExtensions, kPlatformOnly);
/// The same where the device takes SPIR-V.
constexpr auto kExtensionsWithIl = [] {
  constexpr std::array kMore{
      row(kOne, "cl_khr_il_program"),         row(kOne, "cl_khr_spirv_extended_debug_info"),
      row(kOne, "cl_khr_spirv_linkonce_odr"), row(kOne, "cl_khr_spirv_no_integer_wrap_decoration"),
      row(kOne, "cl_khr_spirv_queries"),
  };
  std::array<cl_name_version, kExtensions.size() + kMore.size()> all{};
  std::copy(kExtensions.begin(), kExtensions.end(), all.begin());
  std::copy(kMore.begin(), kMore.end(), all.begin() + kExtensions.size());
  std::sort(all.begin() + kPlatformOnly, all.end(), [](const auto& a, const auto& b) {
    return std::string_view(a.name) < std::string_view(b.name);
  });
  return all;
}();

/// Extensions of the host API, which the language does not show.
constexpr std::string_view kHostExtensions[] = {
    "cl_ext_buffer_device_address",
    "cl_ext_image_from_buffer",
    "cl_ext_image_requirements_info",
    "cl_ext_immutable_memory_objects",
    "cl_intel_unified_shared_memory",
    "cl_khr_command_buffer",
    "cl_khr_command_buffer_mutable_dispatch",
    "cl_khr_create_command_queue",
    "cl_khr_device_uuid",
    "cl_khr_extended_versioning",
    "cl_khr_external_memory",
    "cl_khr_external_memory_dma_buf",
    "cl_khr_il_program",
    "cl_khr_image2d_from_buffer",
    "cl_khr_initialize_memory",
    "cl_khr_priority_hints",
    "cl_khr_semaphore",
    "cl_khr_spirv_extended_debug_info",
    "cl_khr_spirv_linkonce_odr",
    "cl_khr_spirv_no_integer_wrap_decoration",
    "cl_khr_spirv_queries",
    "cl_khr_suggested_local_work_size",
    "cl_khr_terminate_context",
    "cl_khr_throttle_hints",
    "cl_khr_unified_svm",
};

/// The newest first, as programs that take the first that they know expect.
constexpr std::array kIlVersions{
    row(CL_MAKE_VERSION(1, 6, 0), "SPIR-V"), row(CL_MAKE_VERSION(1, 5, 0), "SPIR-V"),
    row(CL_MAKE_VERSION(1, 4, 0), "SPIR-V"), row(CL_MAKE_VERSION(1, 3, 0), "SPIR-V"),
    row(CL_MAKE_VERSION(1, 2, 0), "SPIR-V"), row(CL_MAKE_VERSION(1, 1, 0), "SPIR-V"),
    row(CL_MAKE_VERSION(1, 0, 0), "SPIR-V"),
};

constexpr std::array kAllLanguageVersions{
    row(CL_MAKE_VERSION(3, 1, 0), "OpenCL C"), row(CL_MAKE_VERSION(1, 0, 0), "OpenCL C"),
    row(CL_MAKE_VERSION(1, 1, 0), "OpenCL C"), row(CL_MAKE_VERSION(1, 2, 0), "OpenCL C"),
    row(CL_MAKE_VERSION(3, 0, 0), "OpenCL C"), row(CL_MAKE_VERSION(2, 0, 0), "OpenCL C"),
};
/// The first one comes with OpenCL 3.1, the last one promises images.
constexpr std::span kLanguageVersions =
    std::span(kAllLanguageVersions).first(kAllLanguageVersions.size() - (kReportsImages ? 0 : 1));

constexpr std::array kPlainFeatures{
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_order_acq_rel"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_order_seq_cst"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_scope_all_devices"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_scope_device"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_device_enqueue"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_global_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_global_atomic_load_store"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_global_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_local_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_local_atomic_load_store"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp16_local_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp32_global_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp32_global_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp32_local_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp32_local_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp64_global_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp64_global_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp64_local_atomic_add"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_fp64_local_atomic_min_max"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_fp64"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_generic_address_space"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_int64"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_integer_dot_product_input_4x8bit"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_integer_dot_product_input_4x8bit_packed"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_kernel_clock_scope_device"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_kernel_clock_scope_sub_group"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_kernel_clock_scope_work_group"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_pipes"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_program_scope_global_variables"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_subgroups"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_work_group_collective_functions"),
};
constexpr std::array kImageFeatures{
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_3d_image_writes"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_image_raw10_raw12"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_ext_image_unorm_int_2_101010"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_images"),
    row(CL_MAKE_VERSION(3, 0, 0), "__opencl_c_read_write_images"),
};
constexpr auto kFeatures = withImages(kPlainFeatures, kImageFeatures, 0);

}  // namespace

std::string_view libraryVersion() noexcept { return WEFT_VERSION; }

std::string driverVersion() {
  return std::string(libraryVersion()) + "-" + compiler::binaryTag(config().cpu);
}

cl_version openClVersion() noexcept {
  const bool isNewer = config().openCl == OpenClChoice::V31 && takesIl();
  return CL_MAKE_VERSION(3, isNewer ? 1 : 0, 0);
}

const std::string& versionText() {
  static const std::string* const text =
      new std::string("OpenCL 3." + std::to_string(CL_VERSION_MINOR(openClVersion())) + " Weft " +
                      std::string(libraryVersion()));
  return *text;
}

std::span<const cl_name_version> platformExtensions() noexcept {
  if (takesIl()) return kExtensionsWithIl;
  return kExtensions;
}

std::span<const cl_name_version> deviceExtensions() noexcept {
  return platformExtensions().subspan(kPlatformOnly);
}

bool takesIl() noexcept { return config().spirv; }

std::span<const cl_name_version> ilVersions() noexcept {
  if (!takesIl()) return {};
  return kIlVersions;
}

std::span<const cl_name_version> languageVersions() noexcept {
  return kLanguageVersions.subspan(CL_VERSION_MINOR(openClVersion()) == 0 ? 1 : 0);
}

std::span<const cl_name_version> languageFeatures() noexcept { return kFeatures; }

std::string joinNames(std::span<const cl_name_version> table) {
  std::string names;
  for (const cl_name_version& entry : table) {
    if (!names.empty()) names += ' ';
    names += entry.name;
  }
  return names;
}

std::vector<std::string> extensionMacros() {
  std::vector<std::string> names;
  for (const cl_name_version& entry : deviceExtensions()) {
    bool hostOnly = false;
    for (std::string_view name : kHostExtensions) hostOnly |= name == entry.name;
    if (!hostOnly) names.emplace_back(entry.name);
  }
  return names;
}

std::vector<std::string> featureMacros() {
  std::vector<std::string> names;
  for (const cl_name_version& entry : languageFeatures()) names.emplace_back(entry.name);
  return names;
}

}  // namespace weft
