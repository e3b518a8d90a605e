// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_ext_immutable_memory_objects.
#include "weft/khr/immutable_memory.h"

#include <cstring>
#include <numeric>
#include <vector>

#include "support/programs.h"

namespace weft::test {
namespace {

using khr::kMemImmutable;
constexpr size_t kSize = 1024;

class ImmutableTest : public testing::Test {
 protected:
  void SetUp() override { std::iota(bytes.begin(), bytes.end(), 0); }

  cl_mem create(cl_mem_flags flags, void* pointer, cl_int expected) {
    cl_int error = CL_SUCCESS;
    const cl_mem memory = clCreateBuffer(context, flags, kSize, pointer, &error);
    EXPECT_EQ(error, expected) << "flags " << flags;
    EXPECT_EQ(memory != nullptr, error == CL_SUCCESS);
    return memory;
  }
  MemoryHolder make(cl_mem_flags flags = CL_MEM_COPY_HOST_PTR) {
    return MemoryHolder(create(kMemImmutable | flags, bytes.data(), CL_SUCCESS));
  }
  MemoryHolder makeSub(cl_mem parent, cl_mem_flags flags, cl_int expected) {
    const cl_buffer_region region{128, 256};
    cl_int error = CL_SUCCESS;
    MemoryHolder part(
        clCreateSubBuffer(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
    EXPECT_EQ(error, expected) << "flags " << flags;
    return part;
  }
  static cl_mem_flags flagsOf(cl_mem memory) {
    cl_mem_flags flags = 0;
    EXPECT_EQ(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, nullptr), CL_SUCCESS);
    return flags;
  }
  /// Everything that would write to it.
  std::vector<cl_int> writes(cl_mem memory) {
    const size_t zero[3] = {}, region[3] = {8, 2, 1};
    const int pattern = 1;
    std::vector<cl_int> codes{
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, 16, bytes.data(), 0, nullptr, nullptr),
        clEnqueueWriteBufferRect(queue, memory, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                 bytes.data(), 0, nullptr, nullptr),
        clEnqueueCopyBuffer(queue, other, memory, 0, 0, 16, 0, nullptr, nullptr),
        clEnqueueCopyBufferRect(queue, other, memory, zero, zero, region, 0, 0, 0, 0, 0, nullptr,
                                nullptr),
        clEnqueueFillBuffer(queue, memory, &pattern, 4, 0, 16, 0, nullptr, nullptr)};
    for (const cl_map_flags flags :
         {CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION}) {
      cl_int error = CL_SUCCESS;
      EXPECT_EQ(
          clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, 0, 16, 0, nullptr, nullptr, &error),
          nullptr);
      codes.push_back(error);
    }
    return codes;
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  std::vector<unsigned char> bytes = std::vector<unsigned char>(kSize);
  MemoryHolder other{clCreateBuffer(context, 0, kSize, nullptr, nullptr)};
};

TEST_F(ImmutableTest, IsReported) {
  char extensions[8192] = {};
  ASSERT_EQ(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, nullptr),
            CL_SUCCESS);
  EXPECT_NE(std::strstr(extensions, "cl_ext_immutable_memory_objects"), nullptr);
}

TEST_F(ImmutableTest, Flags) {
  for (const cl_mem_flags place :
       {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_USE_HOST_PTR},
        cl_mem_flags{CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR}}) {
    for (const cl_mem_flags access :
         {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_ONLY}, cl_mem_flags{CL_MEM_HOST_READ_ONLY},
          cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS}}) {
      const MemoryHolder memory = make(place | access);
      EXPECT_EQ(flagsOf(memory), kMemImmutable | place | access);
    }
    for (const cl_mem_flags access : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
      create(kMemImmutable | place | access, bytes.data(), CL_INVALID_VALUE);
    create(kMemImmutable | place, nullptr, CL_INVALID_HOST_PTR);
  }
  create(kMemImmutable, nullptr, CL_INVALID_VALUE);
  create(kMemImmutable | CL_MEM_ALLOC_HOST_PTR, nullptr, CL_INVALID_VALUE);
  create(kMemImmutable, bytes.data(), CL_INVALID_VALUE);
}

TEST_F(ImmutableTest, NothingWritesToIt) {
  const MemoryHolder memory = make();
  const MemoryHolder part = makeSub(memory, 0, CL_SUCCESS);
  for (const cl_mem each : {memory.get(), part.get()})
    for (const cl_int code : writes(each)) EXPECT_EQ(code, CL_INVALID_OPERATION);
  EXPECT_EQ(readBuffer<unsigned char>(queue, memory, kSize), bytes);
}

TEST_F(ImmutableTest, EverythingReadsIt) {
  const MemoryHolder memory = make(CL_MEM_USE_HOST_PTR);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, memory, other, 0, 0, kSize, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(readBuffer<unsigned char>(queue, other, kSize), bytes);
  void* const mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, kSize, 0, nullptr,
                                          nullptr, nullptr);
  EXPECT_EQ(mapped, bytes.data());
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, memory, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(ImmutableTest, SubBuffers) {
  const MemoryHolder memory = make();
  for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY})
    makeSub(memory, flags, CL_INVALID_VALUE);
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_ONLY}, kMemImmutable}) {
    const MemoryHolder part = makeSub(memory, flags, CL_SUCCESS);
    EXPECT_EQ(flagsOf(part), flags | kMemImmutable | CL_MEM_COPY_HOST_PTR);
  }
}

TEST_F(ImmutableTest, APartOfAMutableBufferMayBeImmutable) {
  const MemoryHolder part = makeSub(other, kMemImmutable, CL_SUCCESS);
  EXPECT_EQ(flagsOf(part), kMemImmutable);
  for (const cl_int code : writes(part)) EXPECT_EQ(code, CL_INVALID_OPERATION);
  makeSub(other, kMemImmutable | CL_MEM_WRITE_ONLY, CL_INVALID_VALUE);
}

TEST_F(ImmutableTest, KernelsMayOnlyReadIt) {
  const ProgramHolder program = buildProgram(context, R"(
    kernel void k(global const uchar* in, constant uchar* table, global uchar* out) {
      size_t i = get_global_id(0);
      out[i] = in[i] + table[i];
    })");
  const KernelHolder kernel = makeKernel(program, "k");
  const MemoryHolder memory = make();
  setBuffer(kernel, 0, memory);
  setBuffer(kernel, 1, memory);
  const cl_mem handle = memory;
  EXPECT_EQ(clSetKernelArg(kernel, 2, sizeof handle, &handle), CL_INVALID_ARG_VALUE);
  setBuffer(kernel, 2, other);
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kSize, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  const auto out = readBuffer<unsigned char>(queue, other, kSize);
  for (size_t i = 0; i < kSize; ++i)
    ASSERT_EQ(out[i], static_cast<unsigned char>(2 * bytes[i])) << i;
}

}  // namespace
}  // namespace weft::test
