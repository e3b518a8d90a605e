// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every handle of every function of OpenCL 3.0, replaced by null and by a live object of each other
// kind, while all other arguments are right.
#include <functional>
#include <string>
#include <vector>

#include "support/programs.h"
#include "support/wait_list.h"
#include "weft/khr/opencl_3_1.h"

namespace weft::test {
namespace {

/// A call with a wrong handle in one place, which may be any pointer.
struct Call {
  std::string name;
  cl_int code;
  std::function<cl_int(void* wrong)> make;
  bool nullIsRight = false;
};

class WrongHandlesTest : public testing::Test {
 protected:
  /// A context rather than another kind stands in for images and samplers, which cannot exist.
  struct Object {
    const char* kind;
    void* handle;
  };

  /// Checks all calls with every object but those of `kind`.
  void check(const char* kind, const std::vector<Call>& calls) {
    const Object objects[] = {
        {"platform", platform()}, {"device", device()},     {"context", context.get()},
        {"queue", queue.get()},   {"memory", buffer.get()}, {"program", program.get()},
        {"kernel", kernel.get()}, {"event", event.get()},   {"null", nullptr}};
    for (const Call& call : calls)
      for (const Object& object : objects) {
        if (std::string(object.kind) == kind) continue;
        if (object.handle == nullptr && call.nullIsRight) continue;
        EXPECT_EQ(call.make(object.handle), call.code)
            << call.name << " with " << object.kind << " for " << kind;
      }
  }

  /// What an `errcode_ret` says of a call that must give nothing.
  template <class Function>
  static cl_int errorOf(Function call) {
    cl_int error = CL_SUCCESS;
    EXPECT_FALSE(call(&error));
    return error;
  }

  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);
  MemoryHolder buffer{clCreateBuffer(context, 0, 1024, nullptr, nullptr)};
  ProgramHolder program = buildProgram(context, "kernel void k(global int* p) {}");
  KernelHolder kernel = makeKernel(program, "k");
  EventHolder event = makeUserEvent(context);
  char bytes[1024] = {};
  const size_t zero[3] = {}, one[3] = {1, 1, 1};
  const int pattern = 0;
};

#define WEFT_CALL(function, code, ...)                                  \
  Call {                                                                \
    #function, code, [&](void* wrong) { return function(__VA_ARGS__); } \
  }
#define WEFT_MAKE(function, code, ...)                                                             \
  Call {                                                                                           \
    #function, code,                                                                               \
        [&](void* wrong) { return errorOf([&](cl_int* error) { return function(__VA_ARGS__); }); } \
  }

TEST_F(WrongHandlesTest, PlatformsAndDevices) {
  const auto p = [](void* wrong) { return static_cast<cl_platform_id>(wrong); };
  const auto d = [](void* wrong) { return static_cast<cl_device_id>(wrong); };
  cl_ulong time = 0;
  size_t size = 0;
  cl_uint count = 0;
  std::vector<Call> platforms{
      WEFT_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, p(wrong), CL_PLATFORM_NAME, 0, nullptr,
                &size),
      WEFT_CALL(clGetDeviceIDs, CL_INVALID_PLATFORM, p(wrong), CL_DEVICE_TYPE_ALL, 0, nullptr,
                &count),
      WEFT_CALL(clUnloadPlatformCompiler, CL_INVALID_PLATFORM, p(wrong)),
      {"clCreateContext", CL_INVALID_PLATFORM,
       [&](void* wrong) {
         const cl_device_id only = device();
         const cl_context_properties list[] = {CL_CONTEXT_PLATFORM,
                                               reinterpret_cast<cl_context_properties>(wrong), 0};
         return errorOf([&](cl_int* error) {
           return clCreateContext(list, 1, &only, nullptr, nullptr, error);
         });
       }},
  };
  for (Call& call : platforms)
    call.nullIsRight = call.name == "clGetPlatformInfo" || call.name == "clGetDeviceIDs";
  check("platform", platforms);
  check("device",
        {WEFT_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, d(wrong), CL_DEVICE_NAME, 0, nullptr, &size),
         WEFT_CALL(clRetainDevice, CL_INVALID_DEVICE, d(wrong)),
         WEFT_CALL(clReleaseDevice, CL_INVALID_DEVICE, d(wrong)),
         WEFT_CALL(clCreateSubDevices, CL_INVALID_DEVICE, d(wrong), nullptr, 0, nullptr, &count),
         WEFT_CALL(clGetDeviceAndHostTimer, CL_INVALID_DEVICE, d(wrong), &time, &time),
         WEFT_CALL(clGetHostTimer, CL_INVALID_DEVICE, d(wrong), &time),
         WEFT_MAKE(clCreateCommandQueue, CL_INVALID_DEVICE, context, d(wrong), 0, error),
         WEFT_MAKE(clCreateCommandQueueWithProperties, CL_INVALID_DEVICE, context, d(wrong),
                   nullptr, error),
         WEFT_CALL(clSetDefaultDeviceCommandQueue, CL_INVALID_DEVICE, context, d(wrong), queue),
         WEFT_CALL(clGetProgramBuildInfo, CL_INVALID_DEVICE, program, d(wrong),
                   CL_PROGRAM_BUILD_STATUS, 0, nullptr, &size),
         {"clCreateContext", CL_INVALID_DEVICE,
          [&](void* wrong) {
            const cl_device_id list[] = {device(), d(wrong)};
            return errorOf([&](cl_int* error) {
              return clCreateContext(nullptr, 2, list, nullptr, nullptr, error);
            });
          }},
         {"clBuildProgram", CL_INVALID_DEVICE, [&](void* wrong) {
            const cl_device_id list[] = {d(wrong)};
            return clBuildProgram(program, 1, list, nullptr, nullptr, nullptr);
          }}});
}

TEST_F(WrongHandlesTest, Contexts) {
  const auto c = [](void* wrong) { return static_cast<cl_context>(wrong); };
  const cl_int code = CL_INVALID_CONTEXT;
  const cl_device_id only = device();
  const char* source = "";
  const unsigned char binary[4] = {};
  const unsigned char* binaries[] = {binary};
  const size_t length = sizeof binary;
  const cl_image_format format{CL_RGBA, CL_UNORM_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 1;
  size_t size = 0;
  cl_uint count = 0;
  const cl_program linked = program;
  check("context",
        {WEFT_CALL(clRetainContext, code, c(wrong)),
         WEFT_CALL(clReleaseContext, code, c(wrong)),
         WEFT_CALL(clGetContextInfo, code, c(wrong), CL_CONTEXT_DEVICES, 0, nullptr, &size),
         WEFT_CALL(
             clSetContextDestructorCallback, code, c(wrong), [](cl_context, void*) {}, nullptr),
         WEFT_MAKE(clCreateCommandQueue, code, c(wrong), only, 0, error),
         WEFT_MAKE(clCreateCommandQueueWithProperties, code, c(wrong), only, nullptr, error),
         WEFT_CALL(clSetDefaultDeviceCommandQueue, code, c(wrong), only, queue),
         WEFT_MAKE(clCreateBuffer, code, c(wrong), 0, 16, nullptr, error),
         WEFT_MAKE(clCreateBufferWithProperties, code, c(wrong), nullptr, 0, 16, nullptr, error),
         WEFT_MAKE(clCreateImage, code, c(wrong), 0, &format, &description, nullptr, error),
         WEFT_MAKE(clCreateImageWithProperties, code, c(wrong), nullptr, 0, &format, &description,
                   nullptr, error),
         WEFT_MAKE(clCreateImage2D, code, c(wrong), 0, &format, 1, 1, 0, nullptr, error),
         WEFT_MAKE(clCreateImage3D, code, c(wrong), 0, &format, 1, 1, 2, 0, 0, nullptr, error),
         WEFT_CALL(clGetSupportedImageFormats, code, c(wrong), 0, CL_MEM_OBJECT_IMAGE2D, 0, nullptr,
                   &count),
         WEFT_MAKE(clCreatePipe, code, c(wrong), 0, 4, 4, nullptr, error),
         WEFT_MAKE(clCreateSampler, code, c(wrong), CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST,
                   error),
         WEFT_MAKE(clCreateSamplerWithProperties, code, c(wrong), nullptr, error),
         WEFT_MAKE(clCreateProgramWithSource, code, c(wrong), 1, &source, nullptr, error),
         WEFT_MAKE(clCreateProgramWithBinary, code, c(wrong), 1, &only, &length, binaries, nullptr,
                   error),
         WEFT_MAKE(clCreateProgramWithBuiltInKernels, code, c(wrong), 1, &only, "none", error),
         WEFT_MAKE(clCreateProgramWithIL, code, c(wrong), binary, length, error),
         WEFT_MAKE(clLinkProgram, code, c(wrong), 0, nullptr, nullptr, 1, &linked, nullptr, nullptr,
                   error),
         WEFT_MAKE(clCreateUserEvent, code, c(wrong), error),
         {"clSVMAlloc", CL_SUCCESS, [&](void* wrong) {
            return clSVMAlloc(c(wrong), CL_MEM_READ_WRITE, 16, 0) ? CL_INVALID_CONTEXT : CL_SUCCESS;
          }}});
}

TEST_F(WrongHandlesTest, MemoryObjects) {
  const auto m = [](void* wrong) { return static_cast<cl_mem>(wrong); };
  const cl_int code = CL_INVALID_MEM_OBJECT;
  const cl_buffer_region region{0, 16};
  size_t size = 0;
  check(
      "memory",
      {WEFT_CALL(clRetainMemObject, code, m(wrong)),
       WEFT_CALL(clReleaseMemObject, code, m(wrong)),
       WEFT_CALL(clGetMemObjectInfo, code, m(wrong), CL_MEM_SIZE, 0, nullptr, &size),
       WEFT_CALL(clGetImageInfo, code, m(wrong), CL_IMAGE_WIDTH, 0, nullptr, &size),
       WEFT_CALL(clGetPipeInfo, code, m(wrong), CL_PIPE_PACKET_SIZE, 0, nullptr, &size),
       WEFT_CALL(
           clSetMemObjectDestructorCallback, code, m(wrong), [](cl_mem, void*) {}, nullptr),
       WEFT_MAKE(clCreateSubBuffer, code, m(wrong), 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
                 error),
       WEFT_CALL(clEnqueueReadBuffer, code, queue, m(wrong), CL_TRUE, 0, 4, bytes, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueWriteBuffer, code, queue, m(wrong), CL_TRUE, 0, 4, bytes, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueReadBufferRect, code, queue, m(wrong), CL_TRUE, zero, zero, one, 0, 0, 0,
                 0, bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueWriteBufferRect, code, queue, m(wrong), CL_TRUE, zero, zero, one, 0, 0, 0,
                 0, bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBuffer, code, queue, m(wrong), buffer, 0, 16, 4, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBuffer, code, queue, buffer, m(wrong), 0, 16, 4, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBufferRect, code, queue, m(wrong), buffer, zero, zero, one, 0, 0, 0,
                 0, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBufferRect, code, queue, buffer, m(wrong), zero, zero, one, 0, 0, 0,
                 0, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueFillBuffer, code, queue, m(wrong), &pattern, 4, 0, 4, 0, nullptr,
                 nullptr),
       WEFT_MAKE(clEnqueueMapBuffer, code, queue, m(wrong), CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr,
                 nullptr, error),
       WEFT_CALL(clEnqueueUnmapMemObject, code, queue, m(wrong), bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueReadImage, code, queue, m(wrong), CL_TRUE, zero, one, 0, 0, bytes, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueWriteImage, code, queue, m(wrong), CL_TRUE, zero, one, 0, 0, bytes, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueFillImage, code, queue, m(wrong), bytes, zero, one, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyImage, code, queue, m(wrong), m(wrong), zero, zero, one, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueCopyImageToBuffer, code, queue, m(wrong), buffer, zero, one, 0, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBufferToImage, code, queue, m(wrong), buffer, 0, zero, one, 0,
                 nullptr, nullptr),
       WEFT_MAKE(clEnqueueMapImage, code, queue, m(wrong), CL_TRUE, CL_MAP_READ, zero, one, &size,
                 nullptr, 0, nullptr, nullptr, error),
       {"clEnqueueMigrateMemObjects", code,
        [&](void* wrong) {
          const cl_mem list[] = {buffer, m(wrong)};
          return clEnqueueMigrateMemObjects(queue, 2, list, 0, 0, nullptr, nullptr);
        }},
       {"clEnqueueNativeKernel", code,
        [&](void* wrong) {
          void* arguments[1] = {};
          const void* place = arguments;
          const cl_mem list[] = {m(wrong)};
          return clEnqueueNativeKernel(
              queue, [](void*) {}, arguments, sizeof arguments, 1, list, &place, 0, nullptr,
              nullptr);
        },
        true},
       {"clSetKernelArg", code,
        [&](void* wrong) { return clSetKernelArg(kernel, 0, sizeof wrong, &wrong); }, true}});
}

TEST_F(WrongHandlesTest, ProgramsKernelsAndSamplers) {
  const auto p = [](void* wrong) { return static_cast<cl_program>(wrong); };
  const auto k = [](void* wrong) { return static_cast<cl_kernel>(wrong); };
  const auto s = [](void* wrong) { return static_cast<cl_sampler>(wrong); };
  size_t size = 0;
  cl_uint count = 0;
  check(
      "program",
      {WEFT_CALL(clRetainProgram, CL_INVALID_PROGRAM, p(wrong)),
       WEFT_CALL(clReleaseProgram, CL_INVALID_PROGRAM, p(wrong)),
       WEFT_CALL(clBuildProgram, CL_INVALID_PROGRAM, p(wrong), 0, nullptr, nullptr, nullptr,
                 nullptr),
       WEFT_CALL(clCompileProgram, CL_INVALID_PROGRAM, p(wrong), 0, nullptr, nullptr, 0, nullptr,
                 nullptr, nullptr, nullptr),
       WEFT_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, p(wrong), CL_PROGRAM_NUM_DEVICES, 0, nullptr,
                 &size),
       WEFT_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, p(wrong), device(),
                 CL_PROGRAM_BUILD_STATUS, 0, nullptr, &size),
       WEFT_CALL(
           clSetProgramReleaseCallback, CL_INVALID_PROGRAM, p(wrong), [](cl_program, void*) {},
           nullptr),
       WEFT_CALL(clSetProgramSpecializationConstant, CL_INVALID_PROGRAM, p(wrong), 0, 4, &pattern),
       WEFT_MAKE(clCreateKernel, CL_INVALID_PROGRAM, p(wrong), "k", error),
       WEFT_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, p(wrong), 0, nullptr, &count),
       {"clLinkProgram", CL_INVALID_PROGRAM, [&](void* wrong) {
          const cl_program list[] = {p(wrong)};
          return errorOf([&](cl_int* error) {
            return clLinkProgram(context, 0, nullptr, nullptr, 1, list, nullptr, nullptr, error);
          });
        }}});
  check("kernel",
        {WEFT_CALL(clRetainKernel, CL_INVALID_KERNEL, k(wrong)),
         WEFT_CALL(clReleaseKernel, CL_INVALID_KERNEL, k(wrong)),
         WEFT_MAKE(clCloneKernel, CL_INVALID_KERNEL, k(wrong), error),
         WEFT_CALL(clSetKernelArg, CL_INVALID_KERNEL, k(wrong), 0, 4, &pattern),
         WEFT_CALL(clSetKernelArgSVMPointer, CL_INVALID_KERNEL, k(wrong), 0, bytes),
         WEFT_CALL(clSetKernelExecInfo, CL_INVALID_KERNEL, k(wrong), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                   0, nullptr),
         WEFT_CALL(clGetKernelInfo, CL_INVALID_KERNEL, k(wrong), CL_KERNEL_NUM_ARGS, 0, nullptr,
                   &size),
         WEFT_CALL(clGetKernelArgInfo, CL_INVALID_KERNEL, k(wrong), 0, CL_KERNEL_ARG_NAME, 0,
                   nullptr, &size),
         WEFT_CALL(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, k(wrong), device(),
                   CL_KERNEL_WORK_GROUP_SIZE, 0, nullptr, &size),
         WEFT_CALL(clGetKernelSubGroupInfo, CL_INVALID_KERNEL, k(wrong), device(),
                   CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, 0, nullptr, &size),
         WEFT_CALL(clEnqueueNDRangeKernel, CL_INVALID_KERNEL, queue, k(wrong), 1, nullptr, one,
                   nullptr, 0, nullptr, nullptr),
         WEFT_CALL(clGetKernelSuggestedLocalWorkSize, CL_INVALID_KERNEL, queue, k(wrong), 1,
                   nullptr, one, &size),
         WEFT_CALL(clEnqueueTask, CL_INVALID_KERNEL, queue, k(wrong), 0, nullptr, nullptr)});
  check("sampler", {WEFT_CALL(clRetainSampler, CL_INVALID_SAMPLER, s(wrong)),
                    WEFT_CALL(clReleaseSampler, CL_INVALID_SAMPLER, s(wrong)),
                    WEFT_CALL(clGetSamplerInfo, CL_INVALID_SAMPLER, s(wrong), CL_SAMPLER_CONTEXT, 0,
                              nullptr, &size)});
}

TEST_F(WrongHandlesTest, Events) {
  const auto e = [](void* wrong) { return static_cast<cl_event>(wrong); };
  size_t size = 0;
  std::vector<Call> calls{
      WEFT_CALL(clRetainEvent, CL_INVALID_EVENT, e(wrong)),
      WEFT_CALL(clReleaseEvent, CL_INVALID_EVENT, e(wrong)),
      WEFT_CALL(clGetEventInfo, CL_INVALID_EVENT, e(wrong), CL_EVENT_CONTEXT, 0, nullptr, &size),
      WEFT_CALL(clGetEventProfilingInfo, CL_INVALID_EVENT, e(wrong), CL_PROFILING_COMMAND_END, 0,
                nullptr, &size),
      WEFT_CALL(clSetUserEventStatus, CL_INVALID_EVENT, e(wrong), CL_COMPLETE),
      WEFT_CALL(
          clSetEventCallback, CL_INVALID_EVENT, e(wrong), CL_COMPLETE,
          [](cl_event, cl_int, void*) {}, nullptr),
      {"clWaitForEvents", CL_INVALID_EVENT,
       [&](void* wrong) {
         const cl_event list[] = {e(wrong)};
         return clWaitForEvents(1, list);
       }},
      {"clEnqueueWaitForEvents", CL_INVALID_EVENT, [&](void* wrong) {
         const cl_event list[] = {e(wrong)};
         return clEnqueueWaitForEvents(queue, 1, list);
       }}};
  check("event", calls);
}

TEST_F(WrongHandlesTest, Queues) {
  const auto q = [](void* wrong) { return static_cast<cl_command_queue>(wrong); };
  const cl_int code = CL_INVALID_COMMAND_QUEUE;
  const cl_mem memory = buffer;
  const cl_event ready = event;
  void* pointers[] = {bytes};
  const void* constPointers[] = {bytes};
  size_t size = 0;
  cl_event marker = nullptr;
  check(
      "queue",
      {WEFT_CALL(clRetainCommandQueue, code, q(wrong)),
       WEFT_CALL(clReleaseCommandQueue, code, q(wrong)),
       WEFT_CALL(clGetCommandQueueInfo, code, q(wrong), CL_QUEUE_DEVICE, 0, nullptr, &size),
       WEFT_CALL(clFlush, code, q(wrong)),
       WEFT_CALL(clFinish, code, q(wrong)),
       WEFT_CALL(clEnqueueReadBuffer, code, q(wrong), buffer, CL_TRUE, 0, 4, bytes, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueWriteBuffer, code, q(wrong), buffer, CL_TRUE, 0, 4, bytes, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueReadBufferRect, code, q(wrong), buffer, CL_TRUE, zero, zero, one, 0, 0, 0,
                 0, bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueWriteBufferRect, code, q(wrong), buffer, CL_TRUE, zero, zero, one, 0, 0,
                 0, 0, bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBuffer, code, q(wrong), buffer, buffer, 0, 16, 4, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueCopyBufferRect, code, q(wrong), buffer, buffer, zero, zero, one, 0, 0, 0,
                 0, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueFillBuffer, code, q(wrong), buffer, &pattern, 4, 0, 4, 0, nullptr,
                 nullptr),
       WEFT_MAKE(clEnqueueMapBuffer, code, q(wrong), buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, nullptr,
                 nullptr, error),
       WEFT_CALL(clEnqueueUnmapMemObject, code, q(wrong), buffer, bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueMigrateMemObjects, code, q(wrong), 1, &memory, 0, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueReadImage, code, q(wrong), buffer, CL_TRUE, zero, one, 0, 0, bytes, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueWriteImage, code, q(wrong), buffer, CL_TRUE, zero, one, 0, 0, bytes, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueFillImage, code, q(wrong), buffer, bytes, zero, one, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyImage, code, q(wrong), buffer, buffer, zero, zero, one, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueCopyImageToBuffer, code, q(wrong), buffer, buffer, zero, one, 0, 0,
                 nullptr, nullptr),
       WEFT_CALL(clEnqueueCopyBufferToImage, code, q(wrong), buffer, buffer, 0, zero, one, 0,
                 nullptr, nullptr),
       WEFT_MAKE(clEnqueueMapImage, code, q(wrong), buffer, CL_TRUE, CL_MAP_READ, zero, one, &size,
                 nullptr, 0, nullptr, nullptr, error),
       WEFT_CALL(clEnqueueNDRangeKernel, code, q(wrong), kernel, 1, nullptr, one, nullptr, 0,
                 nullptr, nullptr),
       WEFT_CALL(clGetKernelSuggestedLocalWorkSize, code, q(wrong), kernel, 1, nullptr, one, &size),
       WEFT_CALL(clEnqueueTask, code, q(wrong), kernel, 0, nullptr, nullptr),
       WEFT_CALL(
           clEnqueueNativeKernel, code, q(wrong), [](void*) {}, nullptr, 0, 0, nullptr, nullptr, 0,
           nullptr, nullptr),
       WEFT_CALL(clEnqueueMarker, code, q(wrong), &marker),
       WEFT_CALL(clEnqueueBarrier, code, q(wrong)),
       WEFT_CALL(clEnqueueWaitForEvents, code, q(wrong), 1, &ready),
       WEFT_CALL(clEnqueueMarkerWithWaitList, code, q(wrong), 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueBarrierWithWaitList, code, q(wrong), 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueSVMFree, code, q(wrong), 1, pointers, nullptr, nullptr, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueSVMMemcpy, code, q(wrong), CL_TRUE, bytes, bytes + 512, 4, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueSVMMemFill, code, q(wrong), bytes, &pattern, 4, 4, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueSVMMap, code, q(wrong), CL_TRUE, CL_MAP_READ, bytes, 4, 0, nullptr,
                 nullptr),
       WEFT_CALL(clEnqueueSVMUnmap, code, q(wrong), bytes, 0, nullptr, nullptr),
       WEFT_CALL(clEnqueueSVMMigrateMem, code, q(wrong), 1, constPointers, nullptr, 0, 0, nullptr,
                 nullptr)});
}

#undef WEFT_CALL
#undef WEFT_MAKE

}  // namespace
}  // namespace weft::test
