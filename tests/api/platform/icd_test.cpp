// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_icd.h>
#include <gtest/gtest.h>

#include <cstring>

#include "support/objects.h"
#include "weft/khr/icd.h"
#include "weft/khr/opencl_3_1.h"

// cl_khr_icd as a loader sees it: through words of memory and names.

namespace weft::test {
namespace {

/// The first word of every object.
struct Loaded {
  const cl_icd_dispatch* dispatch;
};

const Loaded& asLoaded(const void* object) { return *static_cast<const Loaded*>(object); }

struct Slot {
  const char* name;
  size_t offset;
  void* exported;  ///< null for functions of extensions
};

const Slot kSlots[] = {
#define WEFT_CORE(name) {#name, offsetof(cl_icd_dispatch, name), reinterpret_cast<void*>(&::name)},
#define WEFT_HIDDEN(name, function) {#name, offsetof(cl_icd_dispatch, name), nullptr},
#include "dispatch.def"
#undef WEFT_CORE
#undef WEFT_HIDDEN
};

void* slotValue(const Slot& slot) {
  void* value = nullptr;
  std::memcpy(&value, reinterpret_cast<const char*>(asLoaded(platform()).dispatch) + slot.offset,
              sizeof value);
  return value;
}

TEST(Icd, NamesEverySlotOnceAndInOrder) {
  size_t offset = 0;
  for (const Slot& slot : kSlots) {
    EXPECT_EQ(slot.offset, offset) << slot.name;
    offset += sizeof(void*);
  }
  EXPECT_EQ(offset, sizeof(cl_icd_dispatch));
}

// The tags of cl_khr_icd 2.0, which stand in the places of functions, are not among them: a loader
// then calls through data that it, or another loader of the process, has given the platform or not.
// Python's packages bring loaders of their own.
TEST(Icd, FillsEverySlotWithItsFunction) {
  for (const Slot& slot : kSlots) {
    EXPECT_NE(slotValue(slot), nullptr) << slot.name;
    if (slot.exported) {
      EXPECT_EQ(slotValue(slot), slot.exported) << slot.name;
    }
  }
}

// What came after the tables of the distribution's headers.
TEST(Icd, TheLastSlotIsOfOpenCl31) {
  const Slot last{"clGetKernelSuggestedLocalWorkSize", sizeof(cl_icd_dispatch), nullptr};
  void* const exported = reinterpret_cast<void*>(&clGetKernelSuggestedLocalWorkSize);
  EXPECT_EQ(slotValue(last), exported);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), last.name), exported);
}

TEST(Icd, FindsExtensionFunctionsByName) {
  for (const char* name : {"clIcdGetPlatformIDsKHR", "clCreateCommandQueueWithPropertiesKHR",
                           "clGetKernelSuggestedLocalWorkSizeKHR"}) {
    EXPECT_NE(clGetExtensionFunctionAddress(name), nullptr) << name;
    EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform(), name),
              clGetExtensionFunctionAddress(name))
        << name;
  }
  // A program takes an address as a promise, so what is not reported has none.
  for (const char* name : {"clIcdSetPlatformDispatchDataKHR", "clCreateSubDevicesEXT",
                           "clCreateFromEGLImageKHR", "clNoSuchThing", ""})
    EXPECT_EQ(clGetExtensionFunctionAddress(name), nullptr) << name;
  EXPECT_EQ(clGetExtensionFunctionAddress(nullptr), nullptr);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(nullptr, "clIcdGetPlatformIDsKHR"), nullptr);
}

TEST(Icd, TheTableReachesEveryObject) {
  const ContextHolder context = makeContext();
  const QueueHolder queue = makeQueue(context);
  const MemoryHolder buffer(clCreateBuffer(context, 0, 256, nullptr, nullptr));
  const cl_buffer_region region{0, 128};
  const MemoryHolder sub(
      clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  const EventHolder user(clCreateUserEvent(context, nullptr));
  cl_event marked = nullptr;
  ASSERT_EQ(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marked), CL_SUCCESS);
  const EventHolder event(marked);
  const char* source = "kernel void k() {}";
  const ProgramHolder program(clCreateProgramWithSource(context, 1, &source, nullptr, nullptr));
  for (const void* object :
       {static_cast<const void*>(platform()), static_cast<const void*>(device()),
        static_cast<const void*>(context.get()), static_cast<const void*>(queue.get()),
        static_cast<const void*>(buffer.get()), static_cast<const void*>(sub.get()),
        static_cast<const void*>(user.get()), static_cast<const void*>(event.get()),
        static_cast<const void*>(program.get())}) {
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(asLoaded(object).dispatch, asLoaded(platform()).dispatch);
  }
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  const KernelHolder kernel(clCreateKernel(program, "k", nullptr));
  ASSERT_NE(kernel.get(), nullptr);
  EXPECT_EQ(asLoaded(kernel.get()).dispatch, asLoaded(platform()).dispatch);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
