// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "world.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "support/cpu_level.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

constexpr uint64_t kMaxLocalBytes = 64 * 1024;
constexpr uint64_t kMaxGlobalVariableBytes = 1 << 20;
constexpr uint64_t kMaxWorkGroupSize = 4096;
/// Programs that are kept in case another test has the same source. Linux gives a process 65,530
/// mappings by default, and each variant of each kernel takes two.
constexpr size_t kMostPrograms = 500;

}  // namespace

World& World::instance() {
  static World world;
  return world;
}

runtime::Executor& World::executor(unsigned workers) {
  std::unique_ptr<runtime::Executor>& executor = executors_[workers];
  if (!executor) {
    executor = runtime::createExecutor({.workers = workers,
                                        .cpus = {},
                                        .maxLocalBytes = kMaxLocalBytes,
                                        .maxWorkGroupSize = kMaxWorkGroupSize});
  }
  return *executor;
}

compiler::Compiler& World::compiler(Inlining inlining) {
  std::unique_ptr<compiler::Compiler>& made = compilers_[static_cast<size_t>(inlining)];
  if (!made) {
    compiler::CompilerOptions options;
    if (inlining == Inlining::Least) options.inlineBudget = 1;
    options.services = executor(1).services();
    options.subGroupSize = kSubGroupSize;
    options.maxLocalBytes = kMaxLocalBytes;
    options.cacheEnabled = false;
    if (const char* folder = std::getenv("WEFT_TEST_DUMP_IR")) options.dumpDirectory = folder;
    options.cpu = cpuLevelOfEnvironment();
    options.passes = passes_;
    if (std::getenv("WEFT_TEST_QUICK")) options.tiers = compiler::Tiers::Quick;
    options.maxGlobalVariableBytes = kMaxGlobalVariableBytes;
    options.extensions = {"cl_ext_cxx_for_opencl",
                          "cl_ext_float_atomics",
                          "cl_ext_image_raw10_raw12",
                          "cl_khr_3d_image_writes",
                          "cl_khr_async_work_group_copy_fence",
                          "cl_khr_byte_addressable_store",
                          "cl_khr_depth_images",
                          "cl_khr_expect_assume",
                          "cl_khr_extended_async_copies",
                          "cl_khr_extended_bit_ops",
                          "cl_khr_fp16",
                          "cl_khr_fp64",
                          "cl_khr_global_int32_base_atomics",
                          "cl_khr_global_int32_extended_atomics",
                          "cl_khr_int64_base_atomics",
                          "cl_khr_int64_extended_atomics",
                          "cl_khr_integer_dot_product",
                          "cl_khr_kernel_clock",
                          "cl_khr_local_int32_base_atomics",
                          "cl_khr_local_int32_extended_atomics",
                          "cl_khr_mipmap_image",
                          "cl_khr_mipmap_image_writes",
                          "cl_khr_srgb_image_writes",
                          "cl_intel_required_subgroup_size",
                          "cl_intel_subgroup_local_block_io",
                          "cl_intel_subgroups",
                          "cl_intel_subgroups_char",
                          "cl_intel_subgroups_long",
                          "cl_intel_subgroups_short",
                          "cl_khr_subgroup_ballot",
                          "cl_khr_subgroup_clustered_reduce",
                          "cl_khr_subgroup_extended_types",
                          "cl_khr_subgroup_non_uniform_arithmetic",
                          "cl_khr_subgroup_non_uniform_vote",
                          "cl_khr_subgroup_rotate",
                          "cl_khr_subgroup_shuffle",
                          "cl_khr_subgroup_shuffle_relative",
                          "cl_khr_work_group_uniform_arithmetic"};
    options.features = {"__opencl_c_3d_image_writes",
                        "__opencl_c_atomic_order_acq_rel",
                        "__opencl_c_atomic_order_seq_cst",
                        "__opencl_c_atomic_scope_all_devices",
                        "__opencl_c_atomic_scope_device",
                        "__opencl_c_ext_fp16_global_atomic_add",
                        "__opencl_c_ext_fp16_global_atomic_load_store",
                        "__opencl_c_ext_fp16_global_atomic_min_max",
                        "__opencl_c_ext_fp16_local_atomic_add",
                        "__opencl_c_ext_fp16_local_atomic_load_store",
                        "__opencl_c_ext_fp16_local_atomic_min_max",
                        "__opencl_c_ext_fp32_global_atomic_add",
                        "__opencl_c_ext_fp32_global_atomic_min_max",
                        "__opencl_c_ext_fp32_local_atomic_add",
                        "__opencl_c_ext_fp32_local_atomic_min_max",
                        "__opencl_c_ext_fp64_global_atomic_add",
                        "__opencl_c_ext_fp64_global_atomic_min_max",
                        "__opencl_c_ext_fp64_local_atomic_add",
                        "__opencl_c_ext_fp64_local_atomic_min_max",
                        "__opencl_c_fp64",
                        "__opencl_c_generic_address_space",
                        "__opencl_c_images",
                        "__opencl_c_int64",
                        "__opencl_c_integer_dot_product_input_4x8bit",
                        "__opencl_c_integer_dot_product_input_4x8bit_packed",
                        "__opencl_c_kernel_clock_scope_device",
                        "__opencl_c_kernel_clock_scope_sub_group",
                        "__opencl_c_kernel_clock_scope_work_group",
                        "__opencl_c_pipes",
                        "__opencl_c_program_scope_global_variables",
                        "__opencl_c_read_write_images",
                        "__opencl_c_subgroups",
                        "__opencl_c_work_group_collective_functions"};
    made = compiler::createCompiler(std::move(options));
  }
  return *made;
}

Program World::build(std::string_view source, std::string_view options, Inlining inlining) {
  auto key = std::tuple(std::string(source), std::string(options), inlining);
  if (auto known = programs_.find(key); known != programs_.end()) return known->second;
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  if (std::exchange(test_, test) != test && programs_.size() >= kMostPrograms) dropPrograms();
  auto built = buildFrom(source, options, inlining);
  if (!built) {
    ADD_FAILURE() << "build failed:\n" << built.error().log;
    return nullptr;
  }
  return programs_.emplace(std::move(key), std::move(built->program)).first->second;
}

compiler::Result<compiler::BuildOutput> World::buildFrom(std::string_view source,
                                                         std::string_view options,
                                                         Inlining inlining) {
  if (std::getenv("WEFT_TEST_SPIRV")) {
    const auto words = translate(source, options);
    std::cout << (words ? "[ SPIR-V   ]\n" : "[ source   ] not translated\n");
    if (words) return compiler(inlining).buildIl({*words, {}}, options);
  }
  return compiler(inlining).build(source, options);
}

void World::dropPrograms() {
  products_.clear();
  inputs_.clear();
  programs_.clear();
}

const BuildInput* World::inputOf(const Program& program) {
  const auto known = std::ranges::find_if(
      programs_, [&](const auto& entry) { return entry.second.get() == program.get(); });
  if (known == programs_.end()) return nullptr;
  const auto& [source, options, inlining] = known->first;
  return &inputs_.try_emplace(program.get(), source, options).first->second;
}

product::Program* World::product(const Program& program) {
  std::shared_ptr<product::Program>& made = products_[program.get()];
  if (made) return made.get();
  const BuildInput* input = inputOf(program);
  std::string log;
  made = product::Program::build(input->source, input->options, log);
  if (!made) ADD_FAILURE() << "the library does not build it:\n" << log;
  return made.get();
}

bool buildsFromSource() { return std::getenv("WEFT_TEST_SPIRV") == nullptr; }

Program build(std::string_view source, std::string_view options, Inlining inlining) {
  return World::instance().build(source, options, inlining);
}

Program buildIl(const compiler::IlModule& il, std::string_view options) {
  auto built = World::instance().compiler().buildIl(il, options);
  if (built) return std::move(built->program);
  ADD_FAILURE() << "build failed:\n" << built.error().log;
  return nullptr;
}

compiler::Result<compiler::BuildOutput> tryBuild(std::string_view source, std::string_view options,
                                                 Inlining inlining) {
  return World::instance().compiler(inlining).build(source, options);
}

void controlPasses(compiler::PassControl& control) { World::instance().control(control); }

compiler::Compiler& compilerUnderTest() { return World::instance().compiler(); }

const BuildInput* inputOf(const Program& program) { return World::instance().inputOf(program); }

const compiler::KernelInfo* kernelInfo(const Program& program, std::string_view kernel) {
  if (!program) return nullptr;
  for (const compiler::KernelInfo& info : program->kernels())
    if (info.name == kernel) return &info;
  ADD_FAILURE() << "the program has no kernel " << kernel;
  return nullptr;
}

}  // namespace weft::test
