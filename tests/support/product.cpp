// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/product.h"

#include <CL/cl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <thread>

#include "program/kernel.h"
#include "support/objects.h"
#include "support/product_images.h"

namespace weft {
// No loader is between the tests and the API.
const void* const kDispatchTable = nullptr;
}  // namespace weft

namespace weft::test::product {
namespace {

/// The one context and queue of the test program; made on first use, never released.
struct World {
  ContextHolder context = makeContext();
  QueueHolder queue = makeQueue(context);

  static World& instance() {
    static World* const world = [] {
      forgetVariablesOfTests();
      return new World;
    }();
    return *world;
  }

 private:
  /// The library warns about variables with its prefix that it does not know.
  static void forgetVariablesOfTests() {
    std::vector<std::string> names;
    for (char** variable = environ; *variable; ++variable)
      for (const char* prefix : {"WEFT_FUZZ_", "WEFT_SMALL_", "WEFT_TEST_"})
        if (const std::string_view text = *variable; text.starts_with(prefix))
          names.emplace_back(text.substr(0, text.find('=')));
    for (const std::string& name : names) unsetenv(name.c_str());
  }
};

class ApiProgram final : public Program {
 public:
  explicit ApiProgram(ProgramHolder program) : program_(std::move(program)) {}

  std::string run(const std::string& name, const NDRange& range,
                  const std::vector<Argument>& arguments) override {
    const cl_kernel kernel = kernelNamed(name);
    if (!kernel) return "clCreateKernel";
    Objects objects;
    for (size_t i = 0; i < arguments.size(); ++i)
      if (!set(kernel, static_cast<cl_uint>(i), arguments[i], objects))
        return "clSetKernelArg of argument " + std::to_string(i);
    const auto sizes = [&](const std::array<uint64_t, 3>& from) {
      return std::vector<size_t>(from.begin(), from.begin() + range.dimensions);
    };
    EventHolder event;
    cl_event started = nullptr;
    const cl_command_queue queue = World::instance().queue;
    if (clEnqueueNDRangeKernel(queue, kernel, range.dimensions, sizes(range.globalOffset).data(),
                               sizes(range.globalSize).data(), sizes(range.localSize).data(), 0,
                               nullptr, &started) != CL_SUCCESS)
      return "clEnqueueNDRangeKernel";
    event = EventHolder(started);
    if (clFinish(queue) != CL_SUCCESS) return "clFinish";
    cl_int status = CL_QUEUED;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (status != CL_COMPLETE) return "the kernel's command ends with " + std::to_string(status);
    for (const auto& image : objects.images)
      if (!image->read(queue)) return "clEnqueueReadImage";
    return "";
  }

  Code lastCode(const std::string& name) override {
    const weft::Kernel* kernel = weft::Kernel::from(kernelNamed(name));
    const compiler::Variant* variant =
        kernel ? kernel->codes().front()->lastVariant.load() : nullptr;
    Code code;
    if (!variant) return code;
    static constexpr const char* kForms[] = {"flat", "group loop", "fibers", "barrier loops"};
    code.wasQuick = variant->tier == compiler::Tier::Quick;
    code.isFinal = !variant->provisional.load() || variant->better.load() != nullptr;
    code.description = kForms[static_cast<size_t>(variant->key.form)];
    return code;
  }

 private:
  /// What is made for the arguments of one launch.
  struct Objects {
    std::vector<MemoryHolder> buffers;
    std::vector<std::unique_ptr<GivenImage>> images;
    std::vector<SamplerHolder> samplers;
  };

  cl_kernel kernelNamed(const std::string& name) {
    KernelHolder& kernel = kernels_[name];
    cl_int error = CL_SUCCESS;
    if (!kernel.get()) kernel = KernelHolder(clCreateKernel(program_, name.c_str(), &error));
    return kernel;
  }

  static bool set(cl_kernel kernel, cl_uint index, const Argument& argument, Objects& objects) {
    const World& world = World::instance();
    switch (argument.kind) {
      case Argument::Kind::Value:
        return clSetKernelArg(kernel, index, argument.bytes, argument.data) == CL_SUCCESS;
      case Argument::Kind::Local:
        return clSetKernelArg(kernel, index, argument.bytes, nullptr) == CL_SUCCESS;
      case Argument::Kind::Image: {
        const auto& image = objects.images.emplace_back(std::make_unique<GivenImage>(
            world.context, *argument.image, argument.type, argument.access));
        const cl_mem handle = image->handle();
        return handle && image->write(world.queue) &&
               clSetKernelArg(kernel, index, sizeof handle, &handle) == CL_SUCCESS;
      }
      case Argument::Kind::Sampler: {
        const cl_sampler sampler = objects.samplers.emplace_back(
            samplerOf(world.context, *static_cast<const uint64_t*>(argument.data)));
        return sampler && clSetKernelArg(kernel, index, sizeof sampler, &sampler) == CL_SUCCESS;
      }
      case Argument::Kind::Memory:
        break;
    }
    // No buffer is around memory of no known size, which a kernel may also reach in front of.
    if (argument.data && argument.bytes == 0)
      return clSetKernelArgSVMPointer(kernel, index, argument.data) == CL_SUCCESS;
    cl_mem buffer = nullptr;
    if (argument.data) {
      cl_int error = CL_SUCCESS;
      buffer = clCreateBuffer(world.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                              argument.bytes, argument.data, &error);
      if (error != CL_SUCCESS) return false;
      objects.buffers.emplace_back(buffer);
    }
    return clSetKernelArg(kernel, index, sizeof buffer, &buffer) == CL_SUCCESS;
  }

  ProgramHolder program_;
  std::map<std::string, KernelHolder> kernels_;
};

std::string buildLogOf(cl_program program) {
  size_t size = 0;
  clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.c_str();
}

}  // namespace

std::shared_ptr<Program> Program::build(std::string_view source, const std::string& options,
                                        std::string& log) {
  const char* text = source.data();
  const size_t length = source.size();
  cl_int error = CL_SUCCESS;
  ProgramHolder program(
      clCreateProgramWithSource(World::instance().context, 1, &text, &length, &error));
  if (error == CL_SUCCESS &&
      clBuildProgram(program, 0, nullptr, options.c_str(), nullptr, nullptr) == CL_SUCCESS)
    return std::make_shared<ApiProgram>(std::move(program));
  log = buildLogOf(program);
  return nullptr;
}

bool makesImages(const abi::Image& image, compiler::ImageType type,
                 compiler::AccessQualifier access) {
  return makesImages(World::instance().context, image, type, access);
}

bool awaitFinal(Program& program, const std::string& kernel) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::minutes kLimit{2};
  for (const auto end = Clock::now() + kLimit; Clock::now() < end;) {
    if (program.lastCode(kernel).isFinal) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace weft::test::product
