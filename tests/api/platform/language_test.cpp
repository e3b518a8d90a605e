// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/info_query.h"
#include "support/objects.h"

// What the device reports must be what its compiler shows to programs.

namespace weft::test {
namespace {

std::vector<cl_name_version> table(cl_device_info parameter) {
  return infoList<cl_name_version>([=](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device(), parameter, size, value, sizeRet);
  });
}

/// Builds `source`; gives the log of a build that failed, empty otherwise.
std::string buildLog(const std::string& source, const char* options) {
  const ContextHolder context = makeContext();
  const char* text = source.c_str();
  const ProgramHolder program(clCreateProgramWithSource(context, 1, &text, nullptr, nullptr));
  if (clBuildProgram(program, 0, nullptr, options, nullptr, nullptr) == CL_SUCCESS) return {};
  std::string log(16384, '\0');
  clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  return "build failed: " + std::string(log.c_str());
}

std::string mustBeDefined(const std::string& macro) {
  return "#ifndef " + macro + "\n#error " + macro + " is missing\n#endif\n";
}
std::string mustNotBeDefined(const std::string& macro) {
  return "#ifdef " + macro + "\n#error " + macro + " is defined\n#endif\n";
}

constexpr const char* kEmptyKernel = "kernel void k() {}\n";

/// Extensions that concern the host API or SPIR-V alone have no macro.
bool isHostOnly(const std::string& extension) {
  static const std::set<std::string> kNames = {"cl_ext_buffer_device_address",
                                               "cl_ext_cxx_for_opencl",
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
                                               "cl_khr_unified_svm"};
  return kNames.contains(extension);
}

/// Extensions of functions, or with types, of OpenCL C 2.0.
bool needsC20(const std::string& extension) {
  return extension == "cl_ext_float_atomics" || extension.starts_with("cl_khr_subgroup_") ||
         extension.starts_with("cl_khr_mipmap_image") || extension == "cl_khr_srgb_image_writes" ||
         extension == "cl_khr_work_group_uniform_arithmetic";
}

TEST(Language, ShowsEveryReportedFeature) {
  std::string source;
  for (const auto& row : table(CL_DEVICE_OPENCL_C_FEATURES)) source += mustBeDefined(row.name);
  EXPECT_EQ(buildLog(source + kEmptyKernel, "-cl-std=CL3.0"), "");
}

TEST(Language, ShowsEveryReportedExtension) {
  std::string source;
  for (const auto& row : table(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    if (!isHostOnly(row.name) && !needsC20(row.name)) source += mustBeDefined(row.name);
  EXPECT_EQ(buildLog(source + kEmptyKernel, "-cl-std=CL1.2"), "");
  for (const auto& row : table(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    if (needsC20(row.name)) source += mustBeDefined(row.name);
  EXPECT_EQ(buildLog(source + kEmptyKernel, "-cl-std=CL3.0"), "");
}

TEST(Language, HidesWhatIsNotReported) {
  std::string all;
  for (const auto& row : table(CL_DEVICE_OPENCL_C_FEATURES)) all += std::string(row.name) + " ";
  for (const auto& row : table(CL_DEVICE_EXTENSIONS_WITH_VERSION))
    all += std::string(row.name) + " ";
  std::string source;
  for (const char* name :
       {"__opencl_c_images", "__opencl_c_pipes", "__opencl_c_generic_address_space",
        "__opencl_c_subgroups", "__opencl_c_device_enqueue",
        "__opencl_c_program_scope_global_variables", "__opencl_c_work_group_collective_functions",
        "__opencl_c_read_write_images", "__opencl_c_3d_image_writes", "cl_khr_fp16",
        "cl_khr_subgroups", "cl_khr_3d_image_writes", "cl_khr_depth_images", "cl_khr_gl_sharing",
        "cl_intel_subgroups", "cl_ext_float_atomics", "cl_khr_kernel_clock",
        "cl_khr_integer_dot_product"})
    if (all.find(std::string(name) + " ") == std::string::npos) source += mustNotBeDefined(name);
  if (all.find("__opencl_c_images ") == std::string::npos)
    source += mustNotBeDefined("__IMAGE_SUPPORT__");
  EXPECT_EQ(buildLog(source + kEmptyKernel, "-cl-std=CL3.0"), "");
}

TEST(Language, TakesEveryReportedVersion) {
  for (const auto& row : table(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    const unsigned major = CL_VERSION_MAJOR(row.version);
    const unsigned minor = CL_VERSION_MINOR(row.version);
    const std::string option = "-cl-std=CL" + std::to_string(major) + "." + std::to_string(minor);
    const std::string macro = std::to_string(100 * major + 10 * minor);
    EXPECT_EQ(buildLog("#if __OPENCL_C_VERSION__ != " + macro + "\n#error version\n#endif\n" +
                           kEmptyKernel,
                       option.c_str()),
              "")
        << option;
  }
}

// All that this version has, and others need not have, at once.
TEST(Language, TakesWhatOpenClC20Promises) {
  const std::string source = R"(
    global int counter = 3;
    constant sampler_t nearest = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void k(read_write image2d_t image, read_only image3d_t volume, write_only image2d_t out,
                  read_only pipe int packets, queue_t queue, global int* result) {
      int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1));
      write_imagef(image, at, read_imagef(image, at) + read_imagef(volume, nearest, (int4)(0)));
      write_imagef(out, at, (float4)(0));
      int packet = 0, *generic_one = &packet;
      read_pipe(packets, &packet);
      work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      result[0] = work_group_reduce_add(*generic_one) + counter;
      atomic_fetch_add_explicit((global atomic_int*)result, 1, memory_order_relaxed);
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ result[1] = 1; });
    })";
  EXPECT_EQ(buildLog(source, "-cl-std=CL2.0"), "");
}

// What the compiler lowers by name, with prototypes that it does not expect.
TEST(Language, NamesOfTheLibraryAreNotThePrograms) {
  for (const std::string name :
       {"__weft_collective_reduce_32", "weft_collective_reduce_32", "weft_collective",
        "__weft_numbered_collective_scan_64", "__weft_barrier", "__weft_numbered_barrier"}) {
    const std::string use =
        "(uint); kernel void k(global uint* o) { o[0] = (uint)" + name + "(1); }";
    const std::string log = buildLog("ulong " + name + use, "-cl-std=CL3.0");
    EXPECT_NE(log.find("a name of the library's"), std::string::npos) << name << ": " << log;
    const std::string own = "ulong " + name +
                            "(uint x) { return x; } kernel void k(global uint* o) "
                            "{ o[0] = (uint)" +
                            name + "(1); }";
    EXPECT_EQ(buildLog(own, "-cl-std=CL3.0"), "") << name;
  }
}

TEST(Language, LocalMemoryLimitIsEnforced) {
  cl_ulong local = 0;
  clGetDeviceInfo(device(), CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, nullptr);
  const auto kernel = [](cl_ulong bytes) {
    return "kernel void k(global char* out, int i) { local char a[" + std::to_string(bytes) +
           "]; a[i] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[0] = a[i + 1]; }";
  };
  EXPECT_EQ(buildLog(kernel(local), ""), "");
  EXPECT_NE(buildLog(kernel(local + 1), ""), "");
}

}  // namespace
}  // namespace weft::test
