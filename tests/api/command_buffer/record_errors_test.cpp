// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The errors of every recording function: those that all have, then each one's own.
#include <functional>
#include <string>

#include "fixture.h"

namespace weft::test {
namespace {

/// What is common to all recording functions.
struct Common {
  khr::cl_command_buffer buffer = nullptr;
  cl_command_queue queue = nullptr;
  const cl_properties* properties = nullptr;
  cl_uint waitCount = 0;
  const khr::cl_sync_point* waits = nullptr;
  khr::cl_sync_point* point = nullptr;
  khr::cl_mutable_command* handle = nullptr;
};

/// One recording function with all other arguments bound to valid ones.
struct RecordCall {
  std::string name;
  std::function<cl_int(const Common&)> record;
  cl_int success = CL_SUCCESS;  ///< what it gives when all is right
  bool hasHandle = false;
};

#define WEFT_BEFORE c.buffer, c.queue, c.properties
#define WEFT_AFTER c.waitCount, c.waits, c.point, c.handle

class RecordErrors : public CommandBufferTest {
 protected:
  std::vector<RecordCall> calls() {
    static constexpr size_t kOrigin[3] = {};
    static constexpr size_t kRegion[3] = {4, 1, 1};
    static constexpr cl_int kPattern[4] = {};
    return {
        {"Barrier",
         [&](const Common& c) {
           return api.clCommandBarrierWithWaitListKHR(WEFT_BEFORE, WEFT_AFTER);
         }},
        {"CopyBuffer",
         [&](const Common& c) {
           return api.clCommandCopyBufferKHR(WEFT_BEFORE, source, target, 0, 0, 16, WEFT_AFTER);
         }},
        {"CopyBufferRect",
         [&](const Common& c) {
           return api.clCommandCopyBufferRectKHR(WEFT_BEFORE, source, target, kOrigin, kOrigin,
                                                 kRegion, 0, 0, 0, 0, WEFT_AFTER);
         }},
        {"FillBuffer",
         [&](const Common& c) {
           return api.clCommandFillBufferKHR(WEFT_BEFORE, target, kPattern, 16, 0, 32, WEFT_AFTER);
         }},
        {"NDRangeKernel",
         [&](const Common& c) {
           const size_t items = 8;
           return api.clCommandNDRangeKernelKHR(WEFT_BEFORE, kernel, 1, nullptr, &items, nullptr,
                                                WEFT_AFTER);
         },
         CL_SUCCESS, true},
        {"CopyBufferToImage",
         [&](const Common& c) {
           return api.clCommandCopyBufferToImageKHR(WEFT_BEFORE, source, targetImage, 0, kOrigin,
                                                    kRegion, WEFT_AFTER);
         }},
        {"CopyImage",
         [&](const Common& c) {
           return api.clCommandCopyImageKHR(WEFT_BEFORE, sourceImage, targetImage, kOrigin, kOrigin,
                                            kRegion, WEFT_AFTER);
         }},
        {"CopyImageToBuffer",
         [&](const Common& c) {
           return api.clCommandCopyImageToBufferKHR(WEFT_BEFORE, sourceImage, target, kOrigin,
                                                    kRegion, 0, WEFT_AFTER);
         }},
        {"FillImage",
         [&](const Common& c) {
           return api.clCommandFillImageKHR(WEFT_BEFORE, targetImage, kPattern, kOrigin, kRegion,
                                            WEFT_AFTER);
         }},
        {"SVMMemcpy",
         [&](const Common& c) {
           return api.clCommandSVMMemcpyKHR(WEFT_BEFORE, svm(0), svm(64), 16, WEFT_AFTER);
         },
         svmResult()},
        {"SVMMemFill",
         [&](const Common& c) {
           return api.clCommandSVMMemFillKHR(WEFT_BEFORE, svm(0), kPattern, 16, 32, WEFT_AFTER);
         },
         svmResult()},
    };
  }

  MemoryHolder image() {
    const cl_image_format format{CL_RGBA, CL_SIGNED_INT32};
    cl_image_desc descriptor{};
    descriptor.image_type = CL_MEM_OBJECT_IMAGE1D;
    descriptor.image_width = 16;
    cl_int error = CL_INVALID_VALUE;
    MemoryHolder made(clCreateImage(context, 0, &format, &descriptor, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
  std::byte* svm(size_t offset) { return svm_ ? svm_ + offset : nullptr; }
  cl_int svmResult() const { return svm_ ? CL_SUCCESS : CL_INVALID_OPERATION; }
  void TearDown() override {
    if (svm_) clSVMFree(context, svm_);
  }

  MemoryHolder source = zeros(64);
  MemoryHolder target = zeros(64);
  MemoryHolder sourceImage = image();
  MemoryHolder targetImage = image();
  ProgramHolder program = buildProgram(
      context, "kernel void set(global int* out, int v) { out[get_global_id(0)] = v; }");
  KernelHolder kernel = [this] {
    KernelHolder made = makeKernel(program, "set");
    setBuffer(made, 0, target);
    setArgument(made, 1, cl_int{3});
    return made;
  }();

 private:
  /// Null where the device has no shared virtual memory.
  std::byte* svm_ = static_cast<std::byte*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 128, 0));
};

TEST_F(RecordErrors, OfEveryFunction) {
  const CommandBufferHolder buffer = make();
  const CommandBufferHolder finalized = make();
  finalize(finalized);
  for (const RecordCall& call : calls()) {
    SCOPED_TRACE(call.name);
    const auto with = [&](auto&& change) {
      Common common{.buffer = buffer};
      change(common);
      return call.record(common);
    };
    const khr::cl_sync_point known = barrier(buffer);
    const khr::cl_sync_point unknown = known + 1000;
    const khr::cl_sync_point zero = 0;
    const cl_properties unknownProperty[] = {0x4711, 0, 0};
    const cl_properties none[] = {0};

    EXPECT_EQ(with([&](Common& c) { c.buffer = nullptr; }), khr::kInvalidCommandBuffer);
    EXPECT_EQ(with([&](Common& c) {
                c.buffer = reinterpret_cast<khr::cl_command_buffer>(context.get());
              }),
              khr::kInvalidCommandBuffer);
    EXPECT_EQ(with([&](Common& c) { c.queue = queue; }), CL_INVALID_COMMAND_QUEUE);
    EXPECT_EQ(with([&](Common& c) { c.buffer = finalized; }), CL_INVALID_OPERATION);
    EXPECT_EQ(with([&](Common& c) { c.properties = unknownProperty; }), CL_INVALID_VALUE);
    EXPECT_EQ(with([&](Common& c) { c.waitCount = 1; }), khr::kInvalidSyncPointWaitList);
    EXPECT_EQ(with([&](Common& c) { c.waits = &known; }), khr::kInvalidSyncPointWaitList);
    EXPECT_EQ(with([&](Common& c) {
                c.waits = &unknown;
                c.waitCount = 1;
              }),
              khr::kInvalidSyncPointWaitList);
    EXPECT_EQ(with([&](Common& c) {
                c.waits = &zero;
                c.waitCount = 1;
              }),
              khr::kInvalidSyncPointWaitList);
    if (!call.hasHandle) {
      khr::cl_mutable_command handle = nullptr;
      EXPECT_EQ(with([&](Common& c) { c.handle = &handle; }), CL_INVALID_VALUE);
      EXPECT_EQ(handle, nullptr);
    }
    khr::cl_sync_point point = 0;
    EXPECT_EQ(with([&](Common& c) {
                c.properties = none;
                c.waits = &known;
                c.waitCount = 1;
                c.point = &point;
              }),
              call.success);
    EXPECT_EQ(point != 0, call.success == CL_SUCCESS) << "a sync point if and only if recorded";
  }
  finalize(buffer);
  EXPECT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
}

TEST_F(RecordErrors, OfCopies) {
  const CommandBufferHolder buffer = make();
  const ContextHolder otherContext = makeContext();
  const MemoryHolder foreign = makeBuffer(otherContext, std::vector<cl_int>(64));
  const auto copied = [&](cl_mem from, cl_mem to, size_t fromOffset, size_t toOffset, size_t size) {
    return api.clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, fromOffset, toOffset,
                                      size, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(copied(nullptr, target, 0, 0, 4), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(copied(source, nullptr, 0, 0, 4), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(copied(foreign, target, 0, 0, 4), CL_INVALID_CONTEXT);
  EXPECT_EQ(copied(source, foreign, 0, 0, 4), CL_INVALID_CONTEXT);
  EXPECT_EQ(copied(source, target, 253, 0, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, 0, ~size_t{0}, 4), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, source, 0, 8, 16), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copied(source, source, 0, 16, 16), CL_SUCCESS);
}

TEST_F(RecordErrors, OfRectCopies) {
  const CommandBufferHolder buffer = make();
  const ContextHolder otherContext = makeContext();
  const MemoryHolder foreign = makeBuffer(otherContext, std::vector<cl_int>(64));
  const size_t origin[3] = {};
  const size_t region[3] = {4, 2, 1};
  const size_t empty[3] = {4, 0, 1};
  const auto copied = [&](cl_mem from, cl_mem to, const size_t* fromOrigin, const size_t* toOrigin,
                          const size_t* box, size_t rowPitch) {
    return api.clCommandCopyBufferRectKHR(buffer, nullptr, nullptr, from, to, fromOrigin, toOrigin,
                                          box, rowPitch, 0, 0, 0, 0, nullptr, nullptr, nullptr);
  };
  const size_t beyond[3] = {250, 0, 0};
  EXPECT_EQ(copied(nullptr, target, origin, origin, region, 0), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(copied(source, foreign, origin, origin, region, 0), CL_INVALID_CONTEXT);
  EXPECT_EQ(copied(source, target, nullptr, origin, region, 0), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, origin, nullptr, region, 0), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, origin, origin, nullptr, 0), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, origin, origin, empty, 0), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, origin, origin, region, 3), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, target, beyond, origin, region, 0), CL_INVALID_VALUE);
  EXPECT_EQ(copied(source, source, origin, origin, region, 0), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(copied(source, target, origin, origin, region, 0), CL_SUCCESS);
}

TEST_F(RecordErrors, OfFills) {
  const CommandBufferHolder buffer = make();
  const ContextHolder otherContext = makeContext();
  const MemoryHolder foreign = makeBuffer(otherContext, std::vector<cl_int>(64));
  const cl_int pattern[64] = {};
  const auto filled = [&](cl_mem memory, const void* bytes, size_t patternSize, size_t offset,
                          size_t size) {
    return api.clCommandFillBufferKHR(buffer, nullptr, nullptr, memory, bytes, patternSize, offset,
                                      size, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(filled(nullptr, pattern, 4, 0, 16), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(filled(foreign, pattern, 4, 0, 16), CL_INVALID_CONTEXT);
  EXPECT_EQ(filled(target, pattern, 4, 0, 260), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, nullptr, 4, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 0, 0, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 3, 0, 12), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 256, 0, 256), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 8, 4, 16), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 8, 8, 20), CL_INVALID_VALUE);
  EXPECT_EQ(filled(target, pattern, 8, 8, 24), CL_SUCCESS);
}

TEST_F(RecordErrors, OfLaunches) {
  const CommandBufferHolder buffer = make();
  const ContextHolder otherContext = makeContext();
  const ProgramHolder otherProgram =
      buildProgram(otherContext, "kernel void set(global int* out) {}");
  const KernelHolder foreign = makeKernel(otherProgram, "set");
  const KernelHolder unset = makeKernel(program, "set");
  const size_t eight = 8, huge = size_t{1} << 20, zero = 0;
  const auto launched = [&](cl_kernel which, cl_uint dimensions, const size_t* global,
                            const size_t* local, const Properties& properties = {}) {
    return api.clCommandNDRangeKernelKHR(
        buffer, nullptr, properties.empty() ? nullptr : properties.data(), which, dimensions,
        nullptr, global, local, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_EQ(launched(nullptr, 1, &eight, nullptr), CL_INVALID_KERNEL);
  EXPECT_EQ(launched(foreign, 1, &eight, nullptr), CL_INVALID_CONTEXT);
  EXPECT_EQ(launched(unset, 1, &eight, nullptr), CL_INVALID_KERNEL_ARGS);
  EXPECT_EQ(launched(kernel, 0, &eight, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launched(kernel, 4, &eight, nullptr), CL_INVALID_WORK_DIMENSION);
  EXPECT_EQ(launched(kernel, 1, &eight, &zero), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(launched(kernel, 1, &huge, &huge), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(
      launched(kernel, 1, &eight, nullptr, {khr::kMutableDispatchUpdatableFields, 1u << 9, 0}),
      CL_INVALID_VALUE);
  EXPECT_EQ(launched(kernel, 1, &eight, nullptr, {khr::kMutableDispatchAsserts, 2, 0}),
            CL_INVALID_VALUE);
  EXPECT_EQ(launched(kernel, 1, &eight, nullptr,
                     {khr::kMutableDispatchAsserts, 0, khr::kMutableDispatchAsserts, 0, 0}),
            CL_INVALID_VALUE);
  // A bound on the number of work-groups needs their size.
  const Properties bounded{khr::kMutableDispatchAsserts, khr::kAssertNoAdditionalWorkGroups, 0};
  EXPECT_EQ(launched(kernel, 1, &eight, nullptr, bounded), CL_INVALID_VALUE);
  EXPECT_EQ(launched(kernel, 1, &eight, &eight, bounded), CL_SUCCESS);
  const CommandBufferHolder boundedBuffer =
      make({khr::kCommandBufferMutableDispatchAsserts, khr::kAssertNoAdditionalWorkGroups, 0});
  EXPECT_EQ(api.clCommandNDRangeKernelKHR(boundedBuffer, nullptr, nullptr, kernel, 1, nullptr,
                                          &eight, nullptr, 0, nullptr, nullptr, nullptr),
            CL_INVALID_VALUE);
}

}  // namespace
}  // namespace weft::test
