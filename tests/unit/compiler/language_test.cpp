// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

class LanguageTest : public ::testing::Test {
 protected:
  /// Whether a preprocessor condition holds under the given options.
  bool holds(const std::string& condition, const char* options = "") {
    const std::string source = "#if !(" + condition + ")\n#error condition fails\n#endif\n";
    auto result = compiler_->compile(source, options, {});
    return result.has_value();
  }

  CompilerOptions options_ = deviceOptions();
  std::unique_ptr<Compiler> compiler_ = createCompiler(options_);
};

TEST_F(LanguageTest, VersionMacrosFollowTheOption) {
  EXPECT_TRUE(holds("__OPENCL_C_VERSION__ == 120"));
  EXPECT_TRUE(holds("__OPENCL_C_VERSION__ == 100", "-cl-std=CL1.0"));
  EXPECT_TRUE(holds("__OPENCL_C_VERSION__ == 110", "-cl-std=CL1.1"));
  EXPECT_TRUE(holds("__OPENCL_C_VERSION__ == 300", "-cl-std=CL3.0"));
  for (const char* options : {"", "-cl-std=CL1.1", "-cl-std=CL3.0"}) {
    EXPECT_TRUE(holds("__OPENCL_VERSION__ == 300", options)) << options;
    EXPECT_TRUE(holds("__ENDIAN_LITTLE__ == 1", options)) << options;
    EXPECT_TRUE(holds("CL_VERSION_1_2 == 120 && CL_VERSION_3_0 == 300", options)) << options;
  }
}

TEST_F(LanguageTest, ExactlyTheDevicesExtensionsAreDefined) {
  for (const char* options : {"", "-cl-std=CL3.0"}) {
    for (const std::string& name : options_.extensions) {
      EXPECT_TRUE(holds("defined(" + name + ")", options)) << name << options;
    }
    for (const char* name :
         {"cl_khr_fp16", "cl_khr_subgroups", "cl_khr_3d_image_writes", "cl_khr_int64_base_atomics",
          "cl_intel_subgroups", "cl_khr_subgroup_ballot", "cl_ext_float_atomics",
          "cl_khr_kernel_clock", "cl_khr_integer_dot_product", "cl_khr_gl_msaa_sharing",
          "cl_amd_media_ops", "__SPIR__", "__SPIR64__", "__x86_64__", "__linux__",
          "__IMAGE_SUPPORT__"}) {
      EXPECT_FALSE(holds(std::string("defined(") + name + ")", options)) << name << options;
    }
  }
}

TEST_F(LanguageTest, FeatureMacrosOnlyInOpenClC3) {
  EXPECT_TRUE(holds("__opencl_c_fp64 && __opencl_c_int64", "-cl-std=CL3.0"));
  EXPECT_FALSE(holds("defined(__opencl_c_int64)", "-cl-std=CL1.2"));
  for (const char* name :
       {"__opencl_c_images", "__opencl_c_pipes", "__opencl_c_generic_address_space",
        "__opencl_c_device_enqueue", "__opencl_c_subgroups", "__opencl_c_atomic_scope_device",
        "__opencl_c_atomic_order_seq_cst", "__opencl_c_work_group_collective_functions",
        "__opencl_c_program_scope_global_variables", "__opencl_c_read_write_images"}) {
    EXPECT_FALSE(holds(std::string("defined(") + name + ")", "-cl-std=CL3.0")) << name;
  }
}

TEST_F(LanguageTest, DoubleIsAnErrorWithoutTheExtension) {
  const std::string source = "kernel void k(global double* p) { *p = 1.0; }\n";
  EXPECT_TRUE(compiler_->build(source, ""));
  CompilerOptions options = deviceOptions();
  options.extensions.clear();
  options.features.clear();
  const auto without = createCompiler(options);
  failureLog(without->build(source, ""), ErrorKind::SourceError);
  failureLog(without->build(source, "-cl-std=CL3.0"), ErrorKind::SourceError);
}

TEST_F(LanguageTest, TypesOfMissingFeaturesAreErrors) {
  failureLog(compiler_->build("kernel void k(image2d_t i) {}", "-cl-std=CL3.0"),
             ErrorKind::SourceError);
  failureLog(compiler_->build("kernel void k(global half* p) { *p = *p + *p; }", ""),
             ErrorKind::SourceError);
  failureLog(compiler_->build("global int x; kernel void k() {}", "-cl-std=CL3.0"),
             ErrorKind::SourceError);
}

TEST_F(LanguageTest, VersionsTheDeviceLacksAreBuildErrors) {
  const std::string log =
      failureLog(compiler_->build(kOneLine, "-cl-std=CL2.0"), ErrorKind::SourceError);
  EXPECT_NE(log.find("CL2.0"), std::string::npos);
  failureLog(compiler_->build(kOneLine, "-cl-std=CLC++2021"), ErrorKind::SourceError);
  CompilerOptions full = deviceOptions();
  full.features = {"__opencl_c_atomic_order_acq_rel",
                   "__opencl_c_atomic_order_seq_cst",
                   "__opencl_c_atomic_scope_device",
                   "__opencl_c_atomic_scope_all_devices",
                   "__opencl_c_device_enqueue",
                   "__opencl_c_generic_address_space",
                   "__opencl_c_images",
                   "__opencl_c_pipes",
                   "__opencl_c_fp64",
                   "__opencl_c_program_scope_global_variables",
                   "__opencl_c_read_write_images",
                   "__opencl_c_work_group_collective_functions"};
  EXPECT_TRUE(createCompiler(full)->compile(kOneLine, "-cl-std=CL2.0", {}));
}

TEST_F(LanguageTest, OpenClC31NeedsItsVersionAndWhatBecamePartOfIt) {
  failureLog(compiler_->build(kOneLine, "-cl-std=CL3.1"), ErrorKind::SourceError);
  CompilerOptions options = deviceOptions();
  options.openClVersion = 310;
  failureLog(createCompiler(options)->build(kOneLine, "-cl-std=CL3.1"), ErrorKind::SourceError);
  for (const char* feature :
       {"__opencl_c_subgroups", "__opencl_c_integer_dot_product_input_4x8bit_packed"})
    options.features.emplace_back(feature);
  for (const char* extension :
       {"cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_subgroup_extended_types",
        "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative"})
    options.extensions.emplace_back(extension);
  compiler_ = createCompiler(options);
  EXPECT_TRUE(compiler_->compile(kOneLine, "-cl-std=CL3.1", {}));
  EXPECT_TRUE(holds("__OPENCL_C_VERSION__ == 310 && CL_VERSION_3_1 == 310", "-cl-std=CL3.1"));
  EXPECT_TRUE(holds("__OPENCL_VERSION__ == 310 && __OPENCL_C_VERSION__ == 300", "-cl-std=CL3.0"));
  options.openClVersion = 300;
  compiler_ = createCompiler(options);
  EXPECT_FALSE(compiler_->compile(kOneLine, "-cl-std=CL3.1", {}));
  EXPECT_TRUE(holds("__OPENCL_VERSION__ == 300 && !defined(CL_VERSION_3_1)"));
}

TEST_F(LanguageTest, MathOptionsDefineTheirMacro) {
  EXPECT_TRUE(holds("__FAST_RELAXED_MATH__ == 1", "-cl-fast-relaxed-math"));
  EXPECT_FALSE(holds("defined(__FAST_RELAXED_MATH__)"));
}

TEST_F(LanguageTest, MacrosOfTheOptionsReachTheSource) {
  EXPECT_TRUE(holds("A == 3 && B == 1 && !defined(C)", "-D A=3 -DB -DC -UC"));
  const std::string source =
      "constant char text[] = TEXT; kernel void k(global char* o) "
      "{ *o = text[sizeof(TEXT) - 2]; }";
  EXPECT_TRUE(compiler_->build(source, "-DTEXT=\\\"a\\ b\\\""));
}

TEST_F(LanguageTest, KernelArgumentNamesComeOnlyOnRequest) {
  const char* source = "kernel void k(global const float* restrict input, int4 count) {}";
  const Ref<Program> plain = programOf(compiler_->build(source, ""));
  const Ref<Program> named = programOf(compiler_->build(source, "-cl-kernel-arg-info"));
  ASSERT_TRUE(plain && named);
  ASSERT_EQ(named->kernels()[0].arguments.size(), 2u);
  EXPECT_FALSE(plain->kernels()[0].hasArgumentNames);
  EXPECT_TRUE(named->kernels()[0].hasArgumentNames);
  EXPECT_EQ(named->kernels()[0].arguments[0].name, "input");
  EXPECT_EQ(named->kernels()[0].arguments[1].typeName, "int4");
  EXPECT_EQ(named->kernels()[0].arguments[1].size, 16u);
}

TEST_F(LanguageTest, KindsOfArgumentsComeFromTypes) {
  CompilerOptions options = deviceOptions();
  options.features.emplace_back("__opencl_c_images");
  const auto compiler = createCompiler(options);
  const Ref<Program> program = programOf(compiler->build(
      "typedef struct { float a, b; } image_params; typedef enum { A } image2d_kind;\n"
      "typedef struct { int x; } sampler_t2; typedef global float* image_pointer;\n"
      "typedef image2d_t picture; typedef sampler_t how;\n"
      "kernel void k(image_params p, image2d_kind e, image_pointer q, global image_params* r,\n"
      "              sampler_t2 s, read_only picture i, how h) {}",
      "-cl-kernel-arg-info"));
  ASSERT_TRUE(program);
  const ArgumentKind expected[] = {ArgumentKind::Value,         ArgumentKind::Value,
                                   ArgumentKind::GlobalPointer, ArgumentKind::GlobalPointer,
                                   ArgumentKind::Value,         ArgumentKind::Image,
                                   ArgumentKind::Sampler};
  const auto& arguments = program->kernels()[0].arguments;
  ASSERT_EQ(arguments.size(), std::size(expected));
  for (size_t i = 0; i < arguments.size(); ++i) EXPECT_EQ(arguments[i].kind, expected[i]) << i;
  EXPECT_EQ(arguments[0].size, 8u);
  EXPECT_EQ(arguments[1].size, 4u);
}

TEST_F(LanguageTest, ImageArgumentsHaveTheirTypeAndAccess) {
  CompilerOptions options = deviceOptions();
  options.features.emplace_back("__opencl_c_images");
  options.features.emplace_back("__opencl_c_read_write_images");
  options.features.emplace_back("__opencl_c_3d_image_writes");
  options.extensions.emplace_back("cl_khr_depth_images");
  options.extensions.emplace_back("cl_khr_3d_image_writes");
  const auto compiler = createCompiler(options);
  const char* source =
      "typedef read_only image2d_array_t pages;\n"
      "kernel void k(image1d_t a, write_only image1d_buffer_t b, read_only image1d_array_t c,\n"
      "              read_write image2d_t d, read_only image2d_depth_t e, pages f,\n"
      "              write_only image2d_array_depth_t g, write_only image3d_t h,\n"
      "              sampler_t s, global int* p) {}";
  const Ref<Program> object = programOf(compiler->compile(source, "-cl-std=CL3.0", {}));
  ASSERT_TRUE(object);
  const Ref<Program> parts[] = {object};
  using enum ImageType;
  const ImageType types[] = {Image1D,      Image1DBuffer,     Image1DArray, Image2D, Image2DDepth,
                             Image2DArray, Image2DArrayDepth, Image3D,      None,    None};
  using Access = AccessQualifier;
  const Access accesses[] = {Access::ReadOnly,  Access::WriteOnly, Access::ReadOnly,
                             Access::ReadWrite, Access::ReadOnly,  Access::ReadOnly,
                             Access::WriteOnly, Access::WriteOnly};
  for (const Ref<Program>& program : {programOf(compiler->build(source, "-cl-std=CL3.0")),
                                      programOf(compiler->link(parts, ""))}) {
    ASSERT_TRUE(program);
    const auto& arguments = program->kernels()[0].arguments;
    ASSERT_EQ(arguments.size(), std::size(types));
    for (size_t i = 0; i < arguments.size(); ++i) EXPECT_EQ(arguments[i].image, types[i]) << i;
    for (size_t i = 0; i < std::size(accesses); ++i)
      EXPECT_EQ(arguments[i].access, accesses[i]) << i;
  }
}

TEST_F(LanguageTest, LocalPointersAreAlignedAsWhatTheyPointTo) {
  const char* source =
      "typedef struct { char c; short s; } S; typedef float4 V;\n"
      "kernel void k(local char* a, local float4* b, local S* c, local V* d, local float3* e,\n"
      "              local uint (*f)[5], local double16* g, local void* h, local uchar2* i) {}";
  // Objects keep what is known of them until they are linked.
  const Ref<Program> object = programOf(compiler_->compile(source, "", {}));
  const Ref<Program> parts[] = {object};
  for (const Ref<Program>& program :
       {programOf(compiler_->build(source, "")), programOf(compiler_->link(parts, ""))}) {
    ASSERT_TRUE(program);
    const uint32_t expected[] = {1, 16, 2, 16, 16, 4, 128, 128, 2};
    const auto& arguments = program->kernels()[0].arguments;
    ASSERT_EQ(arguments.size(), std::size(expected));
    for (size_t i = 0; i < arguments.size(); ++i) {
      EXPECT_EQ(arguments[i].kind, ArgumentKind::LocalPointer);
      EXPECT_EQ(arguments[i].alignment, expected[i]) << i;
    }
  }
}

TEST_F(LanguageTest, EveryOptionBuilds) {
  const char* source = "kernel void k(global float* p) { *p = *p / 3.0f * p[1] + sqrt(p[2]); }";
  for (const char* options :
       {"-w", "-Werror", "-g", "-cl-opt-disable", "-cl-single-precision-constant",
        "-cl-denorms-are-zero", "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-strict-aliasing",
        "-cl-mad-enable", "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only", "-cl-fast-relaxed-math", "-cl-uniform-work-group-size",
        "-cl-no-subgroup-ifp", "-cl-kernel-arg-info", "-O0", "-O3", "-Wall"}) {
    const auto result = compiler_->build(source, options);
    EXPECT_TRUE(result) << options << ": " << result.error().log;
  }
  const Ref<Program> flushed = programOf(compiler_->build(source, "-cl-denorms-are-zero"));
  ASSERT_TRUE(flushed);
  EXPECT_TRUE(flushed->kernels()[0].denormsAreZero);
}

}  // namespace
}  // namespace weft::compiler::testing
