// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spirv_samples.h"

#include "support/spirv_tools.h"

namespace weft::test::samples {
namespace {

/// What all modules begin with, and types that most of them use.
constexpr std::string_view kHead = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability Int16
OpCapability Float64
OpCapability Float16
OpCapability Vector16
OpCapability GenericPointer
OpCapability Groups
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
)";
constexpr std::string_view kTypes = R"(
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%short = OpTypeInt 16 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v3long = OpTypeVector %long 3
%float4 = OpTypeVector %float 4
%int4 = OpTypeVector %int 4
%globalInt = OpTypePointer CrossWorkgroup %int
%globalFloat = OpTypePointer CrossWorkgroup %float
%localInt = OpTypePointer Workgroup %int
%genericInt = OpTypePointer Generic %int
%privateInt = OpTypePointer Function %int
%inputIds = OpTypePointer Input %v3long
%inputLong = OpTypePointer Input %long
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%c7 = OpConstant %int 7
%l0 = OpConstant %long 0
%l1 = OpConstant %long 1
%scopeWorkgroup = OpConstant %int 2
%scopeDevice = OpConstant %int 1
%localSeqCst = OpConstant %int 0x110
%globalRelaxed = OpConstant %int 0
%id = OpVariable %inputIds Input
%localId = OpVariable %inputIds Input
)";
constexpr std::string_view kIds = R"(
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %localId BuiltIn LocalInvocationId
)";

}  // namespace

std::string module(std::string_view body, std::string_view annotations, std::string_view types) {
  return std::string(kHead) + "OpEntryPoint Kernel %k \"k\" %id %localId\n" +
         std::string(annotations) + std::string(kIds) + std::string(kTypes) + std::string(types) +
         std::string(body);
}

const std::string_view kAdd = R"(
%type = OpTypeFunction %void %globalInt %globalInt
%k = OpFunction %void None %type
%a = OpFunctionParameter %globalInt
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%from = OpInBoundsPtrAccessChain %globalInt %a %i
%x = OpLoad %int %from Aligned 4
%sum = OpIAdd %int %x %c3
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %sum Aligned 4
OpReturn
OpFunctionEnd
)";

const std::string_view kLoop = R"(
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%n = OpUConvert %int %i
%kind = OpBitwiseAnd %int %n %c3
OpBranch %head
%head = OpLabel
%count = OpPhi %int %c0 %entry %next %latch
%sum = OpPhi %int %c0 %entry %more %latch
%again = OpSLessThan %bool %count %n
OpLoopMerge %done %latch None
OpBranchConditional %again %body %done
%body = OpLabel
OpSelectionMerge %latch None
OpSwitch %kind %other 0 %zero 2 %two 4294967295 %two
%zero = OpLabel
%a = OpIAdd %int %sum %c1
OpBranch %latch
%two = OpLabel
%b = OpIAdd %int %sum %count
OpBranch %latch
%other = OpLabel
%c = OpBitwiseXor %int %sum %count
OpBranch %latch
%latch = OpLabel
%more = OpPhi %int %a %zero %b %two %c %other
%next = OpIAdd %int %count %c1
OpBranch %head
%done = OpLabel
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %sum Aligned 4
OpReturn
OpFunctionEnd
)";

const std::string_view kGroupTypes = "%length = OpConstant %long 64\n";
const std::string_view kGroup = R"(
%array = OpTypeArray %int %length
%localArray = OpTypePointer Workgroup %array
%cells = OpVariable %localArray Workgroup
%helperType = OpTypeFunction %int %genericInt
%type = OpTypeFunction %void %globalInt %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%total = OpFunctionParameter %globalInt
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%lids = OpLoad %v3long %localId Aligned 32
%l = OpCompositeExtract %long %lids 0
%cell = OpInBoundsPtrAccessChain %localInt %cells %l0 %l
%n = OpUConvert %int %i
OpStore %cell %n Aligned 4
OpControlBarrier %scopeWorkgroup %scopeWorkgroup %localSeqCst
%flipped = OpBitwiseXor %long %l %l1
%other = OpInBoundsPtrAccessChain %localInt %cells %l0 %flipped
%generic = OpPtrCastToGeneric %genericInt %other
%x = OpFunctionCall %int %helper %generic
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %x Aligned 4
%old = OpAtomicIAdd %int %total %scopeDevice %globalRelaxed %x
OpReturn
OpFunctionEnd
%helper = OpFunction %int None %helperType
%pointer = OpFunctionParameter %genericInt
%start = OpLabel
%y = OpLoad %int %pointer Aligned 4
%doubled = OpShiftLeftLogical %int %y %c1
OpReturnValue %doubled
OpFunctionEnd
)";

const std::string_view kSpecialized = R"(
%factor = OpSpecConstant %int 5
%wide = OpSpecConstant %long 7
%on = OpSpecConstantTrue %bool
%twice = OpSpecConstantOp %int IMul %factor %c2
%half64 = OpSpecConstantOp %int UConvert %wide
%picked = OpSpecConstantOp %int Select %on %twice %half64
%type = OpTypeFunction %void %globalInt
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%entry = OpLabel
OpStore %r %picked Aligned 4
OpReturn
OpFunctionEnd
)";
const std::string_view kSpecIds = R"(
OpDecorate %factor SpecId 3
OpDecorate %wide SpecId 1000
OpDecorate %on SpecId 0
)";

const std::string_view kImages = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability ImageBasic
OpCapability LiteralSampler
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpDecorate %id BuiltIn GlobalInvocationId
%void = OpTypeVoid
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%v3long = OpTypeVector %long 3
%int2 = OpTypeVector %int 2
%float4 = OpTypeVector %float 4
%inputIds = OpTypePointer Input %v3long
%globalFloat4 = OpTypePointer CrossWorkgroup %float4
%globalInt2 = OpTypePointer CrossWorkgroup %int2
%image = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%target = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
%sampler = OpTypeSampler
%sampled = OpTypeSampledImage %image
%border = OpConstantSampler %sampler Clamp 0 Nearest
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%f0 = OpConstant %float 0
%id = OpVariable %inputIds Input
%type = OpTypeFunction %void %image %target %sampler %globalFloat4 %globalInt2
%k = OpFunction %void None %type
%from = OpFunctionParameter %image
%into = OpFunctionParameter %target
%how = OpFunctionParameter %sampler
%out = OpFunctionParameter %globalFloat4
%size = OpFunctionParameter %globalInt2
%entry = OpLabel
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%n = OpUConvert %int %i
%at = OpCompositeConstruct %int2 %n %c1
%pair = OpSampledImage %sampled %from %border
%x = OpImageSampleExplicitLod %float4 %pair %at Lod %f0
%other = OpSampledImage %sampled %from %how
%y = OpImageSampleExplicitLod %float4 %other %at Lod %f0
%z = OpImageRead %float4 %from %at
%xy = OpFAdd %float4 %x %y
%sum = OpFAdd %float4 %xy %z
%to = OpInBoundsPtrAccessChain %globalFloat4 %out %i
OpStore %to %sum Aligned 16
OpImageWrite %into %at %x
%all = OpImageQuerySizeLod %int2 %from %c0
OpStore %size %all Aligned 8
OpReturn
OpFunctionEnd
)";

const std::string_view kCalls = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability Float64
OpCapability Groups
OpCapability GroupNonUniform
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffle
OpCapability AtomicFloat32AddEXT
OpCapability DotProduct
OpCapability DotProductInput4x8Bit
OpCapability ExpectAssumeKHR
OpCapability BitInstructions
OpExtension "SPV_EXT_shader_atomic_float_add"
OpExtension "SPV_KHR_integer_dot_product"
OpExtension "SPV_KHR_expect_assume"
OpExtension "SPV_KHR_bit_instructions"
%std = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
%file = OpString "calls.cl"
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %format Constant
OpDecorate %fast FPFastMathMode Fast
OpDecorate %rounded FPRoundingMode RTZ
OpDecorate %saturated SaturatedConversion
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%v3long = OpTypeVector %long 3
%char4 = OpTypeVector %char 4
%float2 = OpTypeVector %float 2
%float4 = OpTypeVector %float 4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%orders = OpConstant %int 0x108
%l4 = OpConstant %long 4
%percent = OpConstant %char 37
%letter = OpConstant %char 100
%zero = OpConstant %char 0
%text = OpTypeArray %char %l4
%textPointer = OpTypePointer UniformConstant %text
%charPointer = OpTypePointer UniformConstant %char
%words = OpConstantComposite %text %percent %letter %zero %zero
%format = OpVariable %textPointer UniformConstant %words
%inputIds = OpTypePointer Input %v3long
%globalFloat = OpTypePointer CrossWorkgroup %float
%privateFloat = OpTypePointer Function %float
%privateInt = OpTypePointer Function %int
%id = OpVariable %inputIds Input
%type = OpTypeFunction %void %globalFloat %int
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalFloat
%n = OpFunctionParameter %int
%entry = OpLabel
%whole = OpVariable %privateFloat Function
%exponent = OpVariable %privateInt Function
OpLine %file 7 3
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
%at = OpInBoundsPtrAccessChain %globalFloat %r %i
%x = OpLoad %float %at Aligned 4
%a = OpExtInst %float %std sin %x
%b = OpExtInst %float %std fma %x %a %x
%fraction = OpExtInst %float %std fract %b %whole
%mantissa = OpExtInst %float %std frexp %b %exponent
%y = OpLoad %float %whole Aligned 4
%e = OpLoad %int %exponent Aligned 4
%two = OpCompositeConstruct %float2 %fraction %mantissa
%four = OpVectorShuffle %float4 %two %two 0 1 3 4294967295
%d = OpExtInst %float %std fast_length %four
%fast = OpFMul %float %d %y
%z = OpFDiv %float %fast %x
%clamped = OpExtInst %int %std s_clamp %n %c1 %c3
%bits = OpBitCount %int %clamped
%field = OpBitFieldSExtract %int %n %c2 %c3
%rounded = OpConvertFToS %int %z
%bytes = OpBitcast %char4 %rounded
%dot = OpSDot %int %bytes %bytes
%saturated = OpSConvert %char %dot
%widened = OpSConvert %int %saturated
%expected = OpExpectKHR %int %widened %c1
%all = OpGroupIAdd %int %c2 Reduce %expected
%scan = OpGroupNonUniformFAdd %float %c3 InclusiveScan %z
%other = OpGroupNonUniformShuffle %float %c3 %scan %c1
%less = OpFOrdLessThan %bool %other %x
%any = OpGroupNonUniformAny %bool %c3 %less
%picked = OpSelect %float %any %other %z
%old = OpAtomicFAddEXT %float %at %c1 %c0 %picked
OpMemoryBarrier %c1 %orders
%first = OpInBoundsPtrAccessChain %charPointer %format %c0 %c0
%printed = OpExtInst %int %std printf %first %e
%up = OpFConvert %double %old
%back = OpFConvert %float %up
%same = OpBitwiseOr %int %all %field
%more = OpIAdd %int %same %bits
%f = OpConvertSToF %float %more
%sum = OpFAdd %float %f %back
OpStore %at %sum Aligned 4
OpReturn
OpFunctionEnd
)";

const std::string_view kObjects = R"(
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Int8
OpCapability Pipes
OpCapability DeviceEnqueue
OpCapability GenericPointer
OpCapability Groups
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k" %id
OpExecutionMode %k LocalSize 16 1 1
OpDecorate %id BuiltIn GlobalInvocationId
OpDecorate %packed CPacked
OpDecorate %s FuncParamAttr ByVal
%void = OpTypeVoid
%bool = OpTypeBool
%char = OpTypeInt 8 0
%int = OpTypeInt 32 0
%long = OpTypeInt 64 0
%v3long = OpTypeVector %long 3
%int4 = OpTypeVector %int 4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%c4 = OpConstant %int 4
%c8 = OpConstant %int 8
%l16 = OpConstant %long 16
%event = OpTypeEvent
%queue = OpTypeQueue
%deviceEvent = OpTypeDeviceEvent
%reserve = OpTypeReserveId
%readPipe = OpTypePipe ReadOnly
%writePipe = OpTypePipe WriteOnly
OpTypeForwardPointer %nodePointer CrossWorkgroup
%packed = OpTypeStruct %char %int
%row = OpTypeArray %packed %l16
%node = OpTypeStruct %nodePointer %row %int4
%nodePointer = OpTypePointer CrossWorkgroup %node
%nodePlace = OpTypePointer CrossWorkgroup %nodePointer
%privateNode = OpTypePointer Function %node
%privatePacked = OpTypePointer Function %packed
%globalInt = OpTypePointer CrossWorkgroup %int
%globalChar = OpTypePointer CrossWorkgroup %char
%localInt = OpTypePointer Workgroup %int
%cells = OpTypeArray %int %l16
%localCells = OpTypePointer Workgroup %cells
%privateInt = OpTypePointer Function %int
%genericInt = OpTypePointer Generic %int
%genericEvent = OpTypePointer Generic %deviceEvent
%inputIds = OpTypePointer Input %v3long
%privateEvent = OpTypePointer Function %event
%noEvent = OpConstantNull %event
%empty = OpConstantNull %node
%zero = OpConstant %char 0
%pair = OpConstantComposite %packed %zero %c1
%id = OpVariable %inputIds Input
%memory = OpVariable %localCells Workgroup
%type = OpTypeFunction %void %globalInt %nodePointer %privatePacked %readPipe %writePipe
%k = OpFunction %void None %type
%r = OpFunctionParameter %globalInt
%list = OpFunctionParameter %nodePointer
%s = OpFunctionParameter %privatePacked
%in = OpFunctionParameter %readPipe
%out = OpFunctionParameter %writePipe
%entry = OpLabel
%here = OpVariable %privateNode Function %empty
%packet = OpVariable %privateInt Function
%done = OpVariable %privateEvent Function
%ids = OpLoad %v3long %id Aligned 32
%i = OpCompositeExtract %long %ids 0
OpBranch %loop
%loop = OpLabel
%current = OpPhi %nodePointer %list %entry %following %again
OpCopyMemory %here %current
%place = OpInBoundsAccessChain %nodePlace %current %c0
%following = OpLoad %nodePointer %place Aligned 8
%address = OpConvertPtrToU %long %following
%last = OpIEqual %bool %address %address
OpLoopMerge %end %again None
OpBranchConditional %last %end %again
%again = OpLabel
OpBranch %loop
%end = OpLabel
%value = OpLoad %packed %s Aligned 1
%part = OpCompositeExtract %int %value 1
%changed = OpCompositeInsert %packed %part %value 1
OpStore %s %changed Aligned 1
%generic = OpPtrCastToGeneric %genericInt %packet
OpStore %packet %part Aligned 4
%read = OpReadPipe %int %in %generic %c4 %c4
%written = OpWritePipe %int %out %generic %c4 %c4
%first = OpInBoundsPtrAccessChain %localInt %memory %c0 %c0
%copied = OpGroupAsyncCopy %event %c2 %first %r %l16 %l16 %noEvent
OpStore %done %copied Aligned 8
OpGroupWaitEvents %c2 %c1 %done
%to = OpInBoundsPtrAccessChain %globalInt %r %i
OpStore %to %read Aligned 4
OpSwitch %i %leave 0 %leave 4294967297 %other
%other = OpLabel
%swapped = OpAtomicCompareExchange %int %to %c1 %c8 %c2 %written %read
OpReturn
%leave = OpLabel
OpReturn
OpFunctionEnd
)";

/// The first one with notes for debuggers.
static std::string noted() {
  std::string text = module(kAdd, "", R"(%file = OpString "a.cl"
%name = OpString "here"
%source = OpExtInst %void %debug DebugSource %file
%f = OpExtInst %void %debug DebugFunction %name %void %source %c7 %c1 %source %name %c0 %c7
)");
  text.insert(text.find("OpMemoryModel"),
              "%debug = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n");
  text.insert(text.find("%sum = OpIAdd"),
              R"(%d0 = OpExtInst %void %debug DebugFunctionDefinition %f %k
%d1 = OpExtInst %void %debug DebugLine %source %c7 %c7 %c3 %c3
)");
  return text;
}

std::vector<std::string> all() {
  return {assemble(module(kAdd)),  assemble(module(kSpecialized, kSpecIds)),
          assemble(module(kLoop)), assemble(module(kGroup, "", kGroupTypes)),
          assemble(kImages),       assemble(kCalls, 0x00010600),
          assemble(kObjects),      assemble(noted())};
}

}  // namespace weft::test::samples
