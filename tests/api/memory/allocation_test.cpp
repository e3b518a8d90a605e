// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "support/objects.h"

namespace weft::test {
namespace {

cl_ulong deviceNumber(cl_device_info name) {
  cl_ulong value = 0;
  EXPECT_EQ(clGetDeviceInfo(device(), name, sizeof value, &value, nullptr), CL_SUCCESS);
  return value;
}

struct Notices {
  std::atomic<int> count{0};
  std::atomic<bool> aboutMemory{false};
};

void CL_CALLBACK notice(const char* text, const void*, size_t, void* userData) {
  auto* const notices = static_cast<Notices*>(userData);
  notices->aboutMemory = std::strstr(text, "no memory for a buffer") != nullptr;
  ++notices->count;
}

TEST(Allocation, AllBuffersTogetherFitTheDevice) {
  // Untouched, such buffers cost nothing: it is the device's figure that must stop them.
  const auto size = static_cast<size_t>(deviceNumber(CL_DEVICE_MAX_MEM_ALLOC_SIZE) / 4);
  const cl_ulong most = deviceNumber(CL_DEVICE_GLOBAL_MEM_SIZE) / size;
  const cl_device_id only = device();
  Notices notices;
  ContextHolder context(clCreateContext(nullptr, 1, &only, notice, &notices, nullptr));
  std::vector<MemoryHolder> buffers;
  cl_int error = CL_SUCCESS;
  while (buffers.size() <= most) {
    MemoryHolder buffer(clCreateBuffer(context, 0, size, nullptr, &error));
    if (!buffer.get()) break;
    buffers.push_back(std::move(buffer));
  }
  EXPECT_EQ(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  EXPECT_LE(buffers.size(), most);
  for (int i = 0; i < 5000 && notices.count == 0; ++i) usleep(1000);
  EXPECT_EQ(notices.count, 1) << "the context's callback is told";
  EXPECT_TRUE(notices.aboutMemory);
  const size_t before = buffers.size();
  buffers.clear();
  // What has been given back can be had again.
  for (size_t i = 0; i < before; ++i) {
    buffers.emplace_back(clCreateBuffer(context, 0, size, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS) << i << " of " << before;
  }
}

TEST(Allocation, MemoryOfTheHostIsNotTheDevices) {
  // Nothing is allocated, so nothing counts: no limit but that of one buffer.
  const auto size = static_cast<size_t>(deviceNumber(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  const ContextHolder context = makeContext();
  char host[16] = {};
  std::vector<MemoryHolder> buffers;
  for (int i = 0; i < 5; ++i) {
    cl_int error = CL_INVALID_VALUE;
    buffers.emplace_back(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, size, host, &error));
    EXPECT_EQ(error, CL_SUCCESS);
  }
}

}  // namespace
}  // namespace weft::test
