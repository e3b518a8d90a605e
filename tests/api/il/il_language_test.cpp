// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What modules ask of the device besides buffers: pipes, queues of its own, Intel's sub-groups; and
// what they say of their kernels' arguments.
#include <CL/cl_ext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "support/info_query.h"
#include "support/programs.h"
#include "support/spirv_tools.h"

namespace weft::test {
namespace {

constexpr std::string_view kTypes = R"(
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%v3long = OpTypeVector %long 3
%int2 = OpTypeVector %int 2
%float2 = OpTypeVector %float 2
%inputIds = OpTypePointer Input %v3long
%inputInt = OpTypePointer Input %int
%globalInt = OpTypePointer CrossWorkgroup %int
%globalFloat = OpTypePointer CrossWorkgroup %float
%privateInt = OpTypePointer Function %int
%localChar = OpTypePointer Workgroup %char
%localInt = OpTypePointer Workgroup %int
%genericChar = OpTypePointer Generic %char
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%c4 = OpConstant %int 4
%c8 = OpConstant %int 8
%c100 = OpConstant %int 100
%l0 = OpConstant %long 0
%l4 = OpConstant %long 4
%id = OpVariable %inputIds Input
)";

/// `head`: what stands before types, without what all modules have.
std::string module(std::string_view head, std::string_view body) {
  std::string text = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability GenericPointer
OpCapability Groups
)";
  // Capabilities and extensions come before the memory model.
  const size_t split = std::min(head.find("OpEntryPoint"), head.size());
  text += std::string(head.substr(0, split)) + "OpMemoryModel Physical64 OpenCL\n" +
          std::string(head.substr(split)) + "OpDecorate %id BuiltIn GlobalInvocationId\n" +
          std::string(kTypes) + std::string(body);
  return assemble(text);
}

class IlLanguage : public testing::Test {
 protected:
  /// A line of four pixels with one channel.
  MemoryHolder makeLine(cl_channel_type type) {
    const cl_image_format format{CL_R, type};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE1D;
    description.image_width = 4;
    cl_int error = 1;
    MemoryHolder image(
        clCreateImage(context_, CL_MEM_READ_WRITE, &format, &description, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return image;
  }

  ProgramHolder create(const std::string& words) {
    cl_int error = 1;
    ProgramHolder program(clCreateProgramWithIL(context_, words.data(), words.size(), &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return program;
  }
  ProgramHolder build(const std::string& words) {
    ProgramHolder program = create(words);
    EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr), CL_SUCCESS)
        << buildLog(program);
    return program;
  }
  void run(cl_kernel kernel, size_t global, size_t local) {
    EXPECT_EQ(
        clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr),
        CL_SUCCESS);
    EXPECT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  ContextHolder context_ = makeContext();
  QueueHolder queue_ = makeQueue(context_);
};

/// Packets of a global index plus 100, one by one or by a reservation of the group; all are read
/// by one work-item, of a reservation of its own, and counted.
constexpr std::string_view kPipeHead = R"(
OpCapability Pipes
OpEntryPoint Kernel %put "put" %id
OpEntryPoint Kernel %putGroup "putGroup" %id
OpEntryPoint Kernel %get "get" %id
OpEntryPoint Kernel %take "take" %id
)";
constexpr std::string_view kPipeBody = R"(
%writePipe = OpTypePipe WriteOnly
%readPipe = OpTypePipe ReadOnly
%reservation = OpTypeReserveId
%putType = OpTypeFunction %void %writePipe %globalInt
%getType = OpTypeFunction %void %readPipe %globalInt
%put = OpFunction %void None %putType
%putPipe = OpFunctionParameter %writePipe
%putResult = OpFunctionParameter %globalInt
%putEntry = OpLabel
%putPacket = OpVariable %privateInt Function
%putIds = OpLoad %v3long %id Aligned 32
%putLong = OpCompositeExtract %long %putIds 0
%putIndex = OpUConvert %int %putLong
%putValue = OpIAdd %int %putIndex %c100
OpStore %putPacket %putValue Aligned 4
%putError = OpWritePipe %int %putPipe %putPacket %c4 %c4
%putTo = OpInBoundsPtrAccessChain %globalInt %putResult %putLong
OpStore %putTo %putError Aligned 4
OpReturn
OpFunctionEnd
%putGroup = OpFunction %void None %putType
%groupPipe = OpFunctionParameter %writePipe
%groupResult = OpFunctionParameter %globalInt
%groupEntry = OpLabel
%groupPacket = OpVariable %privateInt Function
%groupIds = OpLoad %v3long %id Aligned 32
%groupLong = OpCompositeExtract %long %groupIds 0
%groupIndex = OpUConvert %int %groupLong
%groupValue = OpIAdd %int %groupIndex %c100
OpStore %groupPacket %groupValue Aligned 4
%groupReserved = OpGroupReserveWritePipePackets %reservation %c2 %groupPipe %c8 %c4 %c4
%groupPlace = OpUMod %int %groupIndex %c8
%groupError = OpReservedWritePipe %int %groupPipe %groupReserved %groupPlace %groupPacket %c4 %c4
OpGroupCommitWritePipe %c2 %groupPipe %groupReserved %c4 %c4
%groupTo = OpInBoundsPtrAccessChain %globalInt %groupResult %groupLong
OpStore %groupTo %groupError Aligned 4
OpReturn
OpFunctionEnd
%get = OpFunction %void None %getType
%getPipe = OpFunctionParameter %readPipe
%getResult = OpFunctionParameter %globalInt
%getEntry = OpLabel
%getIds = OpLoad %v3long %id Aligned 32
%getLong = OpCompositeExtract %long %getIds 0
%getTo = OpInBoundsPtrAccessChain %globalInt %getResult %getLong
%getError = OpReadPipe %int %getPipe %getTo %c4 %c4
OpReturn
OpFunctionEnd
%take = OpFunction %void None %getType
%takePipe = OpFunctionParameter %readPipe
%takeResult = OpFunctionParameter %globalInt
%takeEntry = OpLabel
%takeCount = OpGetNumPipePackets %int %takePipe %c4 %c4
OpStore %takeResult %takeCount Aligned 4
%takeMost = OpGetMaxPipePackets %int %takePipe %c4 %c4
%takeTo1 = OpInBoundsPtrAccessChain %globalInt %takeResult %c1
OpStore %takeTo1 %takeMost Aligned 4
%takeReserved = OpReserveReadPipePackets %reservation %takePipe %c2 %c4 %c4
%takeIsValid = OpIsValidReserveId %bool %takeReserved
%takeValid = OpSelect %int %takeIsValid %c1 %c0
%takeTo2 = OpInBoundsPtrAccessChain %globalInt %takeResult %c2
OpStore %takeTo2 %takeValid Aligned 4
%takeTo3 = OpInBoundsPtrAccessChain %globalInt %takeResult %c3
%takeError = OpReservedReadPipe %int %takePipe %takeReserved %c1 %takeTo3 %c4 %c4
OpCommitReadPipe %takePipe %takeReserved %c4 %c4
OpReturn
OpFunctionEnd
)";

class IlPipes : public IlLanguage {
 protected:
  /// The packets that 32 work-items of `writer` leave in a pipe, sorted.
  std::vector<int> packetsOf(cl_program program, const char* writer) {
    cl_int error = 1;
    const MemoryHolder pipe(clCreatePipe(context_, 0, 4, 64, nullptr, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    const MemoryHolder errors = makeBuffer(context_, std::vector<int>(32, 7));
    const KernelHolder put = makeKernel(program, writer);
    setBuffer(put, 0, pipe);
    setBuffer(put, 1, errors);
    run(put, 32, 8);
    EXPECT_EQ(readBuffer<int>(queue_, errors, 32), std::vector<int>(32));
    const MemoryHolder packets = makeBuffer(context_, std::vector<int>(32));
    const KernelHolder get = makeKernel(program, "get");
    setBuffer(get, 0, pipe);
    setBuffer(get, 1, packets);
    run(get, 32, 8);
    std::vector<int> values = readBuffer<int>(queue_, packets, 32);
    std::ranges::sort(values);
    return values;
  }
};

TEST_F(IlPipes, PacketsGoThrough) {
  const ProgramHolder program = build(module(kPipeHead, kPipeBody));
  std::vector<int> expected(32);
  std::iota(expected.begin(), expected.end(), 100);
  EXPECT_EQ(packetsOf(program, "put"), expected);
  EXPECT_EQ(packetsOf(program, "putGroup"), expected);
}

TEST_F(IlPipes, ReservationsAndCounts) {
  const ProgramHolder program = build(module(kPipeHead, kPipeBody));
  cl_int error = 1;
  const MemoryHolder pipe(clCreatePipe(context_, 0, 4, 64, nullptr, &error));
  ASSERT_EQ(error, CL_SUCCESS);
  const MemoryHolder errors = makeBuffer(context_, std::vector<int>(32));
  const KernelHolder put = makeKernel(program, "putGroup");
  setBuffer(put, 0, pipe);
  setBuffer(put, 1, errors);
  run(put, 8, 8);
  const MemoryHolder taken = makeBuffer(context_, std::vector<int>(4, -9));
  const KernelHolder take = makeKernel(program, "take");
  setBuffer(take, 0, pipe);
  setBuffer(take, 1, taken);
  run(take, 1, 1);
  // Eight of sixty-four; the second of them is 101.
  EXPECT_EQ(readBuffer<int>(queue_, taken, 4), (std::vector<int>{8, 64, 1, 101}));
}

TEST_F(IlPipes, TheWrongDirectionIsRefused) {
  std::string body(kPipeBody);
  const std::string_view right = "%getPipe = OpFunctionParameter %readPipe";
  body.replace(body.find(right), right.size(), "%getPipe = OpFunctionParameter %writePipe");
  const std::string_view type = "%get = OpFunction %void None %getType";
  body.replace(body.find(type), type.size(), "%get = OpFunction %void None %putType");
  const ProgramHolder program = create(module(kPipeHead, body));
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(program).find("OpReadPipe"), std::string::npos) << buildLog(program);
}

/// Kernel k enqueues %child, no kernel itself, with what its fourth parameter %data points to and
/// sixteen bytes of local memory: out[global id] = 100 + global id, through local memory. Then it
/// has a marker wait for the child, and tells what all that gave.
std::string enqueueModule(std::string_view bytes) {
  return module(R"(
OpCapability DeviceEnqueue
OpCapability SubgroupDispatch
OpEntryPoint Kernel %k "k"
)",
                std::string(R"(
%queue = OpTypeQueue
%sizesCount = OpConstant %long 3
%l1 = OpConstant %long 1
%event = OpTypeDeviceEvent
%sizes = OpTypeArray %long %sizesCount
%range = OpTypeStruct %int %sizes %sizes %sizes
%data = OpTypeStruct %globalInt %int
%privateData = OpTypePointer Function %data
%privateMember = OpTypePointer Function %globalInt
%privateChar = OpTypePointer Function %char
%privateEvent = OpTypePointer Function %event
%genericEvent = OpTypePointer Generic %event
%genericData = OpTypePointer Generic %data
%genericMember = OpTypePointer Generic %globalInt
%genericInt = OpTypePointer Generic %int
%noEvent = OpConstantNull %genericEvent
%c5 = OpConstant %int 5
%c6 = OpConstant %int 6
%c7 = OpConstant %int 7
%c16 = OpConstant %int 16
%bytes = OpConstant %int )") +
                    std::string(bytes) + R"(
%childType = OpTypeFunction %void %genericChar %localChar
%kType = OpTypeFunction %void %globalInt %globalInt %queue
%child = OpFunction %void None %childType
%childData = OpFunctionParameter %genericChar
%childLocal = OpFunctionParameter %localChar
%childEntry = OpLabel
%childPlace = OpBitcast %genericData %childData
%childOutAt = OpInBoundsPtrAccessChain %genericMember %childPlace %l0 %c0
%childOut = OpLoad %globalInt %childOutAt Aligned 8
%childBaseAt = OpInBoundsPtrAccessChain %genericInt %childPlace %l0 %c1
%childBase = OpLoad %int %childBaseAt Aligned 4
%childIds = OpLoad %v3long %id Aligned 32
%childLong = OpCompositeExtract %long %childIds 0
%childIndex = OpUConvert %int %childLong
%childValue = OpIAdd %int %childIndex %childBase
%childCell = OpBitcast %localInt %childLocal
OpStore %childCell %childValue Aligned 4
%childBack = OpLoad %int %childCell Aligned 4
%childTo = OpInBoundsPtrAccessChain %globalInt %childOut %childLong
OpStore %childTo %childBack Aligned 4
OpReturn
OpFunctionEnd
%k = OpFunction %void None %kType
%out = OpFunctionParameter %globalInt
%told = OpFunctionParameter %globalInt
%given = OpFunctionParameter %queue
%kEntry = OpLabel
%literal = OpVariable %privateData Function
%first = OpVariable %privateEvent Function
%second = OpVariable %privateEvent Function
%outAt = OpInBoundsPtrAccessChain %privateMember %literal %l0 %c0
OpStore %outAt %out Aligned 8
%baseAt = OpInBoundsPtrAccessChain %privateInt %literal %l0 %c1
OpStore %baseAt %c100 Aligned 4
%literalChar = OpBitcast %privateChar %literal
%block = OpPtrCastToGeneric %genericChar %literalChar
%firstAt = OpPtrCastToGeneric %genericEvent %first
%secondAt = OpPtrCastToGeneric %genericEvent %second
%four = OpBuildNDRange %range %l4 %l1 %l0
%error1 = OpEnqueueKernel %int %given %c0 %four %c0 %noEvent %firstAt %child %block %bytes %c8 %c16
%error2 = OpEnqueueMarker %int %given %c1 %firstAt %secondAt
%event2 = OpLoad %event %second Aligned 8
%isEvent = OpIsValidEvent %bool %event2
%valid = OpSelect %int %isEvent %c1 %c0
%event1 = OpLoad %event %first Aligned 8
OpRetainEvent %event1
OpReleaseEvent %event1
OpReleaseEvent %event1
OpReleaseEvent %event2
%groupSize = OpGetKernelWorkGroupSize %int %child %block %bytes %c8
%hasSize = OpINotEqual %bool %groupSize %c0
%sized = OpSelect %int %hasSize %c1 %c0
%mostSubGroups = OpGetKernelMaxNumSubgroups %int %child %block %bytes %c8
%twoSubGroups = OpGetKernelLocalSizeForSubgroupCount %int %c2 %child %block %bytes %c8
%noSubGroups = OpGetKernelLocalSizeForSubgroupCount %int %c0 %child %block %bytes %c8
%own = OpGetDefaultQueue %queue
%userEvent = OpCreateUserEvent %event
OpSetUserEventStatus %userEvent %c0
%isUser = OpIsValidEvent %bool %userEvent
%user = OpSelect %int %isUser %c1 %c0
OpReleaseEvent %userEvent
OpStore %told %error1 Aligned 4
%told1 = OpInBoundsPtrAccessChain %globalInt %told %c1
OpStore %told1 %error2 Aligned 4
%told2 = OpInBoundsPtrAccessChain %globalInt %told %c2
OpStore %told2 %valid Aligned 4
%told3 = OpInBoundsPtrAccessChain %globalInt %told %c3
OpStore %told3 %sized Aligned 4
%told4 = OpInBoundsPtrAccessChain %globalInt %told %c4
OpStore %told4 %user Aligned 4
%told5 = OpInBoundsPtrAccessChain %globalInt %told %c5
OpStore %told5 %mostSubGroups Aligned 4
%told6 = OpInBoundsPtrAccessChain %globalInt %told %c6
OpStore %told6 %twoSubGroups Aligned 4
%told7 = OpInBoundsPtrAccessChain %globalInt %told %c7
OpStore %told7 %noSubGroups Aligned 4
OpReturn
OpFunctionEnd
)");
}

class IlEnqueue : public IlLanguage {
 protected:
  QueueHolder makeDeviceQueue() {
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
        0};
    cl_int error = 1;
    QueueHolder made(clCreateCommandQueueWithProperties(context_, device(), properties, &error));
    EXPECT_EQ(error, CL_SUCCESS);
    return made;
  }
};

// The data have no size of their own in front, as blocks of OpenCL C have.
TEST_F(IlEnqueue, AFunctionWithDataAndLocalMemory) {
  std::string text = enqueueModule("16");
  const ProgramHolder program = build(text);
  size_t kernels = 0;
  EXPECT_EQ(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(kernels, 1u);
  const QueueHolder onDevice = makeDeviceQueue();
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(5, -1));
  const MemoryHolder told = makeBuffer(context_, std::vector<int>(8, -1));
  const KernelHolder kernel = makeKernel(program, "k");
  setBuffer(kernel, 0, out);
  setBuffer(kernel, 1, told);
  setArgument(kernel, 2, onDevice.get());
  run(kernel, 1, 1);
  // Of sub-groups what the host is told, whose kernels are no different.
  size_t most = 0, two = 0;
  const size_t count = 2;
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device(), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr,
                                    sizeof most, &most, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(clGetKernelSubGroupInfo(kernel, device(), CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                    sizeof count, &count, sizeof two, &two, nullptr),
            CL_SUCCESS);
  EXPECT_GT(two, 0u);
  EXPECT_EQ(readBuffer<int>(queue_, told, 8),
            (std::vector<int>{0, 0, 1, 1, 1, static_cast<int>(most), static_cast<int>(two), 0}));
  EXPECT_EQ(readBuffer<int>(queue_, out, 5), (std::vector<int>{100, 101, 102, 103, -1}));
}

TEST_F(IlEnqueue, TooMuchDataIsRefused) {
  const ProgramHolder program = create(enqueueModule("16777216"));
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(program).find("OpEnqueueKernel"), std::string::npos) << buildLog(program);
}

// Blocks of a sub-group, in and out, with each value moved by one: SPV_INTEL_subgroups.
TEST_F(IlLanguage, IntelSubGroups) {
  const ProgramHolder program = build(module(R"(
OpCapability SubgroupShuffleINTEL
OpCapability SubgroupBufferBlockIOINTEL
OpExtension "SPV_INTEL_subgroups"
OpEntryPoint Kernel %k "k" %id %lane %size
OpExecutionMode %k SubgroupSize 8
OpDecorate %lane BuiltIn SubgroupLocalInvocationId
OpDecorate %size BuiltIn SubgroupMaxSize
)",
                                             R"(
%lane = OpVariable %inputInt Input
%size = OpVariable %inputInt Input
%type = OpTypeFunction %void %globalInt %globalInt %globalInt %globalFloat
%k = OpFunction %void None %type
%from = OpFunctionParameter %globalInt
%to = OpFunctionParameter %globalInt
%moved = OpFunctionParameter %globalInt
%floats = OpFunctionParameter %globalFloat
%entry = OpLabel
%pair = OpSubgroupBlockReadINTEL %int2 %from
%near = OpCompositeExtract %int %pair 0
%far = OpCompositeExtract %int %pair 1
%sum = OpIAdd %int2 %pair %pair
OpSubgroupBlockWriteINTEL %to %sum
%down = OpSubgroupShuffleDownINTEL %int %near %far %c3
%ids = OpLoad %v3long %id Aligned 32
%index = OpCompositeExtract %long %ids 0
%movedTo = OpInBoundsPtrAccessChain %globalInt %moved %index
%swapped = OpSubgroupShuffleXorINTEL %int2 %pair %c1
%swappedNear = OpCompositeExtract %int %swapped 0
%scaled = OpIMul %int %swappedNear %c100
%both = OpIAdd %int %scaled %down
OpStore %movedTo %both Aligned 4
%real = OpSubgroupBlockReadINTEL %float %floats
%first = OpSubgroupShuffleINTEL %float %real %c2
OpSubgroupBlockWriteINTEL %floats %first
OpReturn
OpFunctionEnd
)"));
  std::vector<int> in(16), doubled(16), moved(8);
  for (int i = 0; i < 16; ++i) {
    in[static_cast<size_t>(i)] = i + 1;
    doubled[static_cast<size_t>(i)] = 2 * (i + 1);
  }
  for (int i = 0; i < 8; ++i) moved[static_cast<size_t>(i)] = ((i ^ 1) + 1) * 100 + i + 3 + 1;
  const MemoryHolder from = makeBuffer(context_, in);
  const MemoryHolder to = makeBuffer(context_, std::vector<int>(16));
  const MemoryHolder movedTo = makeBuffer(context_, std::vector<int>(8));
  const MemoryHolder floats = makeBuffer(context_, std::vector<float>{0, 1, 2.5, 3, 4, 5, 6, 7});
  const KernelHolder kernel = makeKernel(program, "k");
  cl_uint index = 0;
  for (cl_mem buffer : {from.get(), to.get(), movedTo.get(), floats.get()})
    setBuffer(kernel, index++, buffer);
  run(kernel, 8, 8);
  EXPECT_EQ(readBuffer<int>(queue_, to, 16), doubled);
  EXPECT_EQ(readBuffer<int>(queue_, movedTo, 8), moved);
  EXPECT_EQ(readBuffer<float>(queue_, floats, 8), std::vector<float>(8, 2.5F));
}

/// An empty kernel with a mode, or names and types.
std::string emptyKernel(std::string_view capabilities, std::string_view notes) {
  return module(std::string(capabilities) + "OpEntryPoint Kernel %k \"k\"\n" + std::string(notes),
                R"(
%type = OpTypeFunction %void %globalInt %int
%k = OpFunction %void None %type
%pointer = OpFunctionParameter %globalInt
%number = OpFunctionParameter %int
%entry = OpLabel
OpReturn
OpFunctionEnd
)");
}

TEST_F(IlLanguage, FloatControls) {
  build(
      emptyKernel("OpCapability DenormPreserve\nOpCapability RoundingModeRTE\n"
                  "OpCapability SignedZeroInfNanPreserve\n"
                  "OpExtension \"SPV_KHR_float_controls\"\n",
                  "OpExecutionMode %k DenormPreserve 32\nOpExecutionMode %k RoundingModeRTE 32\n"
                  "OpExecutionMode %k SignedZeroInfNanPreserve 32\n"));
  build(emptyKernel("OpCapability DenormFlushToZero\nOpExtension \"SPV_KHR_float_controls\"\n",
                    "OpExecutionMode %k DenormFlushToZero 32\n"));
  const ProgramHolder program =
      create(emptyKernel("OpCapability RoundingModeRTZ\nOpExtension \"SPV_KHR_float_controls\"\n",
                         "OpExecutionMode %k RoundingModeRTZ 32\n"));
  EXPECT_EQ(clBuildProgram(program, 0, nullptr, nullptr, nullptr, nullptr),
            CL_BUILD_PROGRAM_FAILURE);
  EXPECT_NE(buildLog(program).find("RoundingModeRTZ"), std::string::npos) << buildLog(program);
}

/// CL_SUCCESS with the text, or what clGetKernelArgInfo says instead.
std::pair<cl_int, std::string> argumentText(cl_kernel kernel, cl_uint index,
                                            cl_kernel_arg_info what) {
  char text[64] = "";
  const cl_int error = clGetKernelArgInfo(kernel, index, what, sizeof text, text, nullptr);
  return {error, text};
}

TEST_F(IlLanguage, ArgumentNamesAndTypes) {
  using Text = std::pair<cl_int, std::string>;
  const std::string names = "OpName %pointer \"pointer\"\nOpName %number \"number\"\n";
  const ProgramHolder program =
      build(emptyKernel("",
                        "%types = OpString \"kernel_arg_type.k.uint*,int,\"\n"
                        "%quals = OpString \"kernel_arg_type_qual.k.restrict const,,\"\n" +
                            names));
  const KernelHolder kernel = makeKernel(program, "k");
  EXPECT_EQ(argumentText(kernel, 0, CL_KERNEL_ARG_NAME), Text(CL_SUCCESS, "pointer"));
  EXPECT_EQ(argumentText(kernel, 1, CL_KERNEL_ARG_NAME), Text(CL_SUCCESS, "number"));
  EXPECT_EQ(argumentText(kernel, 0, CL_KERNEL_ARG_TYPE_NAME), Text(CL_SUCCESS, "uint*"));
  EXPECT_EQ(argumentText(kernel, 1, CL_KERNEL_ARG_TYPE_NAME), Text(CL_SUCCESS, "int"));
  cl_kernel_arg_type_qualifier qualifier = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                               &qualifier, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(qualifier,
            cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT});
  cl_kernel_arg_address_qualifier address = 0;
  EXPECT_EQ(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address,
                               nullptr),
            CL_SUCCESS);
  EXPECT_EQ(address, cl_kernel_arg_address_qualifier{CL_KERNEL_ARG_ADDRESS_GLOBAL});
  // Where the source's words are not kept, decorations speak.
  const ProgramHolder decorated = build(emptyKernel(
      "", "%types = OpString \"kernel_arg_type.k.uint*,int,\"\n" + names +
              "OpDecorate %pointer FuncParamAttr NoAlias\nOpDecorate %pointer Volatile\n"));
  EXPECT_EQ(clGetKernelArgInfo(makeKernel(decorated, "k"), 0, CL_KERNEL_ARG_TYPE_QUALIFIER,
                               sizeof qualifier, &qualifier, nullptr),
            CL_SUCCESS);
  EXPECT_EQ(qualifier, cl_kernel_arg_type_qualifier{CL_KERNEL_ARG_TYPE_RESTRICT |
                                                    CL_KERNEL_ARG_TYPE_VOLATILE});
  // Types alone do not say what the source has called them.
  const ProgramHolder nameless = build(emptyKernel("", names));
  EXPECT_EQ(argumentText(makeKernel(nameless, "k"), 0, CL_KERNEL_ARG_TYPE_NAME).first,
            CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}

// OpenCL C has ids and sizes for dimensions that a vector of three has no place for.
TEST_F(IlLanguage, IdsAndSizesOfAnyDimension) {
  const ProgramHolder program = build(module(R"(
OpEntryPoint Kernel %k "k" %id %sizes
OpDecorate %sizes BuiltIn GlobalSize
)",
                                             R"(
%sizes = OpVariable %inputIds Input
%type = OpTypeFunction %void %globalInt %int
%k = OpFunction %void None %type
%out = OpFunctionParameter %globalInt
%far = OpFunctionParameter %int
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%allSizes = OpLoad %v3long %sizes Aligned 32
%index = OpCompositeExtract %long %ids 0
%same = OpVectorExtractDynamic %long %ids %c0
%none = OpVectorExtractDynamic %long %ids %far
%one = OpVectorExtractDynamic %long %allSizes %far
%sum = OpIAdd %long %same %none
%both = OpIAdd %long %sum %one
%narrow = OpUConvert %int %both
%to = OpInBoundsPtrAccessChain %globalInt %out %index
OpStore %to %narrow Aligned 4
OpReturn
OpFunctionEnd
)"));
  const MemoryHolder out = makeBuffer(context_, std::vector<int>(4));
  const KernelHolder kernel = makeKernel(program, "k");
  for (const cl_int far : {3, 4, 7, INT32_MAX, -1}) {
    setBuffer(kernel, 0, out);
    setArgument(kernel, 1, far);
    run(kernel, 4, 1);
    EXPECT_EQ(readBuffer<int>(queue_, out, 4), (std::vector<int>{1, 2, 3, 4})) << far;
  }
}

// Before SPIR-V 1.4 the image alone tells whether its numbers have a sign.
TEST_F(IlLanguage, ImagesOfIntegersWithAndWithoutASign) {
  const ProgramHolder program = build(module(R"(
OpCapability ImageBasic
OpCapability ImageBuffer
OpCapability Sampled1D
OpEntryPoint Kernel %k "k" %id
)",
                                             R"(
%int4 = OpTypeVector %int 4
%readImage = OpTypeImage %void 1D 0 0 0 0 Unknown ReadOnly
%writtenImage = OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly
%type = OpTypeFunction %void %readImage %writtenImage %globalInt
%k = OpFunction %void None %type
%from = OpFunctionParameter %readImage
%into = OpFunctionParameter %writtenImage
%out = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%index = OpCompositeExtract %long %ids 0
%at = OpUConvert %int %index
%pixel = OpImageRead %int4 %from %at
OpImageWrite %into %at %pixel
%red = OpCompositeExtract %int %pixel 0
%to = OpInBoundsPtrAccessChain %globalInt %out %index
OpStore %to %red Aligned 4
OpReturn
OpFunctionEnd
)"));
  struct Case {
    cl_channel_type type;
    std::vector<int> values;
  };
  const Case cases[] = {{CL_SIGNED_INT8, {-128, -1, 0, 127}},
                        {CL_UNSIGNED_INT8, {0, 1, 128, 255}},
                        {CL_SIGNED_INT16, {-32768, -1, 0, 32767}},
                        {CL_UNSIGNED_INT16, {0, 1, 32768, 65535}},
                        {CL_SIGNED_INT32, {INT32_MIN, -1, 0, INT32_MAX}},
                        {CL_UNSIGNED_INT32, {0, 1, INT32_MIN, -1}}};
  for (const Case& one : cases) {
    const MemoryHolder from = makeLine(one.type), into = makeLine(one.type);
    const MemoryHolder out = makeBuffer(context_, std::vector<int>(4));
    for (size_t i = 0; i < 4; ++i) {
      const int color[4] = {one.values[i], 0, 0, 1};
      const size_t origin[3] = {i, 0, 0}, region[3] = {1, 1, 1};
      EXPECT_EQ(clEnqueueFillImage(queue_, from, color, origin, region, 0, nullptr, nullptr),
                CL_SUCCESS);
    }
    const KernelHolder kernel = makeKernel(program, "k");
    setBuffer(kernel, 0, from);
    setBuffer(kernel, 1, into);
    setBuffer(kernel, 2, out);
    run(kernel, 4, 4);
    EXPECT_EQ(readBuffer<int>(queue_, out, 4), one.values) << one.type;
    setBuffer(kernel, 0, into);
    setBuffer(kernel, 1, from);
    run(kernel, 4, 4);
    EXPECT_EQ(readBuffer<int>(queue_, out, 4), one.values) << one.type;
  }
}

// Objects are where the language has them, not where what the library is given for them is.
TEST_F(IlLanguage, AddressesOfObjects) {
  const ProgramHolder program = build(module(R"(
OpCapability ImageBasic
OpCapability Pipes
OpEntryPoint Kernel %k "k"
%types = OpString "kernel_arg_type.k.image2d_t,sampler_t,pipe int,"
OpName %image "image"
OpName %sampler "sampler"
OpName %pipe "pipe"
)",
                                             R"(
%imageType = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%samplerType = OpTypeSampler
%pipeType = OpTypePipe WriteOnly
%type = OpTypeFunction %void %imageType %samplerType %pipeType
%k = OpFunction %void None %type
%image = OpFunctionParameter %imageType
%sampler = OpFunctionParameter %samplerType
%pipe = OpFunctionParameter %pipeType
%entry = OpLabel
OpReturn
OpFunctionEnd
)"));
  const KernelHolder kernel = makeKernel(program, "k");
  constexpr cl_kernel_arg_address_qualifier kAddresses[] = {
      CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL};
  constexpr cl_kernel_arg_access_qualifier kAccesses[] = {
      CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_WRITE_ONLY};
  for (cl_uint k = 0; k < 3; ++k) {
    cl_kernel_arg_address_qualifier address = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address,
                                 &address, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(address, kAddresses[k]) << k;
    cl_kernel_arg_access_qualifier access = 0;
    EXPECT_EQ(clGetKernelArgInfo(kernel, k, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                                 nullptr),
              CL_SUCCESS);
    EXPECT_EQ(access, kAccesses[k]) << k;
  }
}

}  // namespace
}  // namespace weft::test
