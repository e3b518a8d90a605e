// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C program that uses the library like any other: finds the platform, builds a kernel, runs it
// and reads the result. Ends with 0 when all of that worked.
//   probe [--loader <folder>]   checks, too, that libOpenCL came from that folder
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kCount = 1000 };

static void check(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}
#define CHECK(condition) check((condition), #condition)

static void checkLoaderFolder(const char* folder) {
  Dl_info info;
  char found[4096];
  char wanted[4096];
  CHECK(dladdr((void*)clGetPlatformIDs, &info) != 0);
  CHECK(realpath(info.dli_fname, found) != NULL);
  CHECK(realpath(folder, wanted) != NULL);
  check(strncmp(found, wanted, strlen(wanted)) == 0, found);
}

static cl_platform_id findPlatform(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  CHECK(clGetPlatformIDs(16, platforms, &count) == CL_SUCCESS);
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[64];
    CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS);
    if (strcmp(name, "Weft") == 0) return platforms[i];
  }
  check(0, "no platform named Weft");
  return NULL;
}

static void runKernel(cl_context context, cl_device_id device) {
  static const char* source =
      "kernel void twice(global int* data) { data[get_global_id(0)] *= 2; }";
  cl_int data[kCount];
  cl_int error = CL_SUCCESS;
  for (int i = 0; i < kCount; ++i) data[i] = i;

  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  CHECK(error == CL_SUCCESS);
  cl_mem buffer =
      clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof data, data, &error);
  CHECK(error == CL_SUCCESS);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  CHECK(error == CL_SUCCESS);
  CHECK(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  CHECK(error == CL_SUCCESS);
  CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
  const size_t size = kCount;
  cl_event event = NULL;
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, &event) == CL_SUCCESS);
  CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 1, &event, NULL) ==
        CL_SUCCESS);
  for (int i = 0; i < kCount; ++i) CHECK(data[i] == 2 * i);

  CHECK(clReleaseEvent(event) == CL_SUCCESS);
  CHECK(clReleaseKernel(kernel) == CL_SUCCESS);
  CHECK(clReleaseProgram(program) == CL_SUCCESS);
  CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--loader") == 0) checkLoaderFolder(argv[2]);
  const cl_platform_id platform = findPlatform();
  cl_device_id device = NULL;
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS);
  cl_int error = CL_SUCCESS;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  CHECK(error == CL_SUCCESS);
  runKernel(context, device);

  // Through a loader and back: an extension function, and handles that are none.
  CHECK(clGetExtensionFunctionAddressForPlatform(platform,
                                                 "clCreateCommandQueueWithPropertiesKHR") != NULL);
  CHECK(clReleaseContext(context) == CL_SUCCESS);
  CHECK(clGetContextInfo(NULL, CL_CONTEXT_DEVICES, 0, NULL, NULL) == CL_INVALID_CONTEXT);
  CHECK(clUnloadPlatformCompiler(platform) == CL_SUCCESS);
  puts("ok");
  return 0;
}
