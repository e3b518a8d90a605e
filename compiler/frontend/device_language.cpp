// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/device_language.h"

#include <algorithm>
#include <string_view>

namespace weft::compiler {
namespace {

// Extensions and features whose macros Clang defines itself once they are switched on.
constexpr std::string_view kClangExtensions[] = {
#define OPENCL_EXTENSION(name, ...) #name,
#define OPENCL_COREFEATURE(name, ...) #name,
#define OPENCL_OPTIONALCOREFEATURE(name, ...) #name,
#define OPENCL_GENERIC_EXTENSION(name, ...) #name,
#include <clang/Basic/OpenCLExtensions.def>
};

// What a device must have before OpenCL C 2.0, where all of this is mandatory, can be offered.
constexpr std::string_view kNeededForC20[] = {
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_device_enqueue",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_work_group_collective_functions",
};

// What is part of OpenCL C 3.1, besides sub-groups of 3.0, which its devices have.
constexpr std::string_view kNeededForC31[] = {
    "__opencl_c_int64",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_subgroups",
    "cl_khr_extended_bit_ops",
    "cl_khr_integer_dot_product",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
};

// Extensions that became part of later versions are older than 2.0; the others of this list
// are defined by a version of the language that has the types they need.
constexpr std::string_view kNeedC20[] = {"cl_ext_float_atomics", "cl_khr_subgroup_",
                                         "cl_khr_work_group_uniform"};

// Features that belong to an extension are there wherever the extension is.
struct ExtensionFeatures {
  std::string_view prefix;
  std::string_view extension;
};
constexpr ExtensionFeatures kExtensionFeatures[] = {
    {"__opencl_c_ext_fp", "cl_ext_float_atomics"},
    {"__opencl_c_ext_image_raw10_raw12", "cl_ext_image_raw10_raw12"},
    {"__opencl_c_ext_image_unorm_int_2_101010", "cl_ext_image_unorm_int_2_101010"},
    {"__opencl_c_integer_dot_product_", "cl_khr_integer_dot_product"},
    {"__opencl_c_kernel_clock_", "cl_khr_kernel_clock"},
};

// A language of its own rather than an extension of one, so that it has no macro.
constexpr std::string_view kCxxExtension = "cl_ext_cxx_for_opencl";
// What C++ for OpenCL builds on; other things of OpenCL C 2.0 are functions and types that a
// program may do without.
constexpr std::string_view kNeededForCxx[] = {"__opencl_c_generic_address_space",
                                              "__opencl_c_program_scope_global_variables"};

bool isClangExtension(std::string_view name) {
  return std::ranges::find(kClangExtensions, name) != std::end(kClangExtensions);
}

bool isAtLeastC20(LanguageStandard standard) { return standard >= LanguageStandard::C20; }

bool hasFeatureMacros(LanguageStandard standard) {
  return standard == LanguageStandard::C30 || standard == LanguageStandard::C31 ||
         standard == LanguageStandard::Cxx2021;
}

bool visibleIn(std::string_view extension, LanguageStandard standard) {
  if (isAtLeastC20(standard)) return true;
  return std::ranges::none_of(kNeedC20,
                              [&](std::string_view p) { return extension.starts_with(p); });
}

bool featureVisibleIn(std::string_view feature, LanguageStandard standard) {
  for (const ExtensionFeatures& family : kExtensionFeatures)
    if (feature.starts_with(family.prefix)) return visibleIn(family.extension, standard);
  return hasFeatureMacros(standard);
}

}  // namespace

DeviceLanguage::DeviceLanguage(const CompilerOptions& options, std::string hostFeatures)
    : openClVersion_(options.openClVersion),
      extensions_(options.extensions),
      features_(options.features),
      hostFeatures_(std::move(hostFeatures)) {
  std::ranges::sort(extensions_);
  std::ranges::sort(features_);
  for (const auto* list : {&extensions_, &features_}) {
    for (const std::string& name : *list) fingerprint_ += name + ' ';
    fingerprint_ += ';';
  }
  fingerprint_ += hostFeatures_ + ';' + std::to_string(openClVersion_);
}

bool DeviceLanguage::has(std::string_view name) const {
  return std::ranges::find(features_, name) != features_.end() ||
         std::ranges::find(extensions_, name) != extensions_.end();
}

bool DeviceLanguage::takesSubGroupSizes() const { return has("cl_intel_required_subgroup_size"); }

std::string DeviceLanguage::clangStandard(LanguageStandard standard) {
  // Clang 19 knows no OpenCL C 3.1, which is 3.0 with functions that extensions have.
  return std::string(
      standardName(standard == LanguageStandard::C31 ? LanguageStandard::C30 : standard));
}

bool DeviceLanguage::hasIntelSubGroups() const { return has("cl_intel_subgroups"); }

bool DeviceLanguage::supports(LanguageStandard standard) const {
  switch (standard) {
    case LanguageStandard::Default:
    case LanguageStandard::C10:
    case LanguageStandard::C11:
    case LanguageStandard::C12:
    case LanguageStandard::C30:
      return true;
    case LanguageStandard::C31:
      return openClVersion_ >= 310 &&
             std::ranges::all_of(kNeededForC31, [&](std::string_view name) { return has(name); });
    case LanguageStandard::C20:
      return std::ranges::all_of(kNeededForC20, [&](std::string_view name) { return has(name); });
    case LanguageStandard::Cxx10:
    case LanguageStandard::Cxx2021:
      return has(kCxxExtension) &&
             std::ranges::all_of(kNeededForCxx, [&](std::string_view name) { return has(name); });
  }
  return false;
}

std::vector<std::string> DeviceLanguage::clangArguments(LanguageStandard standard) const {
  // Clang's header takes the target's own macros to mean that every extension is there.
  std::vector<std::string> arguments = {"-U__SPIR__", "-U__SPIR", "-U__SPIR64__", "-U__SPIR64"};
  std::string switches = "-cl-ext=-all";
  std::vector<std::string> defines = {"-D__OPENCL_VERSION__=" + std::to_string(openClVersion_)};
  // Every version of the language knows the names of all versions that the device knows.
  if (openClVersion_ >= 310) defines.emplace_back("-DCL_VERSION_3_1=310");
  if (standard == LanguageStandard::C31) {
    arguments.emplace_back("-U__OPENCL_C_VERSION__");
    defines.emplace_back("-D__OPENCL_C_VERSION__=310");
  }
  for (const std::string& name : extensions_) {
    if (isClangExtension(name)) {
      switches += ",+" + name;
    } else if (visibleIn(name, standard) && name != kCxxExtension) {
      defines.push_back("-D" + name + "=1");
    }
  }
  for (const std::string& name : features_) {
    if (isClangExtension(name)) {
      switches += ",+" + name;
    } else if (featureVisibleIn(name, standard)) {
      defines.push_back("-D" + name + "=1");
    }
  }
  // Clang defines this one in every version.
  if (!hasFeatureMacros(standard) || !has("__opencl_c_int64")) {
    arguments.push_back("-U__opencl_c_int64");
  }
  // The feature and the extension are two names of one thing, and Clang rejects half of it.
  if (has("cl_khr_fp64") && !has("__opencl_c_fp64")) switches += ",+__opencl_c_fp64";
  arguments.push_back(has("__opencl_c_images") ? "-D__IMAGE_SUPPORT__=1" : "-U__IMAGE_SUPPORT__");
  if (("," + hostFeatures_ + ",").find(",+fma,") != std::string::npos) {
    defines.push_back("-DFP_FAST_FMAF=1");
    if (has("cl_khr_fp64")) defines.push_back("-DFP_FAST_FMA=1");
  }
  arguments.push_back(std::move(switches));
  arguments.insert(arguments.end(), defines.begin(), defines.end());
  return arguments;
}

}  // namespace weft::compiler
