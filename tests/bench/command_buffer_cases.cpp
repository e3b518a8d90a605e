// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A hundred small commands, enqueued one by one and replayed from a command buffer. The figures are
// how many times cheaper the replay is, for the calls alone and until the work is finished.
#include <algorithm>
#include <vector>

#include "cases.h"
#include "session.h"
#include "timing.h"
#include "weft/khr/command_buffer.h"

namespace weft::bench {
namespace {

constexpr int kCommands = 100;
constexpr size_t kCopied = 256;

template <class Function>
Function* extension(const Session& session, const char* name) {
  cl_platform_id platform = nullptr;
  check(clGetDeviceInfo(session.device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr),
        "clGetDeviceInfo");
  auto* const found =
      reinterpret_cast<Function*>(clGetExtensionFunctionAddressForPlatform(platform, name));
  if (found == nullptr) throw std::runtime_error(std::string("no ") + name);
  return found;
}
#define WEFT_EXTENSION(name) \
  decltype(khr::name)* const name = extension<decltype(khr::name)>(session, #name)

enum class Kind { Kernels, Copies };

/// The same commands, ready to be enqueued and recorded.
struct Hundred {
  Hundred(const std::string& platform, Kind what, cl_command_queue_properties properties)
      : session(platform), kind(what) {
    cl_int code = CL_SUCCESS;
    queue = clCreateCommandQueue(session.context, session.device, properties, &code);
    check(code, "clCreateCommandQueue");
    kernel = session.kernel("kernel void empty(global int* out) {}", "empty");
    from = session.buffer(kCopied * kCommands);
    to = session.buffer(kCopied * kCommands);
    check(clSetKernelArg(kernel, 0, sizeof to, &to), "clSetKernelArg");
    record();
  }

  void enqueue() const {
    for (size_t i = 0; i < kCommands; ++i)
      check(kind == Kind::Kernels ? clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kItems,
                                                           nullptr, 0, nullptr, nullptr)
                                  : clEnqueueCopyBuffer(queue, from, to, i * kCopied, i * kCopied,
                                                        kCopied, 0, nullptr, nullptr),
            "enqueue");
  }
  void replay() const {
    check(enqueueBuffer(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  }
  void finish() const { clFinish(queue); }

 private:
  static constexpr size_t kItems = 64;

  void record() {
    WEFT_EXTENSION(clCreateCommandBufferKHR);
    WEFT_EXTENSION(clCommandNDRangeKernelKHR);
    WEFT_EXTENSION(clCommandCopyBufferKHR);
    WEFT_EXTENSION(clFinalizeCommandBufferKHR);
    WEFT_EXTENSION(clEnqueueCommandBufferKHR);
    enqueueBuffer = clEnqueueCommandBufferKHR;
    cl_int code = CL_SUCCESS;
    buffer = clCreateCommandBufferKHR(1, &queue, nullptr, &code);
    check(code, "clCreateCommandBufferKHR");
    for (size_t i = 0; i < kCommands; ++i)
      check(kind == Kind::Kernels
                ? clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, kernel, 1, nullptr, &kItems,
                                            nullptr, 0, nullptr, nullptr, nullptr)
                : clCommandCopyBufferKHR(buffer, nullptr, nullptr, from, to, i * kCopied,
                                         i * kCopied, kCopied, 0, nullptr, nullptr, nullptr),
            "record");
    check(clFinalizeCommandBufferKHR(buffer), "clFinalizeCommandBufferKHR");
  }

  Session session;
  Kind kind;
  cl_command_queue queue = nullptr;
  cl_kernel kernel = nullptr;
  cl_mem from = nullptr;
  cl_mem to = nullptr;
  khr::cl_command_buffer buffer = nullptr;
  decltype(khr::clEnqueueCommandBufferKHR)* enqueueBuffer = nullptr;
};

double median(std::vector<double>& values) {
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

/// Both ways in turn, so that whatever else goes on meets both.
double ratio(const Hundred& hundred, bool untilFinished) {
  std::vector<double> enqueued, replayed;
  const auto timed = [&](auto&& call) {
    const auto start = Clock::now();
    call();
    if (untilFinished) hundred.finish();
    const double seconds = secondsSince(start);
    hundred.finish();
    return seconds;
  };
  for (int i = 0; i < 1200; ++i) {
    const double each = timed([&] { hundred.enqueue(); });
    const double together = timed([&] { hundred.replay(); });
    if (i < 200) continue;
    enqueued.push_back(each);
    replayed.push_back(together);
  }
  return median(enqueued) / median(replayed);
}

template <Kind kKind, cl_command_queue_properties kProperties, bool kUntilFinished>
double measured(const std::string& platform) {
  return ratio(Hundred(platform, kKind, kProperties), kUntilFinished);
}

/// Microseconds of one replay until it is finished.
template <Kind kKind>
double replayTime(const std::string& platform) {
  const Hundred hundred(platform, kKind, 0);
  const auto once = [&] {
    hundred.replay();
    hundred.finish();
  };
  medianSeconds(200, once);
  return medianSeconds(2001, once) * 1e6;
}

constexpr cl_command_queue_properties kFree = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

constexpr Case kCases[] = {
    {"replay of 100 empty kernels", "us", false, replayTime<Kind::Kernels>},
    {"replay of 100 small copies", "us", false, replayTime<Kind::Copies>},
    {"replay, 100 kernels: calls cheaper by", "x", true, measured<Kind::Kernels, 0, false>},
    {"replay, 100 kernels: whole cheaper by", "x", true, measured<Kind::Kernels, 0, true>},
    {"replay, 100 copies: calls cheaper by", "x", true, measured<Kind::Copies, 0, false>},
    {"replay, 100 copies: whole cheaper by", "x", true, measured<Kind::Copies, 0, true>},
    {"replay, 100 kernels out of order: whole cheaper by", "x", true,
     measured<Kind::Kernels, kFree, true>},
};

}  // namespace

std::span<const Case> commandBufferCases() { return kCases; }

}  // namespace weft::bench
