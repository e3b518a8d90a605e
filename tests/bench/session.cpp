// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <array>
#include <vector>

#include "cases.h"
#include "spirv.h"

namespace weft::bench {
namespace {

cl_platform_id findPlatform(const std::string& name) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count != 0) check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (cl_platform_id platform : platforms) {
    std::array<char, 256> text{};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, text.size() - 1, text.data(), nullptr);
    if (std::string(text.data()).find(name) != std::string::npos) return platform;
  }
  throw std::runtime_error("no platform named " + name);
}

std::string buildLog(cl_program program, cl_device_id device) {
  size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log;
}

}  // namespace

Session::Session(const std::string& name) : isFromSpirv_(name == kSpirv) {
  cl_platform_id platform = findPlatform(isFromSpirv_ ? "Weft" : name);
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int code = 0;
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  check(code, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
  profilingQueue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
}

Session::~Session() {
  clReleaseCommandQueue(profilingQueue);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

const std::string& Session::translated(const std::string& source,
                                       const std::string& options) const {
  if (!isFromSpirv_) return source;
  std::string& words = modules_[options + "\n" + source];
  if (words.empty()) words = translateToSpirv(source, options);
  return words;
}

cl_program Session::createTranslated(const std::string& from) const {
  cl_int code = 0;
  const char* text = from.data();
  const size_t size = from.size();
  cl_program program = isFromSpirv_ ? clCreateProgramWithIL(context, text, size, &code)
                                    : clCreateProgramWithSource(context, 1, &text, &size, &code);
  check(code, "clCreateProgram");
  return program;
}

cl_program Session::create(const std::string& source, const std::string& options) const {
  return createTranslated(translated(source, options));
}

cl_program Session::buildTranslated(const std::string& from, const std::string& options) const {
  cl_program program = createTranslated(from);
  if (clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS)
    throw std::runtime_error("clBuildProgram: " + buildLog(program, device));
  return program;
}

cl_program Session::build(const std::string& source, const std::string& options) const {
  return buildTranslated(translated(source, options), options);
}

cl_kernel Session::kernel(const std::string& source, const char* name,
                          const std::string& options) const {
  cl_int code = 0;
  cl_program program = build(source, options);
  cl_kernel kernel = clCreateKernel(program, name, &code);
  check(code, "clCreateKernel");
  clReleaseProgram(program);
  return kernel;
}

cl_mem Session::buffer(size_t bytes) const {
  cl_int code = 0;
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
  check(code, "clCreateBuffer");
  return memory;
}

}  // namespace weft::bench
