// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs through the API, with the real compiler.
#include "support/programs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>

#include "support/info_query.h"

namespace weft::test {
namespace {

const char* const kAdd = R"(
kernel void add(global const int* a, global const int* b, global int* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i] OFFSET;
}
)";

class ProgramApi : public testing::Test {
 protected:
  /// Runs kernel "add" of `program` and checks a + b + offset.
  void expectAdds(cl_program program, int offset = 0) {
    const KernelHolder kernel = makeKernel(program, "add");
    std::vector<int> a(1000), b(1000), expected(1000);
    std::iota(a.begin(), a.end(), 5);
    std::iota(b.begin(), b.end(), -70);
    for (size_t i = 0; i < a.size(); ++i) expected[i] = a[i] + b[i] + offset;
    const MemoryHolder bufferA = makeBuffer(context_, a), bufferB = makeBuffer(context_, b);
    const MemoryHolder bufferC = makeBuffer(context_, std::vector<int>(1000));
    setBuffer(kernel, 0, bufferA);
    setBuffer(kernel, 1, bufferB);
    setBuffer(kernel, 2, bufferC);
    const size_t global = 1000;
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(readBuffer<int>(queue_, bufferC, 1000), expected);
  }

  InfoCall programInfo(cl_program program, cl_program_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramInfo(program, parameter, size, value, sizeRet);
    };
  }
  InfoCall buildInfo(cl_program program, cl_program_build_info parameter) {
    return [=](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramBuildInfo(program, device(), parameter, size, value, sizeRet);
    };
  }
  std::vector<unsigned char> binaryOf(cl_program program) {
    const auto sizes = infoList<size_t>(programInfo(program, CL_PROGRAM_BINARY_SIZES));
    EXPECT_EQ(sizes.size(), 1u);
    std::vector<unsigned char> binary(sizes.at(0));
    unsigned char* target = binary.data();
    size_t size = 0;
    EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, &size),
              CL_SUCCESS);
    EXPECT_EQ(size, sizeof target);
    return binary;
  }
  ProgramHolder load(const std::vector<unsigned char>& binary, cl_int* status, cl_int* error) {
    const unsigned char* bytes = binary.data();
    const size_t length = binary.size();
    const cl_device_id on = device();
    return ProgramHolder(
        clCreateProgramWithBinary(context_, 1, &on, &length, &bytes, status, error));
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
};

TEST_F(ProgramApi, SourceIsBuiltAndRuns) {
  const ProgramHolder program = buildProgram(context_, kAdd, "-DOFFSET=+3");
  expectAdds(program, 3);
}

TEST_F(ProgramApi, SourceInPieces) {
  const char* pieces[] = {"#define OFFSET +1 // not this", "\n#undef OFFSET\n#define OFFSET -1\n!!",
                          kAdd};
  const size_t lengths[] = {17, 33, 0};  // the first ends before the comment, the third at its zero
  cl_int error = 1;
  const ProgramHolder program(clCreateProgramWithSource(context_, 3, pieces, lengths, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
      << buildLog(program);
  expectAdds(program, -1);
  const std::string source = infoText(programInfo(program, CL_PROGRAM_SOURCE));
  EXPECT_EQ(source.find("not this"), std::string::npos);
  EXPECT_NE(source.find("kernel void add"), std::string::npos);
}

TEST_F(ProgramApi, CreateWithSourceRefuses) {
  const char* source = kAdd;
  const char* nothing = nullptr;
  cl_int error = 0;
  EXPECT_EQ(clCreateProgramWithSource(nullptr, 1, &source, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  EXPECT_EQ(clCreateProgramWithSource(context_, 0, &source, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context_, 1, nullptr, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context_, 1, &nothing, nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithSource(context_, 1, &nothing, nullptr, nullptr), nullptr);
}

TEST_F(ProgramApi, WhatThereIsNotYet) {
  cl_int error = 0;
  const char il[] = "x";
  EXPECT_EQ(clCreateProgramWithIL(context_, il, 1, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithIL(nullptr, il, 1, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_CONTEXT);
  const cl_device_id on = device();
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 1, &on, "none", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  EXPECT_EQ(clCreateProgramWithBuiltInKernels(context_, 0, nullptr, "none", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_VALUE);
  const ProgramHolder program = makeProgram(context_, kAdd);
  EXPECT_EQ(clSetProgramReleaseCallback(program, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clSetProgramReleaseCallback(
                program, [](cl_program, void*) {}, nullptr),
            CL_INVALID_OPERATION);
  EXPECT_EQ(clSetProgramReleaseCallback(nullptr, nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clSetProgramSpecializationConstant(program, 0, 1, il), CL_INVALID_PROGRAM);
  EXPECT_EQ(clSetProgramSpecializationConstant(nullptr, 0, 1, il), CL_INVALID_PROGRAM);
}

TEST_F(ProgramApi, BrokenSourceHasALogThatQuotesIt) {
  const ProgramHolder program =
      makeProgram(context_, "kernel void k(global int* p) {\n  p[0] = nope;\n}\n");
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
  EXPECT_EQ(infoValue<cl_build_status>(buildInfo(program, CL_PROGRAM_BUILD_STATUS)),
            CL_BUILD_ERROR);
  const std::string log = infoText(buildInfo(program, CL_PROGRAM_BUILD_LOG));
  EXPECT_NE(log.find("nope"), std::string::npos) << log;
  EXPECT_NE(log.find(":2:"), std::string::npos) << log;
  cl_int error = 0;
  EXPECT_EQ(clCreateKernel(program, "k", &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramApi, UnknownOptions) {
  const ProgramHolder program = makeProgram(context_, kAdd);
  for (const char* options : {"-no-such-option", "-cl-std=CL9.9", "-D", "-I"})
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, options, nullptr, nullptr),
              CL_INVALID_BUILD_OPTIONS)
        << options;
  EXPECT_EQ(clCompileProgram(program, 0, nullptr, "-no-such-option", 0, nullptr, nullptr, nullptr,
                             nullptr),
            CL_INVALID_COMPILER_OPTIONS);
}

TEST_F(ProgramApi, BuildRefuses) {
  const ProgramHolder program = makeProgram(context_, kAdd);
  const cl_device_id on = device();
  const cl_device_id wrong = reinterpret_cast<cl_device_id>(context_.get());
  int data = 0;
  EXPECT_EQ(clBuildProgram(nullptr, 0, nullptr, "", nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(program, 0, &on, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 1, nullptr, "", nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clBuildProgram(program, 1, &wrong, "", nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, &data), CL_INVALID_VALUE);
}

TEST_F(ProgramApi, RebuildReplacesTheCode) {
  const ProgramHolder program = makeProgram(context_, kAdd);
  for (const int offset : {1, 2, 3}) {
    const std::string options = "-DOFFSET=+" + std::to_string(offset);
    ASSERT_EQ(clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr), CL_SUCCESS);
    expectAdds(program, offset);
    EXPECT_EQ(infoText(buildInfo(program, CL_PROGRAM_BUILD_OPTIONS)), options);
  }
}

TEST_F(ProgramApi, EveryProgramInfo) {
  const ProgramHolder program =
      buildProgram(context_, "kernel void one(){} kernel void two(){} void helper(){}");
  EXPECT_EQ(infoValue<cl_uint>(programInfo(program, CL_PROGRAM_REFERENCE_COUNT)), 1u);
  EXPECT_EQ(clRetainProgram(program), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(programInfo(program, CL_PROGRAM_REFERENCE_COUNT)), 2u);
  EXPECT_EQ(clReleaseProgram(program), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_context>(programInfo(program, CL_PROGRAM_CONTEXT)), context_.get());
  EXPECT_EQ(infoValue<cl_uint>(programInfo(program, CL_PROGRAM_NUM_DEVICES)), 1u);
  EXPECT_EQ(infoValue<cl_device_id>(programInfo(program, CL_PROGRAM_DEVICES)), device());
  EXPECT_EQ(infoValue<size_t>(programInfo(program, CL_PROGRAM_NUM_KERNELS)), 2u);
  EXPECT_EQ(infoText(programInfo(program, CL_PROGRAM_KERNEL_NAMES)), "one;two");
  EXPECT_EQ(checkInfoRules(programInfo(program, CL_PROGRAM_IL)).size(), 0u);
  EXPECT_EQ(infoValue<cl_bool>(programInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT)),
            cl_bool{CL_FALSE});
  EXPECT_EQ(infoValue<cl_bool>(programInfo(program, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT)),
            cl_bool{CL_FALSE});
  EXPECT_EQ(infoValue<cl_build_status>(buildInfo(program, CL_PROGRAM_BUILD_STATUS)),
            CL_BUILD_SUCCESS);
  EXPECT_EQ(infoValue<cl_program_binary_type>(buildInfo(program, CL_PROGRAM_BINARY_TYPE)),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_EXECUTABLE});
  EXPECT_EQ(infoValue<size_t>(buildInfo(program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE)), 0u);
  EXPECT_EQ(clGetProgramInfo(program, 0xdead, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramInfo(nullptr, CL_PROGRAM_CONTEXT, 0, nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clGetProgramBuildInfo(program, device(), 0xdead, 0, nullptr, nullptr),
            CL_INVALID_VALUE);
  EXPECT_EQ(clGetProgramBuildInfo(program, nullptr, CL_PROGRAM_BUILD_LOG, 0, nullptr, nullptr),
            CL_INVALID_DEVICE);
  unsigned char* target = nullptr;  // a null pointer: this binary is not wanted
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof target, &target, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 1, &target, nullptr), CL_INVALID_VALUE);
}

TEST_F(ProgramApi, InfoThatNeedsAnExecutable) {
  const ProgramHolder program = makeProgram(context_, kAdd);
  for (const cl_program_info parameter :
       {CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT})
    EXPECT_EQ(clGetProgramInfo(program, parameter, 0, nullptr, nullptr),
              CL_INVALID_PROGRAM_EXECUTABLE);
}

TEST_F(ProgramApi, HandlesOfOtherKindsAreRefused) {
  const auto wrong = reinterpret_cast<cl_program>(context_.get());
  EXPECT_EQ(clRetainProgram(wrong), CL_INVALID_PROGRAM);
  EXPECT_EQ(clReleaseProgram(wrong), CL_INVALID_PROGRAM);
  EXPECT_EQ(clBuildProgram(wrong, 0, nullptr, "", nullptr, nullptr), CL_INVALID_PROGRAM);
  EXPECT_EQ(clReleaseProgram(nullptr), CL_INVALID_PROGRAM);
}

TEST_F(ProgramApi, BinaryRunsAfterReload) {
  std::vector<unsigned char> binary;
  {
    const ProgramHolder program = buildProgram(context_, kAdd, "-DOFFSET=+11");
    binary = binaryOf(program);
  }
  ASSERT_GT(binary.size(), 16u);
  cl_int status = 1, error = 1;
  const ProgramHolder loaded = load(binary, &status, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(status, CL_SUCCESS);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  expectAdds(loaded, 11);
  EXPECT_EQ(infoText(programInfo(loaded, CL_PROGRAM_SOURCE)), "");
}

TEST_F(ProgramApi, EveryDamagedBinaryIsRefused) {
  const ProgramHolder program = buildProgram(context_, kAdd, "-DOFFSET=");
  const std::vector<unsigned char> binary = binaryOf(program);
  cl_int status = 0, error = 0;
  const auto expectRefused = [&](const std::vector<unsigned char>& damaged, const char* how,
                                 size_t at) {
    EXPECT_EQ(load(damaged, &status, &error).get(), nullptr) << how << ' ' << at;
    EXPECT_EQ(error, CL_INVALID_BINARY) << how << ' ' << at;
    EXPECT_EQ(status, CL_INVALID_BINARY) << how << ' ' << at;
  };
  const size_t step = binary.size() / 97 + 1;
  for (size_t at = 0; at < binary.size(); at += step) {
    std::vector<unsigned char> flipped = binary;
    flipped[at] ^= 0x10;
    expectRefused(flipped, "flipped", at);
    if (at != 0)
      expectRefused({binary.begin(), binary.begin() + static_cast<ptrdiff_t>(at)}, "cut", at);
  }
  std::vector<unsigned char> longer = binary;
  longer.push_back(0);
  expectRefused(longer, "longer", 0);
  expectRefused(std::vector<unsigned char>(1000, 0x7f), "noise", 0);
}

TEST_F(ProgramApi, EveryByteOfTheHeaderCounts) {
  const ProgramHolder program = buildProgram(context_, kAdd, "-DOFFSET=");
  const std::vector<unsigned char> binary = binaryOf(program);
  constexpr size_t kHeader = 256;  // with the versions and the host tag behind it
  ASSERT_GT(binary.size(), kHeader);
  for (size_t at = 0; at < kHeader; ++at)
    for (const unsigned char bits : {0x01, 0x80, 0xff}) {
      std::vector<unsigned char> flipped = binary;
      flipped[at] ^= bits;
      cl_int status = 0, error = 0;
      EXPECT_EQ(load(flipped, &status, &error).get(), nullptr) << at;
      EXPECT_EQ(error, CL_INVALID_BINARY) << at;
    }
}

// What the specification shows of kernels is for those made from a source.
TEST_F(ProgramApi, KernelsOfABinaryShowNoSource) {
  const char* const source =
      "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k(global int* named) {}";
  const ProgramHolder program = buildProgram(context_, source, "-cl-kernel-arg-info");
  cl_int status = 1, error = 1;
  const ProgramHolder loaded = load(binaryOf(program), &status, &error);
  ASSERT_EQ(clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(infoText(buildInfo(loaded, CL_PROGRAM_BUILD_OPTIONS)), "-cl-kernel-arg-info");
  const KernelHolder before = makeKernel(program, "k"), after = makeKernel(loaded, "k");
  const auto attributes = [](cl_kernel kernel) {
    return infoText([=](size_t size, void* value, size_t* sizeRet) {
      return clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, size, value, sizeRet);
    });
  };
  EXPECT_NE(attributes(before), "");
  EXPECT_EQ(attributes(after), "");
  EXPECT_EQ(clGetKernelArgInfo(before, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clGetKernelArgInfo(after, 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr),
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
  size_t sizes[3] = {};
  EXPECT_EQ(clGetKernelWorkGroupInfo(after, device(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                     sizeof sizes, sizes, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(sizes[0], 4u) << "the size still counts";
}

TEST_F(ProgramApi, CreateWithBinaryRefuses) {
  const ProgramHolder program = buildProgram(context_, kAdd, "-DOFFSET=");
  const std::vector<unsigned char> binary = binaryOf(program);
  const unsigned char* bytes[2] = {binary.data(), binary.data()};
  const unsigned char* nothing = nullptr;
  const size_t lengths[2] = {binary.size(), binary.size()};
  const size_t zero = 0;
  const cl_device_id devices[2] = {device(), device()};
  const cl_device_id noDevice = nullptr;
  cl_int error = 0, status[2] = {};
  const auto code = [&](cl_context context, cl_uint count, const cl_device_id* list,
                        const size_t* sizes, const unsigned char** data) {
    EXPECT_EQ(clCreateProgramWithBinary(context, count, list, sizes, data, status, &error),
              nullptr);
    return error;
  };
  EXPECT_EQ(code(nullptr, 1, devices, lengths, bytes), CL_INVALID_CONTEXT);
  EXPECT_EQ(code(context_, 0, devices, lengths, bytes), CL_INVALID_VALUE);
  EXPECT_EQ(code(context_, 1, nullptr, lengths, bytes), CL_INVALID_VALUE);
  EXPECT_EQ(code(context_, 1, devices, nullptr, bytes), CL_INVALID_VALUE);
  EXPECT_EQ(code(context_, 1, devices, lengths, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(code(context_, 1, &noDevice, lengths, bytes), CL_INVALID_DEVICE);
  EXPECT_EQ(code(context_, 2, devices, lengths, bytes), CL_INVALID_DEVICE);
  EXPECT_EQ(code(context_, 1, devices, &zero, bytes), CL_INVALID_VALUE);
  EXPECT_EQ(status[0], CL_INVALID_VALUE);
  EXPECT_EQ(code(context_, 1, devices, lengths, &nothing), CL_INVALID_VALUE);
  EXPECT_EQ(status[0], CL_INVALID_VALUE);
}

TEST_F(ProgramApi, CompileWithHeadersAndLink) {
  const ProgramHolder outer =
      makeProgram(context_, "#include \"deep/inner.h\"\nint twice(int x);\n");
  const ProgramHolder inner = makeProgram(context_, "#define OFFSET + twice(4)\n");
  const ProgramHolder library = makeProgram(context_, "int twice(int x) { return 2 * x; }\n");
  const ProgramHolder main = makeProgram(context_, std::string("#include \"outer.h\"\n") + kAdd);
  cl_program headers[] = {outer, inner};
  const char* names[] = {"outer.h", "deep/inner.h"};
  ASSERT_EQ(clCompileProgram(main, 0, nullptr, "", 2, headers, names, nullptr, nullptr), CL_SUCCESS)
      << buildLog(main);
  ASSERT_EQ(clCompileProgram(library, 0, nullptr, "", 0, nullptr, nullptr, nullptr, nullptr),
            CL_SUCCESS);
  cl_int error = 1;
  cl_program alone[] = {main};
  const ProgramHolder failed(
      clLinkProgram(context_, 0, nullptr, "", 1, alone, nullptr, nullptr, &error));
  EXPECT_EQ(error, CL_LINK_PROGRAM_FAILURE);
  ASSERT_NE(failed.get(), nullptr);
  EXPECT_NE(buildLog(failed).find("twice"), std::string::npos) << buildLog(failed);

  cl_program parts[] = {main, library};
  const ProgramHolder linked(
      clLinkProgram(context_, 0, nullptr, "", 2, parts, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectAdds(linked, 8);

  // Objects and libraries go through binaries too.
  cl_program one[] = {library};
  const ProgramHolder made(
      clLinkProgram(context_, 0, nullptr, "-create-library", 1, one, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  cl_int status = 1;
  const ProgramHolder object = load(binaryOf(main), &status, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  const ProgramHolder reloaded = load(binaryOf(made), &status, &error);
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_program_binary_type>(buildInfo(reloaded, CL_PROGRAM_BINARY_TYPE)),
            cl_program_binary_type{CL_PROGRAM_BINARY_TYPE_LIBRARY});
  cl_program again[] = {object, reloaded};
  const ProgramHolder relinked(
      clLinkProgram(context_, 0, nullptr, "", 2, again, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  expectAdds(relinked, 8);
}

struct Notification {
  std::mutex mutex;
  std::condition_variable condition;
  int calls = 0;
  cl_build_status status = 77;

  static void CL_CALLBACK receive(cl_program program, void* self) {
    auto& to = *static_cast<Notification*>(self);
    cl_build_status status = 77;
    clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                          nullptr);
    const std::lock_guard lock(to.mutex);
    ++to.calls;
    to.status = status;
    to.condition.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex);
    return condition.wait_for(lock, std::chrono::seconds(60), [&] { return calls != 0; });
  }
};

TEST_F(ProgramApi, BuildWithACallback) {
  const ProgramHolder good = makeProgram(context_, kAdd),
                      bad = makeProgram(context_, "kernel nope");
  Notification goodSeen, badSeen;
  EXPECT_EQ(clBuildProgram(good, 0, nullptr, "-DOFFSET=", Notification::receive, &goodSeen),
            CL_SUCCESS);
  EXPECT_EQ(clBuildProgram(bad, 0, nullptr, "", Notification::receive, &badSeen), CL_SUCCESS);
  ASSERT_TRUE(goodSeen.wait());
  ASSERT_TRUE(badSeen.wait());
  EXPECT_EQ(goodSeen.status, CL_BUILD_SUCCESS);
  EXPECT_EQ(badSeen.status, CL_BUILD_ERROR);
  expectAdds(good);
}

TEST_F(ProgramApi, ManyThreadsBuildTheirOwnPrograms) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 6; ++i) {
        const ContextHolder context = makeContext();
        const QueueHolder queue = makeQueue(context);
        const int add = 100 * t + i;
        const ProgramHolder program = buildProgram(
            context,
            "kernel void k(global int* p) { p[get_global_id(0)] += " + std::to_string(add) + "; }");
        const KernelHolder kernel = makeKernel(program, "k");
        const MemoryHolder buffer = makeBuffer(context, std::vector<int>(64, 7));
        setBuffer(kernel, 0, buffer);
        const size_t global = 64;
        EXPECT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                         nullptr),
                  CL_SUCCESS);
        EXPECT_EQ(readBuffer<int>(queue, buffer, 64), std::vector<int>(64, 7 + add));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace weft::test
