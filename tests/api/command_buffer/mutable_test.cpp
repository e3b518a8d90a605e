// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of recorded launches: what they change, what they must not, and their errors.
#include <numeric>

#include "fixture.h"
#include "support/info_query.h"
#include "support/reported_version.h"
#include "support/wait_list.h"

namespace weft::test {
namespace {

constexpr const char* kKernels = R"(
kernel void put(global int* out, int v, local int* scratch) {
  scratch[get_local_id(0)] = v;
  out[get_global_id(0)] = scratch[get_local_id(0)] + (out ? 0 : 1);
}
kernel void shape(global int* out) {
  int i = get_global_id(0) - get_global_offset(0);
  out[i] = get_global_id(0) * 10000 + get_global_size(0) * 100 + get_local_size(0);
}
kernel void some(global int* out, int n, local int* scratch) {
  if (n) scratch[get_local_id(0)] = get_global_id(0);
  out[get_global_id(0)] = n ? scratch[get_local_id(0)] : -1;
}
kernel void isNull(global int* out, global int* maybe) { out[0] = maybe == 0; }
)";

using Config = khr::MutableDispatchConfig;
using Argument = khr::MutableDispatchArgument;

class Mutable : public CommandBufferTest {
 protected:
  ProgramHolder program = buildProgram(context, kKernels);
  KernelHolder put = makeKernel(program, "put");
  KernelHolder shape = makeKernel(program, "shape");
  MemoryHolder out = zeros(16);

  void setPut(cl_mem memory, cl_int value, size_t localBytes = 64) {
    setBuffer(put, 0, memory);
    setArgument(put, 1, value);
    EXPECT_EQ(clSetKernelArg(put, 2, localBytes, nullptr), CL_SUCCESS);
  }
  khr::cl_mutable_command record(khr::cl_command_buffer buffer, cl_kernel kernel, size_t items,
                                 const Properties& properties = {}) {
    khr::cl_mutable_command handle = nullptr;
    launch(buffer, kernel, items, {}, &handle, properties);
    EXPECT_NE(handle, nullptr);
    return handle;
  }
  cl_int update(khr::cl_command_buffer buffer, const std::vector<Config>& configs) {
    const std::vector<khr::cl_command_buffer_update_type> types(
        configs.size(), khr::kStructureTypeMutableDispatchConfig);
    std::vector<const void*> pointers;
    for (const Config& config : configs) pointers.push_back(&config);
    return api.clUpdateMutableCommandsKHR(buffer, static_cast<cl_uint>(configs.size()),
                                          types.data(), pointers.data());
  }
  static Config argumentConfig(khr::cl_mutable_command command,
                               const std::vector<Argument>& arguments) {
    Config config{};
    config.command = command;
    config.argumentCount = static_cast<cl_uint>(arguments.size());
    config.arguments = arguments.data();
    return config;
  }
  InfoCall info(khr::cl_mutable_command command, khr::cl_mutable_command_info parameter) {
    return [=, this](size_t size, void* value, size_t* sizeRet) {
      return api.clGetMutableCommandInfoKHR(command, parameter, size, value, sizeRet);
    };
  }
  std::vector<size_t> sizes(khr::cl_mutable_command command,
                            khr::cl_mutable_command_info parameter) {
    return infoList<size_t>(info(command, parameter));
  }
};

TEST_F(Mutable, EveryQueryAnswers) {
  const CommandBufferHolder buffer = makeMutable();
  setBuffer(shape, 0, out);
  const Properties properties{khr::kMutableDispatchUpdatableFields, khr::kFieldGlobalSize,
                              khr::kMutableDispatchAsserts, 0, 0};
  const size_t offset[2] = {1, 2}, global[2] = {4, 2}, local[2] = {2, 1};
  khr::cl_mutable_command handle = nullptr;
  ASSERT_EQ(api.clCommandNDRangeKernelKHR(buffer, nullptr, properties.data(), shape, 2, offset,
                                          global, local, 0, nullptr, nullptr, &handle),
            CL_SUCCESS);
  EXPECT_EQ(infoValue<cl_command_queue>(info(handle, khr::kMutableCommandQueue)), queue.get());
  EXPECT_EQ(infoValue<khr::cl_command_buffer>(info(handle, khr::kMutableCommandBuffer)),
            buffer.get());
  EXPECT_EQ(infoValue<cl_command_type>(info(handle, khr::kMutableCommandType)),
            cl_command_type{CL_COMMAND_NDRANGE_KERNEL});
  EXPECT_EQ(infoList<cl_properties>(info(handle, khr::kMutableCommandPropertiesArray)), properties);
  EXPECT_EQ(infoValue<cl_kernel>(info(handle, khr::kMutableDispatchKernel)), shape.get());
  EXPECT_EQ(infoValue<cl_uint>(info(handle, khr::kMutableDispatchDimensions)), 2u);
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchGlobalOffset), (std::vector<size_t>{1, 2}));
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchGlobalSize), (std::vector<size_t>{4, 2}));
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchLocalSize), (std::vector<size_t>{2, 1}));

  const khr::cl_mutable_command plain = record(buffer, shape, 8);
  EXPECT_TRUE(infoList<cl_properties>(info(plain, khr::kMutableCommandPropertiesArray)).empty());
  EXPECT_EQ(sizes(plain, khr::kMutableDispatchGlobalOffset), std::vector<size_t>{0});
  EXPECT_EQ(sizes(plain, khr::kMutableDispatchLocalSize), std::vector<size_t>{0});

  EXPECT_EQ(api.clGetMutableCommandInfoKHR(handle, 0x4711, 0, nullptr, nullptr), CL_INVALID_VALUE);
  for (const auto wrong :
       {khr::cl_mutable_command{}, reinterpret_cast<khr::cl_mutable_command>(queue.get())})
    EXPECT_EQ(api.clGetMutableCommandInfoKHR(wrong, khr::kMutableCommandType, 0, nullptr, nullptr),
              khr::kInvalidMutableCommand);
}

/// Launches are recorded with code for their images' formats and their samplers.
TEST_F(Mutable, ImagesOfOtherFormatsAndOtherSamplers) {
  const ProgramHolder reads = buildProgram(context, R"(
    kernel void k(global int* out, read_only image2d_t image, sampler_t how) {
      int i = (int)get_global_id(0);
      out[i] = convert_int_rte(read_imagef(image, how, (int2)(i - 2, 0)).x * 255);
    })");
  const KernelHolder kernel = makeKernel(reads, "k");
  const auto imageOf = [&](cl_image_format format, void* pixels) {
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = 4;
    desc.image_height = 1;
    cl_int error = CL_SUCCESS;
    MemoryHolder image(clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                     &desc, pixels, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  };
  const auto samplerOf = [&](cl_addressing_mode mode) {
    cl_int error = CL_SUCCESS;
    SamplerHolder made(clCreateSampler(context, CL_FALSE, mode, CL_FILTER_NEAREST, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  };
  cl_uchar bytes[16] = {10, 0, 0, 0, 11, 0, 0, 0, 12, 0, 0, 0, 13};
  cl_float floats[4] = {20 / 255.f, 21 / 255.f, 22 / 255.f, 23 / 255.f};
  const MemoryHolder first = imageOf({CL_RGBA, CL_UNORM_INT8}, bytes);
  const MemoryHolder second = imageOf({CL_R, CL_FLOAT}, floats);
  const SamplerHolder edge = samplerOf(CL_ADDRESS_CLAMP_TO_EDGE),
                      clamp = samplerOf(CL_ADDRESS_CLAMP);
  setBuffer(kernel, 0, out);
  setBuffer(kernel, 1, first);
  setArgument(kernel, 2, edge.get());
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, kernel, 8);
  finalize(buffer);
  using Ints = std::vector<cl_int>;
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 8), (Ints{10, 10, 10, 11, 12, 13, 13, 13}));

  const cl_mem image = second;
  const cl_sampler how = clamp;
  const std::vector<Argument> newImage{{1, sizeof image, &image}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, newImage)}), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 8), (Ints{20, 20, 20, 21, 22, 23, 23, 23}));

  const std::vector<Argument> newSampler{{2, sizeof how, &how}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, newSampler)}), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 8), (Ints{0, 0, 20, 21, 22, 23, 0, 0}));
}

TEST_F(Mutable, ArgumentsOfAllKinds) {
  const MemoryHolder other = zeros(16);
  setPut(out, 1);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, put, 16);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<cl_int>(16, 1));

  const cl_mem memory = other;
  const cl_int value = 5;
  const std::vector<Argument> arguments{
      {0, sizeof memory, &memory}, {1, sizeof value, &value}, {2, 256, nullptr}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, arguments)}), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(other, 16), std::vector<cl_int>(16, 5));
  EXPECT_EQ(read(out, 16), std::vector<cl_int>(16, 1)) << "the old one is left alone";

  // The kernel object has not been touched.
  const size_t items = 16;
  ASSERT_EQ(clEnqueueNDRangeKernel(queue, put, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(read(other, 16), std::vector<cl_int>(16, 5));
}

TEST_F(Mutable, NullMemoryObjects) {
  const KernelHolder isNull = makeKernel(program, "isNull");
  setBuffer(isNull, 0, out);
  setBuffer(isNull, 1, out);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, isNull, 1);
  finalize(buffer);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 0);
  const std::vector<Argument> arguments{{1, sizeof(cl_mem), nullptr}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, arguments)}), CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 1)[0], 1);
}

TEST_F(Mutable, SizesAndOffsets) {
  setBuffer(shape, 0, out);
  const CommandBufferHolder buffer = makeMutable();
  const size_t eight = 8, four = 4;
  khr::cl_mutable_command handle = nullptr;
  ASSERT_EQ(api.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, shape, 1, nullptr, &eight,
                                          &four, 0, nullptr, nullptr, &handle),
            CL_SUCCESS);
  finalize(buffer);
  const size_t offset = 3, global = 12, local = 6;
  Config config{};
  config.command = handle;
  config.workDim = 1;
  config.globalOffset = &offset;
  config.globalSize = &global;
  config.localSize = &local;
  ASSERT_EQ(update(buffer, {config}), CL_SUCCESS);
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchGlobalOffset), std::vector<size_t>{3});
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchGlobalSize), std::vector<size_t>{12});
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchLocalSize), std::vector<size_t>{6});
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  const std::vector<cl_int> found = read(out, 13);
  for (cl_int i = 0; i < 12; ++i) EXPECT_EQ(found[i], (i + 3) * 10000 + 12 * 100 + 6);
  EXPECT_EQ(found[12], 0);
}

// As OpenCL 3.1 allows.
TEST_F(Mutable, LocalMemoryOfNoBytes) {
  if (!expectsOpenCl31()) GTEST_SKIP() << "OpenCL 3.0 is reported";
  const KernelHolder some = makeKernel(program, "some");
  setBuffer(some, 0, out);
  setArgument(some, 1, cl_int{0});
  EXPECT_EQ(clSetKernelArg(some, 2, 0, nullptr), CL_SUCCESS);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, some, 16);
  finalize(buffer);
  std::vector<cl_int> numbers(16);
  std::iota(numbers.begin(), numbers.end(), 0);
  for (const cl_int n : {0, 16, 0, 16}) {
    const std::vector<Argument> arguments{{1, sizeof n, &n}, {2, n ? sizeof n * 16 : 0, nullptr}};
    ASSERT_EQ(update(buffer, {argumentConfig(handle, arguments)}), CL_SUCCESS) << n;
    ASSERT_EQ(replay(buffer), CL_SUCCESS);
    EXPECT_EQ(read(out, 16), n ? numbers : std::vector<cl_int>(16, -1)) << n;
  }
}

TEST_F(Mutable, AnUpdateIsForLaterReplaysOnly) {
  setPut(out, 1);
  const MemoryHolder sum = zeros(48);
  const CommandBufferHolder buffer =
      make({khr::kCommandBufferFlags,
            khr::kCommandBufferMutable | khr::kCommandBufferSimultaneousUse, 0});
  const khr::cl_mutable_command handle = record(buffer, put, 16);
  finalize(buffer);
  const EventHolder gate = makeUserEvent(context);
  std::vector<MemoryHolder> targets;
  for (cl_int i = 0; i < 5; ++i) {
    targets.push_back(zeros(16));
    const cl_mem memory = targets.back();
    const cl_int value = i;
    const std::vector<Argument> arguments{{0, sizeof memory, &memory}, {1, sizeof value, &value}};
    ASSERT_EQ(update(buffer, {argumentConfig(handle, arguments)}), CL_SUCCESS);
    replayWithEvent(buffer, nullptr, {gate.get()});
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  for (cl_int i = 0; i < 5; ++i)
    EXPECT_EQ(read(targets[static_cast<size_t>(i)], 16), std::vector<cl_int>(16, i));
}

TEST_F(Mutable, SeveralConfigsAndTheLastOneCounts) {
  setPut(out, 1);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command first = record(buffer, put, 16);
  const MemoryHolder other = zeros(16);
  setPut(other, 2);
  const khr::cl_mutable_command second = record(buffer, put, 16);
  finalize(buffer);
  const cl_int three = 3, four = 4, five = 5;
  const std::vector<Argument> toThree{{1, 4, &three}}, toFour{{1, 4, &four}}, toFive{{1, 4, &five}};
  ASSERT_EQ(update(buffer, {argumentConfig(first, toThree), argumentConfig(second, toFour),
                            argumentConfig(first, toFive)}),
            CL_SUCCESS);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<cl_int>(16, 5));
  EXPECT_EQ(read(other, 16), std::vector<cl_int>(16, 4));
}

TEST_F(Mutable, AnErrorUndoesTheWholeUpdate) {
  setPut(out, 1);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, put, 16);
  finalize(buffer);
  const cl_int two = 2;
  const size_t eight = 8;
  const std::vector<Argument> good{{1, 4, &two}}, bad{{1, 8, &two}};
  Config sized = argumentConfig(handle, good);
  sized.globalSize = &eight;
  EXPECT_EQ(update(buffer, {sized, argumentConfig(handle, bad)}), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(sizes(handle, khr::kMutableDispatchGlobalSize), std::vector<size_t>{16});
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<cl_int>(16, 1));
}

TEST_F(Mutable, ArgumentsMayBeSetAfterRecording) {
  const KernelHolder late = makeKernel(program, "put");
  const CommandBufferHolder buffer = makeMutable();
  const Properties arguments{khr::kMutableDispatchUpdatableFields, khr::kFieldArguments, 0};
  const khr::cl_mutable_command handle = record(buffer, late, 16, arguments);
  finalize(buffer);
  EXPECT_EQ(state(buffer), khr::kStateFinalized);
  EXPECT_EQ(replay(buffer), CL_INVALID_OPERATION);
  const cl_mem memory = out;
  const cl_int value = 9;
  const std::vector<Argument> some{{0, sizeof memory, &memory}, {1, sizeof value, &value}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, some)}), CL_SUCCESS);
  EXPECT_EQ(state(buffer), khr::kStateFinalized);
  const std::vector<Argument> rest{{2, 64, nullptr}};
  ASSERT_EQ(update(buffer, {argumentConfig(handle, rest)}), CL_SUCCESS);
  EXPECT_EQ(state(buffer), khr::kStateExecutable);
  ASSERT_EQ(replay(buffer), CL_SUCCESS);
  EXPECT_EQ(read(out, 16), std::vector<cl_int>(16, 9));
}

TEST_F(Mutable, UpdateErrorsOfTheCall) {
  setPut(out, 1);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, put, 16);
  const Config config{.command = handle};
  EXPECT_EQ(update(buffer, {config}), CL_INVALID_OPERATION) << "still recording";
  finalize(buffer);
  const CommandBufferHolder fixed = make();
  const khr::cl_mutable_command fixedHandle = record(fixed, put, 16);
  finalize(fixed);
  EXPECT_EQ(update(fixed, {Config{.command = fixedHandle}}), CL_INVALID_OPERATION);

  const khr::cl_command_buffer_update_type type = khr::kStructureTypeMutableDispatchConfig;
  const khr::cl_command_buffer_update_type wrongType = 77;
  const void* pointer = &config;
  const void* null = nullptr;
  const auto call = [&](cl_uint count, const khr::cl_command_buffer_update_type* types,
                        const void** configs) {
    return api.clUpdateMutableCommandsKHR(buffer, count, types, configs);
  };
  EXPECT_EQ(api.clUpdateMutableCommandsKHR(nullptr, 0, nullptr, nullptr),
            khr::kInvalidCommandBuffer);
  EXPECT_EQ(call(0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(call(1, nullptr, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(call(0, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(1, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(0, nullptr, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(call(1, &wrongType, &pointer), CL_INVALID_VALUE);
  EXPECT_EQ(call(1, &type, &null), CL_INVALID_VALUE);
  EXPECT_EQ(call(1, &type, &pointer), CL_SUCCESS);
  EXPECT_EQ(update(buffer, {Config{.command = fixedHandle}}), khr::kInvalidMutableCommand);
  EXPECT_EQ(update(buffer, {Config{}}), khr::kInvalidMutableCommand);
}

TEST_F(Mutable, UpdateErrorsOfAConfig) {
  setPut(out, 1);
  const CommandBufferHolder buffer = makeMutable();
  const khr::cl_mutable_command handle = record(buffer, put, 16);
  const Properties nothing{khr::kMutableDispatchUpdatableFields, 0, 0};
  const khr::cl_mutable_command frozen = record(buffer, put, 16, nothing);
  finalize(buffer);
  const cl_int value = 2;
  const Argument argument{1, 4, &value};
  const Argument outOfRange{17, 4, &value};
  const khr::MutableDispatchExecInfo execInfo{0x4711, 4, &value};
  const size_t eight = 8, zero = 0, huge = size_t{1} << 20;

  const auto result = [&](khr::cl_mutable_command command, auto&& change) {
    Config config{.command = command};
    change(config);
    return update(buffer, {config});
  };
  const auto onArgument = [&](Config& c) { c.argumentCount = 1, c.arguments = &argument; };
  const auto onSvm = [&](Config& c) { c.svmArgumentCount = 1, c.svmArguments = &argument; };
  const auto onExecInfo = [&](Config& c) { c.execInfoCount = 1, c.execInfos = &execInfo; };
  EXPECT_EQ(result(handle, [](Config& c) { c.workDim = 2; }), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, [&](Config& c) { c.globalOffset = &eight; }), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, [&](Config& c) { c.globalSize = &eight; }), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, [&](Config& c) { c.localSize = &eight; }), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, onArgument), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, onSvm), CL_INVALID_OPERATION);
  EXPECT_EQ(result(frozen, onExecInfo), CL_INVALID_OPERATION);
  EXPECT_EQ(result(handle, [&](Config& c) { c.arguments = &argument; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.argumentCount = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.svmArguments = &argument; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.svmArgumentCount = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.execInfos = &execInfo; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.execInfoCount = 1; }), CL_INVALID_VALUE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.argumentCount = 1, c.arguments = &outOfRange; }),
            CL_INVALID_ARG_INDEX);
  EXPECT_LT(result(handle, onExecInfo), 0) << "no such exec info";
  EXPECT_EQ(result(handle, [&](Config& c) { c.localSize = &zero; }), CL_INVALID_WORK_GROUP_SIZE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.globalSize = c.localSize = &huge; }),
            CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(result(handle, [&](Config& c) { c.globalSize = c.localSize = &eight; }), CL_SUCCESS);
}

TEST_F(Mutable, UniformityOfGroupsCannotChange) {
  setBuffer(shape, 0, out);
  const CommandBufferHolder buffer = makeMutable();
  const size_t eight = 8, four = 4, three = 3;
  khr::cl_mutable_command handle = nullptr;
  ASSERT_EQ(api.clCommandNDRangeKernelKHR(buffer, nullptr, nullptr, shape, 1, nullptr, &eight,
                                          &four, 0, nullptr, nullptr, &handle),
            CL_SUCCESS);
  finalize(buffer);
  EXPECT_EQ(update(buffer, {Config{.command = handle, .localSize = &three}}), CL_INVALID_OPERATION);
  EXPECT_EQ(update(buffer, {Config{.command = handle, .globalSize = &three}}),
            CL_INVALID_OPERATION);
  EXPECT_EQ(update(buffer, {Config{.command = handle, .globalSize = &four}}), CL_SUCCESS);
}

}  // namespace
}  // namespace weft::test
