// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cl_khr_external_memory: what imported memory is good for.
#include "support/external_memory.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>

#include "support/image_description.h"
#include "support/info_query.h"
#include "support/programs.h"
#include "support/sanitizers.h"
#include "support/wait_list.h"
#include "weft/khr/immutable_memory.h"

namespace weft::test {
namespace {

/// No multiple of a page, nor of a cache line.
constexpr size_t kInts = 3001;
constexpr size_t kBytes = kInts * sizeof(cl_int);

class ExternalMemoryTest : public testing::Test {
 protected:
  MemoryHolder import(const SharedMemory& memory, size_t size, cl_mem_flags flags = 0) {
    return importBuffer(context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, memory.handle()),
                        size, flags);
  }
  /// memory[i] = factor * memory[i] + i, by a kernel on an imported buffer.
  static void compute(cl_context context, cl_mem buffer, cl_int factor) {
    const ProgramHolder program = buildProgram(
        context,
        "kernel void k(global int* p, int f) { int i = get_global_id(0); p[i] = f * p[i] + i; }");
    const KernelHolder kernel = makeKernel(program, "k");
    setBuffer(kernel, 0, buffer);
    setArgument(kernel, 1, factor);
    const QueueHolder queue = makeQueue(context);
    acquire(queue, buffer);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kInts, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    release(queue, buffer);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  }
  template <class T>
  static T info(cl_mem memory, cl_mem_info name) {
    return infoValue<T>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetMemObjectInfo(memory, name, size, value, sizeRet);
    });
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
};

TEST(ExternalMemory, IsReported) {
  using Types = std::vector<cl_external_memory_handle_type_khr>;
  const Types expected{CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR};
  const auto ofDevice = [](cl_device_info name) {
    return infoList<cl_external_memory_handle_type_khr>([=](size_t size, void* value, size_t* ret) {
      return clGetDeviceInfo(device(), name, size, value, ret);
    });
  };
  EXPECT_EQ(ofDevice(CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR), expected);
  EXPECT_EQ(ofDevice(khr::kDeviceExternalMemoryAssumesLinearImages), expected);
  EXPECT_EQ(infoList<cl_external_memory_handle_type_khr>([](size_t size, void* value, size_t* ret) {
              return clGetPlatformInfo(platform(),
                                       CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, size,
                                       value, ret);
            }),
            expected);
  EXPECT_EQ(extensionVersion("cl_khr_external_memory"), CL_MAKE_VERSION(1, 0, 1));
  EXPECT_EQ(extensionVersion("cl_khr_external_memory_dma_buf"), CL_MAKE_VERSION(1, 0, 0));
}

TEST_F(ExternalMemoryTest, KernelsShareItWithOtherMappings) {
  const SharedMemory memory(kBytes);
  auto* const shared = memory.data<cl_int>();
  std::iota(shared, shared + kInts, 7);
  const MemoryHolder buffer = import(memory, kBytes);
  for (int round = 0; round < 2; ++round) {
    std::vector<cl_int> expected(shared, shared + kInts);
    for (size_t i = 0; i < kInts; ++i) expected[i] = 3 * expected[i] + static_cast<cl_int>(i);
    compute(context, buffer, 3);
    EXPECT_TRUE(std::ranges::equal(expected, std::span(shared, kInts)));
    std::reverse(shared, shared + kInts);
  }
}

TEST_F(ExternalMemoryTest, TransfersAndMapsUseIt) {
  const SharedMemory memory(3 * kBytes);
  std::fill_n(memory.data(), memory.size(), 0xEE);
  const MemoryHolder buffer = import(memory, kBytes);
  const MemoryHolder own(clCreateBuffer(context, 0, kBytes, nullptr, nullptr));
  std::vector<unsigned char> host(kBytes);
  std::iota(host.begin(), host.end(), 1);
  acquire(queue, buffer);
  EXPECT_EQ(
      clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 5, kBytes - 5, host.data(), 0, nullptr, nullptr),
      CL_SUCCESS);
  EXPECT_EQ(std::memcmp(memory.data() + 5, host.data(), kBytes - 5), 0);
  EXPECT_EQ(clEnqueueCopyBuffer(queue, buffer, own, 0, 0, kBytes, 0, nullptr, nullptr), CL_SUCCESS);
  const auto copied = readBuffer<unsigned char>(queue, own, kBytes);
  EXPECT_EQ(std::memcmp(memory.data(), copied.data(), kBytes), 0);
  const unsigned char pattern = 0x5A;
  EXPECT_EQ(clEnqueueFillBuffer(queue, buffer, &pattern, 1, 4090, 11, 0, nullptr, nullptr),
            CL_SUCCESS);
  cl_int error = CL_INVALID_EVENT;
  auto* const mapped = static_cast<unsigned char*>(clEnqueueMapBuffer(
      queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 4000, 200, 0, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(mapped[90], pattern);
  mapped[0] = 0x77;
  EXPECT_EQ(memory.data()[4000], 0x77);
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
  release(queue, buffer);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_TRUE(std::all_of(memory.data() + kBytes, memory.data() + memory.size(),
                          [](unsigned char byte) { return byte == 0xEE; }));
}

TEST_F(ExternalMemoryTest, SubBuffersArePartsOfIt) {
  const SharedMemory memory(kBytes);
  MemoryHolder buffer = import(memory, kBytes);
  const cl_buffer_region region{4096 + 128, 333};
  const MemoryHolder part(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  const cl_mem handle = part;
  EXPECT_EQ(externalMemory().acquire(queue, 1, &handle, 0, nullptr, nullptr), CL_INVALID_MEM_OBJECT)
      << "it was not made with a handle";
  buffer.reset();
  const unsigned char pattern = 9;
  EXPECT_EQ(clEnqueueFillBuffer(queue, part, &pattern, 1, 0, 333, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(std::count(memory.data(), memory.data() + kBytes, 9), 333);
  EXPECT_EQ(memory.data()[region.origin], 9);
  EXPECT_EQ(sharedMappings(), 2u);
}

TEST_F(ExternalMemoryTest, ObjectsAnswerQueriesAsOthersDo) {
  const SharedMemory memory(kBytes);
  const int file = memory.handle();
  const auto self = reinterpret_cast<cl_mem_properties>(device());
  const Properties list{CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR,
                        static_cast<cl_mem_properties>(file),
                        khr::kMemDeviceHandleList,
                        self,
                        khr::kMemDeviceHandleListEnd,
                        0};
  const MemoryHolder buffer = importBuffer(context, list, kBytes, CL_MEM_READ_ONLY);
  EXPECT_EQ(infoList<cl_mem_properties>([&](size_t size, void* value, size_t* ret) {
              return clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, size, value, ret);
            }),
            list);
  EXPECT_EQ(info<cl_mem_flags>(buffer, CL_MEM_FLAGS), cl_mem_flags{CL_MEM_READ_ONLY});
  EXPECT_EQ(info<size_t>(buffer, CL_MEM_SIZE), kBytes);
  EXPECT_EQ(info<void*>(buffer, CL_MEM_HOST_PTR), nullptr);
  EXPECT_EQ(info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER), cl_bool{CL_FALSE});
}

TEST_F(ExternalMemoryTest, TwoContextsShareIt) {
  const SharedMemory memory(kBytes);
  std::fill_n(memory.data<cl_int>(), kInts, 1);
  const ContextHolder other = makeContext();
  const MemoryHolder here = import(memory, kBytes);
  const MemoryHolder there =
      importBuffer(other, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, memory.handle()), kBytes);
  compute(context, here, 2);  // 2 + i
  compute(other, there, 5);   // 10 + 6 i
  for (size_t i = 0; i < kInts; ++i)
    ASSERT_EQ(memory.data<cl_int>()[i], static_cast<cl_int>(10 + 6 * i));
  // Imported twice into one context, it is two objects.
  const MemoryHolder again = import(memory, kBytes);
  EXPECT_NE(again.get(), here.get());
  compute(context, again, 0);
  EXPECT_EQ(memory.data<cl_int>()[kInts - 1], cl_int{kInts - 1});
}

TEST_F(ExternalMemoryTest, ProcessesShareIt) {
  if (kThreadSanitizer) GTEST_SKIP() << "it lets no process with threads fork and go on";
  const SharedMemory memory(kBytes);
  std::fill_n(memory.data<cl_int>(), kInts, 1);
  const MemoryHolder buffer = import(memory, kBytes);
  compute(context, buffer, 2);  // 2 + i
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ContextHolder own = makeContext();
    compute(
        own,
        importBuffer(own, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, memory.handle()), kBytes),
        3);
    compute(context, buffer, 1);  // the object of before the fork
    std::_Exit(HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  for (size_t i = 0; i < kInts; ++i)
    ASSERT_EQ(memory.data<cl_int>()[i], static_cast<cl_int>(3 * (2 + i) + i + i));
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 1)[0], 6);
}

TEST_F(ExternalMemoryTest, DescriptorsAndMappingsAreGivenBack) {
  const SharedMemory memory(kBytes);
  compute(context, import(memory, kBytes), 1);  // what the library opens once
  const size_t files = openFiles();
  ASSERT_EQ(sharedMappings(), 1u);
  for (int round = 0; round < 20; ++round) {
    const int file = memory.handle();
    const int rest = memory.handle();
    MemoryHolder buffer =
        importBuffer(context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, file), kBytes);
    EXPECT_FALSE(isOpen(file)) << "it is the library's, and a mapping does without";
    EXPECT_EQ(sharedMappings(), 2u);
    cl_int error = CL_SUCCESS;
    EXPECT_EQ(clCreateBufferWithProperties(
                  context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, rest).data(), 0,
                  kBytes + 1, nullptr, &error),
              nullptr);
    EXPECT_EQ(error, CL_INVALID_BUFFER_SIZE);
    EXPECT_TRUE(isOpen(rest)) << "the call failed";
    close(rest);
    const EventHolder gate = makeUserEvent(context);
    const cl_event first = gate;
    const cl_int pattern = round;
    EXPECT_EQ(
        clEnqueueFillBuffer(queue, buffer, &pattern, sizeof pattern, 0, kBytes, 1, &first, nullptr),
        CL_SUCCESS);
    buffer.reset();  // the command holds it
    EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_EQ(memory.data<cl_int>()[kInts - 1], round);
    EXPECT_EQ(sharedMappings(), 1u);
    EXPECT_EQ(openFiles(), files);
  }
}

TEST_F(ExternalMemoryTest, ImmutableObjectsNeedNoWritableDescriptor) {
  const SharedMemory memory(kBytes);
  std::iota(memory.data<cl_int>(), memory.data<cl_int>() + kInts, 0);
  constexpr cl_mem_flags kImmutable = khr::kMemImmutable | CL_MEM_READ_ONLY;
  const int file = memory.handle(O_RDONLY);
  const MemoryHolder buffer = importBuffer(
      context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, file), kBytes, kImmutable);
  acquire(queue, buffer);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, kInts)[1234], 1234);
  const char byte = 0;
  EXPECT_EQ(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 0, nullptr, nullptr),
            CL_INVALID_OPERATION);
  release(queue, buffer);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

/// Writes 1000 * layer + 10 * y + x to all of a 2D array.
constexpr const char* kDraw = R"(
    kernel void k(write_only image2d_array_t image) {
      int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
      write_imagei(image, at, (int4)(1000 * at.z + 10 * at.y + at.x));
    })";

TEST_F(ExternalMemoryTest, ImagesAreLinearInIt) {
  constexpr size_t kWidth = 13, kHeight = 7, kLayers = 3;
  const cl_image_format format{CL_R, CL_SIGNED_INT32};
  const ProgramHolder program = buildProgram(context, kDraw);
  const KernelHolder kernel = makeKernel(program, "k");
  const struct {
    size_t row, slice;            // as given
    size_t inMemory, sliceBytes;  // what that comes to
  } rows[] = {{0, 0, 52, 364}, {60, 0, 60, 420}, {60, 480, 60, 480}, {0, 416, 52, 416}};
  for (const auto& pitch : rows) {
    const SharedMemory memory(kLayers * pitch.sliceBytes);
    cl_image_desc description = describe(CL_MEM_OBJECT_IMAGE2D_ARRAY, kWidth, kHeight, 0, kLayers);
    description.image_row_pitch = pitch.row;
    description.image_slice_pitch = pitch.slice;
    cl_int error = CL_INVALID_EVENT;
    const MemoryHolder image(clCreateImageWithProperties(
        context, importOf(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, memory.handle()).data(), 0,
        &format, &description, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    size_t reported = 0;
    EXPECT_EQ(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof reported, &reported, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(reported, pitch.inMemory);
    setBuffer(kernel, 0, image);
    const size_t range[] = {kWidth, kHeight, kLayers};
    acquire(queue, image);
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, range, nullptr, 0, nullptr, nullptr),
        CL_SUCCESS);
    release(queue, image);
    EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    for (size_t z = 0; z < kLayers; ++z)
      for (size_t y = 0; y < kHeight; ++y)
        for (size_t x = 0; x < kWidth; ++x) {
          cl_int value = -1;
          std::memcpy(&value,
                      memory.data() + z * pitch.sliceBytes + y * pitch.inMemory + x * sizeof value,
                      sizeof value);
          ASSERT_EQ(value, static_cast<cl_int>(1000 * z + 10 * y + x));
        }
    // And what others write there is what a read finds.
    memory.data<cl_int>()[1] = 4711;
    const size_t origin[] = {1, 0, 0}, one[] = {1, 1, 1};
    cl_int found = 0;
    EXPECT_EQ(
        clEnqueueReadImage(queue, image, CL_TRUE, origin, one, 0, 0, &found, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(found, 4711);
  }
  EXPECT_EQ(sharedMappings(), 0u);
}

}  // namespace
}  // namespace weft::test
