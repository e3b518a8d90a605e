// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 32-bit indices that wrap within one object: between lanes of one group, between accesses of one
// work-item, and in work-items that do not use them.
#include <CL/cl_ext.h>
#include <sys/mman.h>

#include <cstdint>
#include <functional>

#include "support/objects.h"
#include "support/programs.h"

namespace weft::test {
namespace {

/// Untouched, such an object costs nothing.
constexpr size_t kSize = (size_t{1} << 32) + 4096;
constexpr size_t kItems = 128;

class Far : public testing::Test {
 protected:
  KernelHolder kernel(const char* name) { return makeKernel(program, name); }

  void run(cl_kernel kernel) {
    const size_t items = kItems, group = 64;
    ASSERT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr),
        CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
  }

  /// Runs all kernels on `bytes`, which `set` makes their first argument.
  void check(uint8_t* bytes, const std::function<void(cl_kernel)>& set) {
    constexpr uint64_t kWrap = uint64_t{1} << 32;
    const KernelHolder between = kernel("between");
    set(between);
    setArgument(between, 1, static_cast<cl_uint>(-20));
    run(between);
    for (uint64_t k = 0; k < kItems; ++k)
      ASSERT_EQ(bytes[(kWrap - 20 + k) % kWrap], k + 1) << "written by item " << k;

    const KernelHolder pairs = kernel("pairs");
    set(pairs);
    setArgument(pairs, 1, static_cast<cl_uint>(-21));
    run(pairs);
    for (uint64_t k = 0; k < 2 * kItems; ++k)
      ASSERT_EQ(bytes[(kWrap - 21 + k) % kWrap], static_cast<uint8_t>(k + 5)) << k;

    const KernelHolder idle = kernel("idle");
    set(idle);
    setArgument(idle, 1, cl_int{INT32_MAX});
    run(idle);
    for (int l = 8; l < 64; ++l)
      ASSERT_EQ(bytes[INT32_MAX - (l - 8)], l) << "written by item " << l;

    const KernelHolder below = kernel("below");
    set(below);
    setArgument(below, 1, cl_int{INT32_MIN});
    run(below);
    for (int l = 8; l < 64; ++l) ASSERT_EQ(bytes[l - 8], 64 + l) << "written by item " << l;
  }

  static uint8_t* map() {
    void* const start = mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? nullptr : static_cast<uint8_t*>(start);
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  ProgramHolder program = buildProgram(context, R"(
    kernel void between(global uchar* a, uint first) {
      uint i = first + (uint)get_global_id(0);
      a[i] = get_global_id(0) + 1;
    }
    kernel void pairs(global uchar* a, uint first) {
      uint i = first + 2 * (uint)get_global_id(0);
      a[i] = 2 * get_global_id(0) + 5;
      a[i + 1] = 2 * get_global_id(0) + 6;
    }
    kernel void idle(global uchar* a, int most) {
      int l = get_local_id(0);
      if (l >= 8) a[most + (8 - l)] = l;
    }
    kernel void behind(global ulong* table, uint first) {
      global uchar* a = (global uchar*)table[1];
      a[first + (uint)get_global_id(0)] = get_global_id(0) + 1;
    }
    kernel void below(global uchar* a, int least) {
      global uchar* middle = a + 0x80000000ul;
      int l = get_local_id(0);
      if (l >= 8) middle[(l - 8) + least] = 64 + l;
    }
  )");
};

#define SKIP_WITHOUT_MEMORY(pointer) \
  if (!(pointer)) GTEST_SKIP() << "not so much memory at once"

TEST_F(Far, IndicesWrapInBuffers) {
  const MemoryHolder buffer(clCreateBuffer(context, CL_MEM_READ_WRITE, kSize, nullptr, nullptr));
  SKIP_WITHOUT_MEMORY(buffer.get());
  void* const bytes = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                         kSize, 0, nullptr, nullptr, nullptr);
  ASSERT_NE(bytes, nullptr);
  check(static_cast<uint8_t*>(bytes), [&](cl_kernel kernel) { setBuffer(kernel, 0, buffer); });
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, bytes, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(Far, IndicesWrapInMemoryOfTheHost) {
  uint8_t* const bytes = map();
  SKIP_WITHOUT_MEMORY(bytes);
  const MemoryHolder buffer(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, kSize, bytes, nullptr));
  if (buffer.get()) check(bytes, [&](cl_kernel kernel) { setBuffer(kernel, 0, buffer); });
  munmap(bytes, kSize);
  SKIP_WITHOUT_MEMORY(buffer.get());
}

TEST_F(Far, IndicesWrapInSharedMemory) {
  void* const bytes = clSVMAlloc(context, CL_MEM_READ_WRITE, kSize, 0);
  SKIP_WITHOUT_MEMORY(bytes);
  check(static_cast<uint8_t*>(bytes), [&](cl_kernel kernel) {
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, bytes), CL_SUCCESS);
  });
  clSVMFree(context, bytes);
}

// Nobody tells the library how large it is.
TEST_F(Far, IndicesWrapInMemoryOfTheSystem) {
  uint8_t* const bytes = map();
  SKIP_WITHOUT_MEMORY(bytes);
  check(bytes, [&](cl_kernel kernel) {
    EXPECT_EQ(clSetKernelArgSVMPointer(kernel, 0, bytes), CL_SUCCESS);
  });
  munmap(bytes, kSize);
}

// Nobody tells the library that it is there.
TEST_F(Far, IndicesWrapInMemoryThatOnlyPointersInOthersLeadTo) {
  uint8_t* const bytes = map();
  SKIP_WITHOUT_MEMORY(bytes);
  const MemoryHolder table = makeBuffer(context, std::vector<uint8_t*>{nullptr, bytes});
  const KernelHolder behind = kernel("behind");
  setBuffer(behind, 0, table);
  setArgument(behind, 1, static_cast<cl_uint>(-20));
  run(behind);
  constexpr uint64_t kWrap = uint64_t{1} << 32;
  for (uint64_t k = 0; k < kItems; ++k)
    ASSERT_EQ(bytes[(kWrap - 20 + k) % kWrap], k + 1) << "written by item " << k;
  munmap(bytes, kSize);
}

// Code for small objects, made before, does not stay in use, nor does that for large ones.
TEST_F(Far, CodeChangesWithTheObjects) {
  const MemoryHolder small = makeBuffer(context, std::vector<uint8_t>(256));
  const KernelHolder between = kernel("between");
  for (int round = 0; round < 2; ++round) {
    setBuffer(between, 0, small);
    setArgument(between, 1, cl_uint{3});
    run(between);
    EXPECT_EQ(readBuffer<uint8_t>(queue, small, 256)[3 + 77], 78);
    const MemoryHolder large(clCreateBuffer(context, CL_MEM_READ_WRITE, kSize, nullptr, nullptr));
    SKIP_WITHOUT_MEMORY(large.get());
    setBuffer(between, 0, large);
    setArgument(between, 1, static_cast<cl_uint>(-20));
    run(between);
    EXPECT_EQ(readBuffer<uint8_t>(queue, large, 40)[7], 28);
  }
}

}  // namespace
}  // namespace weft::test
