// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs and kernels in a context of two devices, which are parts of one: what is built, told
// and launched for each of them.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/extensions.h"
#include "support/info_query.h"
#include "support/programs.h"

namespace weft::test {
namespace {

using DeviceHolder = Holder<cl_device_id, clReleaseDevice>;
using Binary = std::vector<unsigned char>;

cl_uint units(cl_device_id device) {
  return infoValue<cl_uint>([=](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, size, value, sizeRet);
  });
}

class SeveralDevices : public testing::Test {
 protected:
  void SetUp() override {
    if (units(root_) < 2) GTEST_SKIP() << "there is one compute unit";
    const cl_device_partition_property list[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
    ASSERT_EQ(clCreateSubDevices(root_, list, 2, parts_, nullptr), CL_SUCCESS);
    for (int i = 0; i < 2; ++i) holders_[i] = DeviceHolder(parts_[i]);
    context_ = contextOf({parts_[0], parts_[1]});
    for (int i = 0; i < 2; ++i) queues_[i] = queueOn(context_, parts_[i]);
  }

  static ContextHolder contextOf(const std::vector<cl_device_id>& devices) {
    cl_int error = CL_INVALID_VALUE;
    ContextHolder context(clCreateContext(nullptr, static_cast<cl_uint>(devices.size()),
                                          devices.data(), nullptr, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return context;
  }
  static QueueHolder queueOn(cl_context context, cl_device_id on) {
    cl_int error = CL_INVALID_VALUE;
    QueueHolder queue(clCreateCommandQueueWithProperties(context, on, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return queue;
  }
  cl_int build(cl_program program, int part, const char* options) {
    return clBuildProgram(program, 1, &parts_[part], options, nullptr, nullptr);
  }
  static InfoCall programInfo(cl_program program, cl_program_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramInfo(program, parameter, size, value, sizeRet);
    };
  }
  InfoCall buildInfo(cl_program program, int part, cl_program_build_info parameter) {
    return [=, this](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramBuildInfo(program, parts_[part], parameter, size, value, sizeRet);
    };
  }
  cl_build_status statusOn(cl_program program, int part) {
    return infoValue<cl_build_status>(buildInfo(program, part, CL_PROGRAM_BUILD_STATUS));
  }
  std::string textOn(cl_program program, int part, cl_program_build_info parameter) {
    return infoText(buildInfo(program, part, parameter));
  }
  static std::vector<Binary> binariesOf(cl_program program) {
    std::vector<Binary> binaries;
    std::vector<unsigned char*> targets;
    for (const size_t size : infoList<size_t>(programInfo(program, CL_PROGRAM_BINARY_SIZES)))
      binaries.emplace_back(size);
    for (Binary& binary : binaries) targets.push_back(binary.empty() ? nullptr : binary.data());
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, targets.size() * sizeof targets[0],
                               targets.data(), nullptr),
              CL_SUCCESS);
    return binaries;
  }
  static ProgramHolder load(cl_context context, const std::vector<cl_device_id>& devices,
                            const std::vector<Binary>& binaries, cl_int* status, cl_int* error) {
    std::vector<size_t> lengths;
    std::vector<const unsigned char*> data;
    for (const Binary& binary : binaries) {
      lengths.push_back(binary.size());
      data.push_back(binary.data());
    }
    return ProgramHolder(clCreateProgramWithBinary(context, static_cast<cl_uint>(devices.size()),
                                                   devices.data(), lengths.data(), data.data(),
                                                   status, error));
  }
  static cl_int launch(cl_command_queue queue, cl_kernel kernel, size_t items = 1) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr);
  }
  /// What "k", whose only argument is where it writes an int, writes on a device.
  static int result(cl_context context, cl_command_queue queue, cl_program program) {
    const KernelHolder kernel = makeKernel(program, "k");
    const MemoryHolder out = makeBuffer(context, std::vector<int>{-1});
    setBuffer(kernel, 0, out);
    EXPECT_EQ(launch(queue, kernel), CL_SUCCESS);
    return readBuffer<int>(queue, out, 1)[0];
  }

  const cl_device_id root_ = device();
  cl_device_id parts_[2] = {};
  DeviceHolder holders_[2];
  ContextHolder context_;
  QueueHolder queues_[2];
};

const char* const kValue = "kernel void k(global int* out) { out[0] = VALUE; }";

TEST_F(SeveralDevices, EachHasItsOwnBuild) {
  const ProgramHolder program = makeProgram(context_, kValue);
  ASSERT_EQ(build(program, 0, "-DVALUE=1"), CL_SUCCESS);
  EXPECT_EQ(statusOn(program, 0), CL_BUILD_SUCCESS);
  EXPECT_EQ(statusOn(program, 1), CL_BUILD_NONE);
  EXPECT_EQ(textOn(program, 1, CL_PROGRAM_BUILD_OPTIONS), "");
  ASSERT_EQ(build(program, 1, "-DVALUE=2"), CL_SUCCESS);
  EXPECT_EQ(textOn(program, 0, CL_PROGRAM_BUILD_OPTIONS), "-DVALUE=1");
  EXPECT_EQ(textOn(program, 1, CL_PROGRAM_BUILD_OPTIONS), "-DVALUE=2");
  for (int part = 0; part < 2; ++part)
    EXPECT_EQ(result(context_, queues_[part], program), part + 1);
  ASSERT_EQ(clBuildProgram(program, 2, parts_, "-DVALUE=3", nullptr, nullptr), CL_SUCCESS);
  for (const QueueHolder& queue : queues_) EXPECT_EQ(result(context_, queue, program), 3);
  EXPECT_EQ(clBuildProgram(program, 1, &root_, "-DVALUE=4", nullptr, nullptr), CL_INVALID_DEVICE)
      << "the whole is not in the context";
  const cl_device_id some[] = {parts_[0], nullptr};
  EXPECT_EQ(clBuildProgram(program, 2, some, "-DVALUE=4", nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(result(context_, queues_[0], program), 3);
}

TEST_F(SeveralDevices, AFailureIsThatOfItsDevice) {
  const ProgramHolder program = makeProgram(context_, kValue);
  ASSERT_EQ(build(program, 0, "-DVALUE=1"), CL_SUCCESS);
  ASSERT_EQ(build(program, 1, "-DVALUE=wrong"), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(statusOn(program, 0), CL_BUILD_SUCCESS);
  EXPECT_EQ(statusOn(program, 1), CL_BUILD_ERROR);
  EXPECT_EQ(textOn(program, 0, CL_PROGRAM_BUILD_LOG), "");
  EXPECT_NE(textOn(program, 1, CL_PROGRAM_BUILD_LOG).find("wrong"), std::string::npos);
  EXPECT_EQ(infoValue<cl_program_binary_type>(buildInfo(program, 1, CL_PROGRAM_BINARY_TYPE)),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_NONE});
  EXPECT_EQ(result(context_, queues_[0], program), 1);

  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder out = makeBuffer(context_, std::vector<int>{0});
  setBuffer(kernel, 0, out);
  EXPECT_EQ(launch(queues_[1], kernel), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_EQ(clEnqueueTask(queues_[1], kernel, 0, nullptr, nullptr), CL_INVALID_PROGRAM_EXECUTABLE);
  const auto suggest = extensionFunction<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      "clGetKernelSuggestedLocalWorkSizeKHR");
  const size_t global = 1;
  size_t local = 0;
  EXPECT_EQ(suggest(queues_[1], kernel, 1, nullptr, &global, &local),
            CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(SeveralDevices, KernelsMustBeTheSameOnAll) {
  const ProgramHolder program = makeProgram(context_, R"(
kernel void same(global int* out) { out[0] = VALUE; }
#if VALUE == 1
kernel void differs(global int* out) {}
kernel void first() {}
#elif VALUE == 2
kernel void differs(global const int* out) {}
#else
kernel void differs(global int* out, int more) {}
#endif
)");
  ASSERT_EQ(build(program, 0, "-DVALUE=1"), CL_SUCCESS);
  for (const char* other : {"-DVALUE=2", "-DVALUE=3"}) {
    ASSERT_EQ(build(program, 1, other), CL_SUCCESS) << textOn(program, 1, CL_PROGRAM_BUILD_LOG);
    cl_int error = 0;
    EXPECT_EQ(clCreateKernel(program, "differs", &error), nullptr);
    EXPECT_EQ(error, CL_INVALID_KERNEL_DEFINITION) << other;
    EXPECT_EQ(infoText(programInfo(program, CL_PROGRAM_KERNEL_NAMES)), "same;first");
    EXPECT_EQ(infoValue<size_t>(programInfo(program, CL_PROGRAM_NUM_KERNELS)), 2u);
    cl_kernel made[3] = {};
    cl_uint count = 0;
    EXPECT_EQ(clCreateKernelsInProgram(program, 3, made, &count), CL_SUCCESS);
    EXPECT_EQ(count, 2u);
    const KernelHolder same(made[0]), first(made[1]);
    EXPECT_EQ(launch(queues_[0], first), CL_SUCCESS);
    EXPECT_EQ(launch(queues_[1], first), CL_INVALID_PROGRAM_EXECUTABLE) << "it has another";
  }
}

// Local memory of different sizes: where an argument lies must do for both devices.
TEST_F(SeveralDevices, KernelsMayDifferInTheirLocalMemoryAndGroups) {
  const ProgramHolder program =
      makeProgram(context_,
                  "kernel __attribute__((reqd_work_group_size(SIZE, 1, 1)))"
                  "void k(global int* out, local int* scratch) {"
                  "  local int own[SIZE];"
                  "  size_t i = get_local_id(0);"
                  "  own[i] = 1; scratch[i] = 100;"
                  "  barrier(CLK_LOCAL_MEM_FENCE);"
                  "  out[get_global_id(0)] = own[SIZE - 1 - i] + scratch[SIZE - 1 - i];"
                  "}");
  ASSERT_EQ(build(program, 0, "-DSIZE=8"), CL_SUCCESS);
  ASSERT_EQ(build(program, 1, "-DSIZE=64"), CL_SUCCESS);
  const KernelHolder kernel = makeKernel(program, "k");
  const KernelHolder clone(clCloneKernel(kernel, nullptr));
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(64));
  for (const cl_kernel one : {kernel.get(), clone.get()}) {
    setBuffer(one, 0, out);
    EXPECT_EQ(clSetKernelArg(one, 1, 64 * sizeof(cl_int), nullptr), CL_SUCCESS);
    for (const QueueHolder& queue : queues_) {
      const std::vector<int> zeros(64);
      EXPECT_EQ(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, 64 * sizeof(int), zeros.data(), 0,
                                     nullptr, nullptr),
                CL_SUCCESS);
      ASSERT_EQ(launch(queue, one, 64), CL_SUCCESS);
      EXPECT_EQ(readBuffer<int>(queue, out, 64), std::vector<int>(64, 101));
    }
  }
  using Sizes = std::array<size_t, 3>;
  const auto groupInfo = [&](cl_device_id on, cl_kernel_work_group_info parameter) {
    return [=, &kernel](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelWorkGroupInfo(kernel, on, parameter, size, value, sizeRet);
    };
  };
  EXPECT_EQ(infoValue<Sizes>(groupInfo(parts_[0], CL_KERNEL_COMPILE_WORK_GROUP_SIZE)),
            (Sizes{8, 1, 1}));
  EXPECT_EQ(infoValue<Sizes>(groupInfo(parts_[1], CL_KERNEL_COMPILE_WORK_GROUP_SIZE)),
            (Sizes{64, 1, 1}));
  for (const cl_device_id on : parts_)
    EXPECT_EQ(infoValue<cl_ulong>(groupInfo(on, CL_KERNEL_LOCAL_MEM_SIZE)), 512u);
  EXPECT_EQ(groupInfo(nullptr, CL_KERNEL_WORK_GROUP_SIZE)(0, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(groupInfo(root_, CL_KERNEL_WORK_GROUP_SIZE)(0, nullptr, nullptr), CL_INVALID_DEVICE);
}

TEST_F(SeveralDevices, ArraysHaveAnEntryForEach) {
  const ProgramHolder program = makeProgram(context_, kValue);
  EXPECT_EQ(infoValue<cl_uint>(programInfo(program, CL_PROGRAM_NUM_DEVICES)), 2u);
  EXPECT_EQ(infoList<cl_device_id>(programInfo(program, CL_PROGRAM_DEVICES)),
            (std::vector<cl_device_id>{parts_[0], parts_[1]}));
  EXPECT_EQ(infoList<size_t>(programInfo(program, CL_PROGRAM_BINARY_SIZES)),
            (std::vector<size_t>{0, 0}));
  ASSERT_EQ(build(program, 1, "-DVALUE=2"), CL_SUCCESS);
  auto sizes = infoList<size_t>(programInfo(program, CL_PROGRAM_BINARY_SIZES));
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[0], 0u);
  EXPECT_NE(sizes[1], 0u);
  ASSERT_EQ(build(program, 0, "-DVALUE=1"), CL_SUCCESS);
  sizes = infoList<size_t>(programInfo(program, CL_PROGRAM_BINARY_SIZES));
  size_t bytes = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 2 * sizeof(unsigned char*));
  Binary second(sizes[1]);
  unsigned char* targets[2] = {nullptr, second.data()};  // the first is not wanted
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof targets[0], targets, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof targets, targets, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(second, binariesOf(program)[1]);
}

TEST_F(SeveralDevices, BinariesOfEachComeBack) {
  const ProgramHolder built = makeProgram(context_, kValue);
  ASSERT_EQ(build(built, 0, "-DVALUE=1"), CL_SUCCESS);
  ASSERT_EQ(build(built, 1, "-DVALUE=2"), CL_SUCCESS);
  const std::vector<Binary> binaries = binariesOf(built);
  cl_int error = 1, status[2] = {1, 1};
  // The list names them in its own order.
  const ProgramHolder loaded =
      load(context_, {parts_[1], parts_[0]}, {binaries[1], binaries[0]}, status, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(status[0], CL_SUCCESS);
  EXPECT_EQ(status[1], CL_SUCCESS);
  EXPECT_EQ(infoList<cl_device_id>(programInfo(loaded, CL_PROGRAM_DEVICES)),
            (std::vector<cl_device_id>{parts_[1], parts_[0]}));
  EXPECT_EQ(binariesOf(loaded), (std::vector<Binary>{binaries[1], binaries[0]}));
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  for (int part = 0; part < 2; ++part) EXPECT_EQ(result(context_, queues_[part], loaded), part + 1);

  // One for one device alone; the other has none.
  const ProgramHolder single = load(context_, {parts_[0]}, {binaries[1]}, status, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(build(single, 1, ""), CL_INVALID_DEVICE);
  ASSERT_EQ(build(single, 0, ""), CL_SUCCESS);
  EXPECT_EQ(result(context_, queues_[0], single), 2);
  EXPECT_EQ(launch(queues_[1], makeKernel(single, "k")), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(SeveralDevices, EveryBinaryHasItsStatus) {
  const ProgramHolder built = makeProgram(context_, kValue);
  ASSERT_EQ(clBuildProgram(built, 0, nullptr, "-DVALUE=1", nullptr, nullptr), CL_SUCCESS);
  const Binary good = binariesOf(built)[0];
  Binary bad = good;
  bad[bad.size() / 2] ^= 1;
  const struct {
    Binary first, second;
    cl_int code, status[2];
  } rows[] = {
      {good, bad, CL_INVALID_BINARY, {CL_SUCCESS, CL_INVALID_BINARY}},
      {bad, good, CL_INVALID_BINARY, {CL_INVALID_BINARY, CL_SUCCESS}},
      {bad, {}, CL_INVALID_VALUE, {CL_INVALID_BINARY, CL_INVALID_VALUE}},
      {{}, good, CL_INVALID_VALUE, {CL_INVALID_VALUE, CL_SUCCESS}},
  };
  for (const auto& row : rows) {
    cl_int error = 1, status[2] = {1, 1};
    EXPECT_EQ(load(context_, {parts_[0], parts_[1]}, {row.first, row.second}, status, &error).get(),
              nullptr);
    EXPECT_EQ(error, row.code);
    EXPECT_EQ(status[0], row.status[0]);
    EXPECT_EQ(status[1], row.status[1]);
  }
  cl_int error = 1;
  EXPECT_EQ(load(context_, {parts_[0], parts_[0]}, {good, good}, nullptr, &error).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE) << "twice the same";
  EXPECT_EQ(load(context_, {root_}, {good}, nullptr, &error).get(), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE) << "not in the context";
}

// "If a program binary has not been built for a sub-device, the program binary associated with the
// parent device will be used", also where a program was loaded for the parent alone.
TEST_F(SeveralDevices, PartsUseWhatTheWholeHas) {
  const ContextHolder context = contextOf({parts_[0], root_});
  const QueueHolder queue = queueOn(context, parts_[0]);
  const ProgramHolder built = makeProgram(context, kValue);
  ASSERT_EQ(clBuildProgram(built, 1, &root_, "-DVALUE=7", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result(context, queue, built), 7);
  const std::vector<Binary> binaries = binariesOf(built);
  EXPECT_EQ(binaries[0], binaries[1]);

  cl_int error = 1;
  const ProgramHolder loaded = load(context, {root_}, {binaries[1]}, nullptr, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(result(context, queue, loaded), 7);
  EXPECT_EQ(clGetProgramBuildInfo(loaded, parts_[0], CL_PROGRAM_BUILD_STATUS, 0, nullptr, nullptr),
            CL_INVALID_DEVICE)
      << "the program is not for it";

  // What is built for the part counts from then on, even when it fails.
  ASSERT_EQ(build(built, 0, "-DVALUE=8"), CL_SUCCESS);
  EXPECT_EQ(result(context, queue, built), 8);
  EXPECT_EQ(result(context, queueOn(context, root_), built), 7);
  ASSERT_EQ(build(built, 0, "-DVALUE=wrong"), CL_BUILD_PROGRAM_FAILURE);
  const KernelHolder kernel = makeKernel(built, "k");
  const MemoryHolder out = makeBuffer(context, std::vector<int>{0});
  setBuffer(kernel, 0, out);
  EXPECT_EQ(launch(queue, kernel), CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(SeveralDevices, LinksWhatEachHas) {
  const ContextHolder context = contextOf({parts_[0], parts_[1], root_});
  const auto compiled = [&](const char* source, std::vector<cl_device_id> devices) {
    ProgramHolder program = makeProgram(context, source);
    EXPECT_EQ(clCompileProgram(program, static_cast<cl_uint>(devices.size()), devices.data(), "", 0,
                               nullptr, nullptr, nullptr, nullptr),
              CL_SUCCESS);
    return program;
  };
  const ProgramHolder helper = compiled("int five(void) { return 5; }", {root_});
  const ProgramHolder user = compiled(
      "int five(void); kernel void k(global int* out) { out[0] = five(); }", {parts_[0], root_});
  const cl_program inputs[] = {helper, user};
  cl_int error = 1;
  const ProgramHolder linked(
      clLinkProgram(context, 0, nullptr, "", 2, inputs, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  for (const cl_device_id on : {parts_[0], parts_[1], root_})
    EXPECT_EQ(result(context, queueOn(context, on), linked), 5);

  // A device for which only some of the inputs have code cannot be linked for.
  const ProgramHolder first = makeProgram(context_, "int five(void) { return 5; }");
  const ProgramHolder second = makeProgram(context_, "int five(void); kernel void k() { five(); }");
  const auto compileOn = [&](cl_program program, int part) {
    EXPECT_EQ(
        clCompileProgram(program, 1, &parts_[part], "", 0, nullptr, nullptr, nullptr, nullptr),
        CL_SUCCESS);
  };
  compileOn(first, 0);
  compileOn(second, 1);
  const cl_program mismatched[] = {first, second};
  EXPECT_EQ(clLinkProgram(context_, 0, nullptr, "", 2, mismatched, nullptr, nullptr, &error),
            nullptr);
  EXPECT_EQ(error, CL_INVALID_OPERATION);
  compileOn(second, 0);
  const ProgramHolder one(
      clLinkProgram(context_, 1, &parts_[0], "", 2, mismatched, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
