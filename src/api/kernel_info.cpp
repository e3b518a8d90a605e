// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "api/adaptor.h"
#include "api/info.h"
#include "platform/limits.h"
#include "program/kernel.h"
#include "validate/program.h"
#include "weft/support/checked.h"

using namespace weft;

namespace {

using api::InfoRow;
using api::InfoWriter;
using compiler::AccessQualifier;
using compiler::AddressQualifier;
using compiler::ArgumentInfo;

/// What the specification shows of a source is not shown of a loaded binary.
bool isFromSource(const Kernel& kernel) noexcept {
  return kernel.program().origin() != Program::Origin::Binary;
}

constexpr InfoRow<Kernel> kKernelRows[] = {
    {CL_KERNEL_FUNCTION_NAME,
     [](const Kernel& k, const InfoWriter& out) { return out.string(k.info().name); }},
    {CL_KERNEL_NUM_ARGS,
     [](const Kernel& k, const InfoWriter& out) {
       return out.value(static_cast<cl_uint>(k.info().arguments.size()));
     }},
    {CL_KERNEL_REFERENCE_COUNT,
     [](const Kernel& k, const InfoWriter& out) {
       return out.value<cl_uint>(k.applicationRefs());
     }},
    {CL_KERNEL_CONTEXT,
     [](const Kernel& k, const InfoWriter& out) {
       return out.value<cl_context>(k.context().handle());
     }},
    {CL_KERNEL_PROGRAM,
     [](const Kernel& k, const InfoWriter& out) {
       return out.value<cl_program>(k.program().handle());
     }},
    {CL_KERNEL_ATTRIBUTES,
     [](const Kernel& k, const InfoWriter& out) {
       return out.string(isFromSource(k) ? k.info().attributes : "");
     }},
};

/// One argument of a kernel; nothing of it is known without a source and -cl-kernel-arg-info.
struct KernelArgument {
  const ArgumentInfo& info;
  bool isKnown;
};

cl_kernel_arg_address_qualifier addressOf(const ArgumentInfo& argument) noexcept {
  switch (argument.address) {
    case AddressQualifier::Private:
      return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    case AddressQualifier::Global:
      return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case AddressQualifier::Constant:
      return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case AddressQualifier::Local:
      return CL_KERNEL_ARG_ADDRESS_LOCAL;
  }
  return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

cl_kernel_arg_access_qualifier accessOf(const ArgumentInfo& argument) noexcept {
  switch (argument.access) {
    case AccessQualifier::None:
      return CL_KERNEL_ARG_ACCESS_NONE;
    case AccessQualifier::ReadOnly:
      return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    case AccessQualifier::WriteOnly:
      return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case AccessQualifier::ReadWrite:
      return CL_KERNEL_ARG_ACCESS_READ_WRITE;
  }
  return CL_KERNEL_ARG_ACCESS_NONE;
}

cl_kernel_arg_type_qualifier typeQualifierOf(const ArgumentInfo& argument) noexcept {
  cl_kernel_arg_type_qualifier qualifier = CL_KERNEL_ARG_TYPE_NONE;
  if (argument.isConst) qualifier |= CL_KERNEL_ARG_TYPE_CONST;
  if (argument.isRestrict) qualifier |= CL_KERNEL_ARG_TYPE_RESTRICT;
  if (argument.isVolatile) qualifier |= CL_KERNEL_ARG_TYPE_VOLATILE;
  if (argument.kind == compiler::ArgumentKind::Pipe) qualifier |= CL_KERNEL_ARG_TYPE_PIPE;
  return qualifier;
}

Result<void> known(const KernelArgument& argument) noexcept {
  return require(argument.isKnown, CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
}

constexpr InfoRow<KernelArgument> kArgumentRows[] = {
    {CL_KERNEL_ARG_ADDRESS_QUALIFIER,
     [](const KernelArgument& a, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(known(a));
       return out.value(addressOf(a.info));
     }},
    {CL_KERNEL_ARG_ACCESS_QUALIFIER,
     [](const KernelArgument& a, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(known(a));
       return out.value(accessOf(a.info));
     }},
    {CL_KERNEL_ARG_TYPE_NAME,
     [](const KernelArgument& a, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(known(a));
       return out.string(a.info.typeName);
     }},
    {CL_KERNEL_ARG_TYPE_QUALIFIER,
     [](const KernelArgument& a, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(known(a));
       return out.value(typeQualifierOf(a.info));
     }},
    {CL_KERNEL_ARG_NAME,
     [](const KernelArgument& a, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(known(a));
       return out.string(a.info.name);
     }},
};

/// A kernel with what was built for one device.
struct KernelOnDevice {
  const Kernel& kernel;
  const compiler::KernelInfo& info;
};

constexpr InfoRow<KernelOnDevice> kWorkGroupRows[] = {
    {CL_KERNEL_WORK_GROUP_SIZE,
     [](const KernelOnDevice& k, const InfoWriter& out) {
       return out.value<size_t>(maxWorkGroupSize(k.info));
     }},
    {CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
     [](const KernelOnDevice& k, const InfoWriter& out) {
       const auto& required = k.info.reqdWorkGroupSize;
       return out.value(std::array<size_t, 3>{required[0], required[1], required[2]});
     }},
    {CL_KERNEL_LOCAL_MEM_SIZE,
     [](const KernelOnDevice& k, const InfoWriter& out) {
       return out.value<cl_ulong>(k.kernel.arguments().localBytes());
     }},
    {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](const KernelOnDevice& k, const InfoWriter& out) {
       return out.value<size_t>(
           std::max<size_t>(k.info.subGroupSize, limits::kPreferredWorkGroupSizeMultiple));
     }},
    {CL_KERNEL_PRIVATE_MEM_SIZE,
     [](const KernelOnDevice& k, const InfoWriter& out) {
       return out.value<cl_ulong>(k.info.privateBytes);
     }},
    // Registers are spilled to the stack, which is no memory that a program could save.
    {CL_KERNEL_SPILL_MEM_SIZE_INTEL,
     [](const KernelOnDevice&, const InfoWriter& out) { return out.value(cl_ulong{0}); }},
};

/// A kernel, and what is asked of it: sizes of a work-group, or a number of sub-groups.
struct SubGroupQuery {
  const compiler::KernelInfo& info;
  std::span<const std::byte> input;

  size_t subGroupSize() const noexcept { return subGroupSizeOf(info); }
  size_t number(size_t i) const noexcept {
    size_t value = 0;
    std::memcpy(&value, input.data() + i * sizeof value, sizeof value);
    return value;
  }
  /// The product of one to three sizes.
  Result<size_t> items() const noexcept {
    const size_t dimensions = input.size() / sizeof(size_t);
    WEFT_TRY_VOID(require(input.data() && input.size() % sizeof(size_t) == 0 && dimensions >= 1 &&
                              dimensions <= limits::kMaxWorkItemDimensions,
                          CL_INVALID_VALUE));
    size_t product = 1;
    for (size_t d = 0; d < dimensions; ++d)
      if (__builtin_mul_overflow(product, number(d), &product)) return clError(CL_INVALID_VALUE);
    return product;
  }
};

constexpr InfoRow<SubGroupQuery> kSubGroupRows[] = {
    {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
     [](const SubGroupQuery& q, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(q.items());
       return out.value(q.subGroupSize());
     }},
    {CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
     [](const SubGroupQuery& q, const InfoWriter& out) -> Result<void> {
       WEFT_TRY(const size_t items, q.items());
       return out.value(divideUp(items, q.subGroupSize()));
     }},
    {CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
     [](const SubGroupQuery& q, const InfoWriter& out) -> Result<void> {
       WEFT_TRY_VOID(require(q.input.data() && q.input.size() == sizeof(size_t), CL_INVALID_VALUE));
       const std::array<size_t, 3> size = localSizeFor(q.info, q.number(0));
       // As many dimensions as the caller has room for, where the others are of one work-item.
       const size_t most = out.buffer() ? out.capacity() / sizeof(size_t) : size.size();
       const size_t dimensions = std::clamp<size_t>(most, 1, size.size());
       const bool fits = (dimensions > 1 || size[1] <= 1) && (dimensions > 2 || size[2] <= 1);
       const std::array<size_t, 3> none{};
       return out.bytes(fits ? size.data() : none.data(), dimensions * sizeof(size_t));
     }},
    {CL_KERNEL_MAX_NUM_SUB_GROUPS,
     [](const SubGroupQuery& q, const InfoWriter& out) { return out.value(maxSubGroups(q.info)); }},
    {CL_KERNEL_COMPILE_NUM_SUB_GROUPS,
     [](const SubGroupQuery& q, const InfoWriter& out) {
       return out.value(size_t{q.info.reqdSubGroups});
     }},
    {CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
     [](const SubGroupQuery& q, const InfoWriter& out) {
       return out.value(size_t{q.info.subGroupSize});
     }},
};

cl_int subGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info parameter,
                    std::span<const std::byte> input, size_t capacity, void* buffer,
                    size_t* sizeRet) noexcept {
  return api::call(
      [&]() -> Result<void> {
        WEFT_TRY(const Kernel* object, validate::kernel(kernel));
        WEFT_TRY(const Device* onDevice, validate::kernelDevice(*object, device));
        return api::queryInfo<SubGroupQuery>(kSubGroupRows, {object->infoFor(*onDevice), input},
                                             parameter, capacity, buffer, sizeRet);
      },
      "clGetKernelSubGroupInfo");
}

std::span<const std::byte> bytesOf(const void* data, size_t size) noexcept {
  return {static_cast<const std::byte*>(data), data ? size : 0};
}

}  // namespace

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name,
                                                size_t param_value_size, void* param_value,
                                                size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Kernel* object, validate::kernel(kernel));
    return api::queryInfo<Kernel>(kKernelRows, *object, param_name, param_value_size, param_value,
                                  param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index,
                                                   cl_kernel_arg_info param_name,
                                                   size_t param_value_size, void* param_value,
                                                   size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Kernel* object, validate::kernel(kernel));
    const compiler::KernelInfo& info = object->info();
    WEFT_TRY_VOID(require(arg_index < info.arguments.size(), CL_INVALID_ARG_INDEX));
    const KernelArgument argument{info.arguments[arg_index],
                                  info.hasArgumentNames && isFromSource(*object)};
    return api::queryInfo<KernelArgument>(kArgumentRows, argument, param_name, param_value_size,
                                          param_value, param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                         cl_kernel_work_group_info param_name,
                                                         size_t param_value_size, void* param_value,
                                                         size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Kernel* object, validate::kernel(kernel));
    WEFT_TRY(const Device* onDevice, validate::kernelDevice(*object, device));
    // CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels only.
    return api::queryInfo<KernelOnDevice>(kWorkGroupRows, {*object, object->infoFor(*onDevice)},
                                          param_name, param_value_size, param_value,
                                          param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
                                                        cl_kernel_sub_group_info param_name,
                                                        size_t input_value_size,
                                                        const void* input_value,
                                                        size_t param_value_size, void* param_value,
                                                        size_t* param_value_size_ret) {
  return subGroupInfo(kernel, device, param_name, bytesOf(input_value, input_value_size),
                      param_value_size, param_value, param_value_size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
    size_t input_value_size, const void* input_value, size_t param_value_size, void* param_value,
    size_t* param_value_size_ret) {
  return subGroupInfo(kernel, device, param_name, bytesOf(input_value, input_value_size),
                      param_value_size, param_value, param_value_size_ret);
}
