// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl_ext.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "support/extensions.h"
#include "support/info_query.h"
#include "support/objects.h"
#include "support/programs.h"

namespace weft::test {
namespace {

using Property = cl_device_partition_property;
using Properties = std::vector<Property>;
using DeviceHolder = Holder<cl_device_id, clReleaseDevice>;

InfoCall info(cl_device_id device, cl_device_info parameter) {
  return [=](size_t size, void* value, size_t* sizeRet) {
    return clGetDeviceInfo(device, parameter, size, value, sizeRet);
  };
}

cl_uint units(cl_device_id device) {
  return infoValue<cl_uint>(info(device, CL_DEVICE_MAX_COMPUTE_UNITS));
}

cl_int partitionError(cl_device_id device, const Properties& list) {
  cl_uint count = 0;
  return clCreateSubDevices(device, list.data(), 0, nullptr, &count);
}

std::vector<DeviceHolder> partition(cl_device_id device, const Properties& list) {
  cl_uint count = 0;
  EXPECT_EQ(clCreateSubDevices(device, list.data(), 0, nullptr, &count), CL_SUCCESS);
  std::vector<cl_device_id> made(count);
  EXPECT_EQ(clCreateSubDevices(device, list.data(), count, made.data(), nullptr), CL_SUCCESS);
  std::vector<DeviceHolder> holders;
  for (const cl_device_id sub : made) holders.emplace_back(sub);
  return holders;
}

/// Tests that divide the device need two compute units; the suite also runs with
/// WEFT_THREADS=8, where there are enough for sub-devices of sub-devices.
class SubDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (units(root) < 2) GTEST_SKIP() << "there is one compute unit";
  }
  const cl_device_id root = device();
};

TEST_F(SubDevice, HalvesOfTheDevice) {
  const Property half = static_cast<Property>(units(root) / 2);
  const Properties list{CL_DEVICE_PARTITION_EQUALLY, half, 0};
  const auto halves = partition(root, list);
  ASSERT_EQ(halves.size(), units(root) / static_cast<cl_uint>(half));
  for (const cl_device_id sub : halves) {
    EXPECT_EQ(units(sub), static_cast<cl_uint>(half));
    EXPECT_EQ(infoValue<cl_device_id>(info(sub, CL_DEVICE_PARENT_DEVICE)), root);
    EXPECT_EQ(infoList<Property>(info(sub, CL_DEVICE_PARTITION_TYPE)), list);
    EXPECT_EQ(infoValue<cl_uint>(info(sub, CL_DEVICE_REFERENCE_COUNT)), 1u);
    EXPECT_EQ(infoValue<cl_platform_id>(info(sub, CL_DEVICE_PLATFORM)), platform());
    EXPECT_EQ(infoValue<cl_uint>(info(sub, CL_DEVICE_PARTITION_MAX_SUB_DEVICES)),
              half < 2 ? 0u : static_cast<cl_uint>(half));
    for (const cl_device_info same :
         {CL_DEVICE_NAME, CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_VERSION,
          CL_DEVICE_EXTENSIONS, CL_DEVICE_UUID_KHR, CL_DEVICE_MAX_WORK_GROUP_SIZE})
      EXPECT_EQ(checkInfoRules(info(sub, same)), checkInfoRules(info(root, same))) << same;
  }
  EXPECT_EQ(units(root), infoValue<cl_uint>(info(root, CL_DEVICE_PARTITION_MAX_SUB_DEVICES)));
  cl_uint found = 0;
  EXPECT_EQ(clGetDeviceIDs(platform(), CL_DEVICE_TYPE_ALL, 0, nullptr, &found), CL_SUCCESS);
  EXPECT_EQ(found, 1u) << "sub-devices are not listed";
}

TEST_F(SubDevice, ByCounts) {
  const Property rest = static_cast<Property>(units(root)) - 1;
  const Properties list{CL_DEVICE_PARTITION_BY_COUNTS, rest, 1,
                        CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const auto parts = partition(root, list);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(units(parts[0]), static_cast<cl_uint>(rest));
  EXPECT_EQ(units(parts[1]), 1u);
  EXPECT_EQ(infoList<Property>(info(parts[0], CL_DEVICE_PARTITION_TYPE)), list);
  EXPECT_EQ(infoList<Property>(info(parts[1], CL_DEVICE_PARTITION_PROPERTIES)), Properties{0})
      << "a unit alone cannot be divided";
  EXPECT_EQ(partitionError(parts[1], {CL_DEVICE_PARTITION_EQUALLY, 1, 0}),
            CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(partitionError(parts[1], {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}),
            CL_DEVICE_PARTITION_FAILED);
  EXPECT_EQ(partitionError(parts[1], {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                      CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0}),
            CL_DEVICE_PARTITION_FAILED);
}

TEST_F(SubDevice, EveryErrorOfTheTable) {
  const Property all = static_cast<Property>(units(root));
  const struct {
    Properties list;
    cl_int code;
  } rows[] = {
      {{0}, CL_INVALID_VALUE},
      {{0x7777, 1, 0}, CL_INVALID_VALUE},
      {{-1, 1, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_EQUALLY, 0, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_EQUALLY, -1, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_EQUALLY, all + 1, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_EQUALLY, Property{1} << 40, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_EQUALLY, all, 0}, CL_DEVICE_PARTITION_FAILED},
      {{CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_BY_COUNTS, all, 1, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_BY_COUNTS, all + 1, 0, 0}, CL_INVALID_DEVICE_PARTITION_COUNT},
      {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 0, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, 1 << 12, 0}, CL_INVALID_VALUE},
      {{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
        CL_DEVICE_AFFINITY_DOMAIN_NUMA | CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 0},
       CL_INVALID_VALUE},
  };
  for (const auto& row : rows) EXPECT_EQ(partitionError(root, row.list), row.code) << row.list[0];
  Properties many(static_cast<size_t>(all) + 4, 1);
  many.front() = CL_DEVICE_PARTITION_BY_COUNTS;
  many[many.size() - 2] = many.back() = 0;
  EXPECT_EQ(partitionError(root, many), CL_INVALID_DEVICE_PARTITION_COUNT) << "too many of one";

  const Properties good{CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl_device_id> made(static_cast<size_t>(all), nullptr);
  EXPECT_EQ(clCreateSubDevices(nullptr, good.data(), 0, nullptr, nullptr), CL_INVALID_DEVICE);
  const auto wrong = reinterpret_cast<cl_device_id>(platform());
  EXPECT_EQ(clCreateSubDevices(wrong, good.data(), 0, nullptr, nullptr), CL_INVALID_DEVICE);
  EXPECT_EQ(clCreateSubDevices(root, nullptr, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(clCreateSubDevices(root, good.data(), 0, made.data(), nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(
      clCreateSubDevices(root, good.data(), static_cast<cl_uint>(all) - 1, made.data(), nullptr),
      CL_INVALID_VALUE);
  for (const cl_device_id sub : made) EXPECT_EQ(sub, nullptr) << "made in spite of the error";
}

TEST_F(SubDevice, AffinityDomainsAreThoseReported) {
  const auto domains =
      infoValue<cl_device_affinity_domain>(info(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN));
  const auto schemes = infoList<Property>(info(root, CL_DEVICE_PARTITION_PROPERTIES));
  EXPECT_EQ(schemes.size(), domains == 0 ? 2u : 3u);
  const Property next = CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
  if (domains == 0) {
    EXPECT_EQ(partitionError(root, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, next, 0}),
              CL_INVALID_VALUE);
    return;
  }
  for (const Property domain :
       {CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE}) {
    const Properties list{CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, domain, 0};
    if ((domains & static_cast<cl_device_affinity_domain>(domain)) == 0) {
      const cl_int error = partitionError(root, list);
      EXPECT_TRUE(error == CL_DEVICE_PARTITION_FAILED || error == CL_INVALID_VALUE) << error;
      continue;
    }
    const auto parts = partition(root, list);
    EXPECT_GE(parts.size(), 2u);
    cl_uint sum = 0;
    for (const cl_device_id part : parts) {
      sum += units(part);
      const auto type = infoList<Property>(info(part, CL_DEVICE_PARTITION_TYPE));
      ASSERT_EQ(type.size(), 3u);
      EXPECT_EQ(type[0], CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
      EXPECT_NE(type[1], next) << "the domain that was found";
      if (domain != next) {
        EXPECT_EQ(type[1], domain);
      }
    }
    EXPECT_EQ(sum, units(root));
  }
}

TEST_F(SubDevice, ReferencesAreCounted) {
  cl_device_id sub = nullptr;
  const Properties list{CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_uint count = 0;
  ASSERT_EQ(clCreateSubDevices(root, list.data(), 1, &sub, &count), CL_SUCCESS);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(clRetainDevice(sub), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(info(sub, CL_DEVICE_REFERENCE_COUNT)), 2u);
  EXPECT_EQ(clReleaseDevice(sub), CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_uint>(info(sub, CL_DEVICE_REFERENCE_COUNT)), 1u);

  // A context keeps it, and what is attached to the context, after its last release.
  cl_int error = CL_INVALID_VALUE;
  const ContextHolder context(clCreateContext(nullptr, 1, &sub, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(sub), CL_SUCCESS);
  EXPECT_EQ(clReleaseDevice(sub), CL_INVALID_DEVICE) << "there is none left to release";
  const QueueHolder queue(clCreateCommandQueueWithProperties(context, sub, nullptr, &error));
  EXPECT_EQ(error, CL_SUCCESS);
  EXPECT_EQ(units(sub), 1u);
}

TEST_F(SubDevice, PartsOfParts) {
  if (units(root) < 4) GTEST_SKIP() << "there are too few compute units";
  std::vector<DeviceHolder> halves =
      partition(root, {CL_DEVICE_PARTITION_EQUALLY, static_cast<Property>(units(root) / 2), 0});
  const auto single = partition(halves[1], {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  EXPECT_EQ(single.size(), units(root) / 2);
  const cl_device_id parent = halves[1];
  EXPECT_EQ(infoValue<cl_device_id>(info(single[0], CL_DEVICE_PARENT_DEVICE)), parent);
  halves.clear();
  EXPECT_EQ(infoValue<cl_uint>(info(parent, CL_DEVICE_REFERENCE_COUNT)), 0u)
      << "its parts keep it, not the application";
  EXPECT_EQ(units(parent), units(root) / 2);
}

// ---- Work

/// Contexts, programs, kernels, buffers and events over the parts of a device and itself.
TEST_F(SubDevice, OneContextOverSeveral) {
  const auto parts = partition(root, {CL_DEVICE_PARTITION_EQUALLY, 1, 0});
  std::vector<cl_device_id> devices{root};
  for (const cl_device_id part : parts) devices.push_back(part);
  cl_int error = CL_INVALID_VALUE;
  const ContextHolder context(clCreateContext(nullptr, static_cast<cl_uint>(devices.size()),
                                              devices.data(), nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const char* source =
      "kernel void add(global uint* sum, uint step) { sum[get_global_id(0)] += step; }";
  const ProgramHolder program(clCreateProgramWithSource(context, 1, &source, nullptr, &error));
  ASSERT_EQ(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_SUCCESS);
  const KernelHolder kernel(clCreateKernel(program, "add", &error));
  ASSERT_EQ(error, CL_SUCCESS);

  constexpr size_t kItems = 10000;
  std::vector<cl_uint> host(kItems, 0);
  const MemoryHolder buffer(
      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, kItems * sizeof(cl_uint), host.data(), &error));
  std::vector<QueueHolder> queues;
  cl_uint expected = 0;
  EventHolder last;
  for (cl_uint round = 0; round < 3 * devices.size(); ++round) {
    const cl_device_id on = devices[round % devices.size()];
    queues.emplace_back(clCreateCommandQueueWithProperties(context, on, nullptr, &error));
    ASSERT_EQ(error, CL_SUCCESS);
    const cl_uint step = round + 1;
    expected += step;
    const cl_mem memory = buffer;
    ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
    ASSERT_EQ(clSetKernelArg(kernel, 1, sizeof step, &step), CL_SUCCESS);
    const cl_event before = last;
    cl_event done = nullptr;
    ASSERT_EQ(clEnqueueNDRangeKernel(queues.back(), kernel, 1, nullptr, &kItems, nullptr,
                                     before ? 1 : 0, before ? &before : nullptr, &done),
              CL_SUCCESS);
    last = EventHolder(done);
  }
  const cl_event done = last;
  ASSERT_EQ(clEnqueueReadBuffer(queues.front(), buffer, CL_TRUE, 0, kItems * sizeof(cl_uint),
                                host.data(), 1, &done, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(host, std::vector<cl_uint>(kItems, expected));

  // Not a device of the context, though of one of its devices.
  const auto others = partition(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0});
  EXPECT_EQ(clCreateCommandQueueWithProperties(context, others[0], nullptr, &error), nullptr);
  EXPECT_EQ(error, CL_INVALID_DEVICE);
}

// "If a program binary has not been built for a sub-device, the program binary associated with the
// parent device will be used."
TEST_F(SubDevice, UsesWhatWasBuiltForItsParent) {
  const auto parts = partition(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0});
  const cl_device_id devices[] = {parts[0], root};
  cl_int error = CL_INVALID_VALUE;
  const ContextHolder context(clCreateContext(nullptr, 2, devices, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const ProgramHolder program =
      makeProgram(context, "kernel void one(global int* out) { out[0] = 1; }");
  const auto status = [&](cl_device_id on) {
    return infoValue<cl_build_status>([&](size_t size, void* value, size_t* sizeRet) {
      return clGetProgramBuildInfo(program, on, CL_PROGRAM_BUILD_STATUS, size, value, sizeRet);
    });
  };
  EXPECT_EQ(status(devices[0]), CL_BUILD_NONE);
  ASSERT_EQ(clBuildProgram(program, 1, &root, "", nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(status(devices[0]), CL_BUILD_SUCCESS);
  const KernelHolder kernel = makeKernel(program, "one");
  const MemoryHolder buffer = makeBuffer(context, std::vector<cl_int>{0});
  setBuffer(kernel, 0, buffer);
  const QueueHolder queue(clCreateCommandQueueWithProperties(context, devices[0], nullptr, &error));
  constexpr size_t kOne = 1;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &kOne, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(readBuffer<cl_int>(queue, buffer, 1), std::vector<cl_int>{1});
}

struct Crowd {
  std::atomic<unsigned> now{0}, most{0};
};

void CL_CALLBACK joinCrowd(void* argument) {
  Crowd& crowd = **static_cast<Crowd**>(argument);
  const unsigned running = ++crowd.now;
  for (unsigned seen = crowd.most;
       running > seen && !crowd.most.compare_exchange_weak(seen, running);) {
  }
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  --crowd.now;
}

TEST_F(SubDevice, NeverMoreThreadsThanComputeUnits) {
  const auto parts = partition(root, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0});
  cl_device_id part = parts[0];
  cl_int error = CL_INVALID_VALUE;
  const ContextHolder context(clCreateContext(nullptr, 1, &part, nullptr, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  Crowd crowd;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                          CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
      const QueueHolder queue(clCreateCommandQueueWithProperties(context, part, list, nullptr));
      Crowd* argument = &crowd;
      for (int i = 0; i < 20; ++i)
        EXPECT_EQ(clEnqueueNativeKernel(queue, joinCrowd, &argument, sizeof argument, 0, nullptr,
                                        nullptr, 0, nullptr, nullptr),
                  CL_SUCCESS);
      EXPECT_EQ(clFinish(queue), CL_SUCCESS);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(crowd.most, 1u);
}

void CL_CALLBACK countCpus(void* argument) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  **static_cast<int**>(argument) = CPU_COUNT(&mask);
}

TEST_F(SubDevice, WorkOfAnAffinityDomainStaysThere) {
  const auto domains =
      infoValue<cl_device_affinity_domain>(info(root, CL_DEVICE_PARTITION_AFFINITY_DOMAIN));
  if ((domains & CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE) == 0) GTEST_SKIP() << "one first-level cache";
  cpu_set_t before, after;
  sched_getaffinity(0, sizeof before, &before);
  const auto parts = partition(
      root, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, 0});
  for (cl_device_id part : parts) {
    const ContextHolder context(clCreateContext(nullptr, 1, &part, nullptr, nullptr, nullptr));
    const QueueHolder queue(clCreateCommandQueueWithProperties(context, part, nullptr, nullptr));
    int cpus = 0;
    int* argument = &cpus;
    ASSERT_EQ(clEnqueueNativeKernel(queue, countCpus, &argument, sizeof argument, 0, nullptr,
                                    nullptr, 0, nullptr, nullptr),
              CL_SUCCESS);
    ASSERT_EQ(clFinish(queue), CL_SUCCESS);
    EXPECT_GT(cpus, 0);
    EXPECT_LT(cpus, CPU_COUNT(&before));
  }
  sched_getaffinity(0, sizeof after, &after);
  EXPECT_TRUE(CPU_EQUAL(&before, &after)) << "the application's thread is not moved";
}

}  // namespace
}  // namespace weft::test
