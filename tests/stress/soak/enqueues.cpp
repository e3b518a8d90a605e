// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "soak.h"

namespace weft::soak {
namespace {

constexpr size_t kMostGrowth = size_t{16} << 20;
/// Commands of a thread that may be in flight; the rest waits for them.
constexpr uint64_t kWindow = 256;

/// What the callbacks of all commands have done.
struct Tally {
  explicit Tally(uint64_t count) : calls(std::make_unique<std::atomic<uint8_t>[]>(count)) {}
  std::unique_ptr<std::atomic<uint8_t>[]> calls;  ///< by command
  std::atomic<uint64_t> all{0};
  std::atomic<uint64_t> failed{0};
};

struct CallbackData {
  Tally* tally;
  uint64_t command;
};

void CL_CALLBACK called(cl_event, cl_int status, void* argument) {
  const std::unique_ptr<CallbackData> data(static_cast<CallbackData*>(argument));
  data->tally->calls[data->command].fetch_add(1, std::memory_order_relaxed);
  if (status != CL_COMPLETE) data->tally->failed.fetch_add(1, std::memory_order_relaxed);
  data->tally->all.fetch_add(1, std::memory_order_release);
}

/// One thread's share: commands [first, last) over a queue of its own and one shared by all, each
/// with an event that sometimes orders the next one after it.
class Worker {
 public:
  Worker(cl_context context, cl_device_id device, cl_program program, cl_mem counter,
         cl_command_queue shared, Tally& tally)
      : shared_(shared), tally_(tally) {
    cl_int error = CL_SUCCESS;
    own_ = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
    check(error, "clCreateCommandQueueWithProperties");
    kernel_ = clCreateKernel(program, "count", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel_, 0, sizeof counter, &counter), "clSetKernelArg");
  }

  void enqueue(uint64_t number) {
    const size_t one = 1;
    const cl_command_queue queue = number % 3 == 0 ? shared_ : own_;
    const bool ordered = last_ != nullptr && number % 5 == 0;
    cl_event event = nullptr;
    check(clEnqueueNDRangeKernel(queue, kernel_, 1, nullptr, &one, nullptr, ordered ? 1 : 0,
                                 ordered ? &last_ : nullptr, &event),
          "clEnqueueNDRangeKernel");
    check(clSetEventCallback(event, CL_COMPLETE, called, new CallbackData{&tally_, number}),
          "clSetEventCallback");
    if (last_) check(clReleaseEvent(last_), "clReleaseEvent");
    last_ = event;
    if (++sinceWait_ == kWindow) {
      sinceWait_ = 0;
      check(clWaitForEvents(1, &last_), "clWaitForEvents");
      check(clFinish(own_), "clFinish");
    }
  }

  void finish() {
    check(clFinish(own_), "clFinish");
    check(clFinish(shared_), "clFinish");
    if (last_) check(clReleaseEvent(last_), "clReleaseEvent");
    check(clReleaseKernel(kernel_), "clReleaseKernel");
    check(clReleaseCommandQueue(own_), "clReleaseCommandQueue");
  }

 private:
  cl_command_queue shared_;
  Tally& tally_;
  cl_command_queue own_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_event last_ = nullptr;
  uint64_t sinceWait_ = 0;
};

void verify(const Tally& tally, uint64_t count, uint32_t ran) {
  for (int i = 0; i < 60000 && tally.all.load(std::memory_order_acquire) < count; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  require(tally.all == count,
          std::to_string(tally.all) + " callbacks instead of " + std::to_string(count));
  for (uint64_t i = 0; i < count; ++i)
    require(tally.calls[i] == 1, "command " + std::to_string(i) + " was reported " +
                                     std::to_string(tally.calls[i]) + " times");
  require(tally.failed == 0, "commands have failed");
  require(ran == count, std::to_string(ran) + " kernels ran instead of " + std::to_string(count));
}

}  // namespace

void runEnqueues(cl_context context, cl_device_id device, uint64_t count, unsigned threads) {
  const char* source = "kernel void count(global uint* p) { atomic_inc(p); }";
  cl_int error = CL_SUCCESS;
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), "clBuildProgram");
  uint32_t ran = 0;
  cl_mem counter = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof ran, &ran, &error);
  check(error, "clCreateBuffer");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue shared = clCreateCommandQueueWithProperties(context, device, properties, &error);
  check(error, "clCreateCommandQueueWithProperties");

  Tally tally(count);
  for (uint64_t i = 0; i < count; ++i) tally.calls[i] = 0;  // in memory from the start
  MemoryWatch watch("enqueues", kMostGrowth);
  std::mutex mutex;  // of the watch and the failure
  std::exception_ptr failure;
  std::atomic<uint64_t> next{0};
  const auto work = [&] {
    try {
      Worker worker(context, device, program, counter, shared, tally);
      for (uint64_t number; (number = next.fetch_add(1)) < count;) {
        worker.enqueue(number);
        if (number % 1024 == 0) {
          // Callbacks run on one thread: what waits for it is not to be taken for a leak.
          while (tally.all + threads * kWindow * 2 < number)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
          const std::scoped_lock lock(mutex);
          watch.look(number, count);
        }
      }
      worker.finish();
    } catch (...) {
      const std::scoped_lock lock(mutex);
      failure = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
  check(clEnqueueReadBuffer(shared, counter, CL_TRUE, 0, sizeof ran, &ran, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  verify(tally, count, ran);
  watch.finish();
  check(clReleaseCommandQueue(shared), "clReleaseCommandQueue");
  check(clReleaseMemObject(counter), "clReleaseMemObject");
  check(clReleaseProgram(program), "clReleaseProgram");
}

}  // namespace weft::soak
