// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/adaptor.h"
#include "validate/handles.h"
#include "validate/unsupported.h"

// Shared virtual memory, which the device does not report.

using namespace weft;

namespace {

Result<void> kernelWithoutSvm(cl_kernel kernel) {
  WEFT_TRY_VOID(validate::tagged(kernel, HandleTag::Kernel, CL_INVALID_KERNEL));
  return clError(CL_INVALID_OPERATION);
}

}  // namespace

extern "C" {

CL_API_ENTRY void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                          cl_uint alignment) {
  return nullptr;
}

// There is no pointer of ours to free, and the call has no way to complain.
CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue command_queue, cl_uint num_svm_pointers, void* svm_pointers[],
    void(CL_CALLBACK* pfn_free_func)(cl_command_queue, cl_uint, void*[], void*), void* user_data,
    cl_uint num_events_in_wait_list, const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue,
                                                   cl_bool blocking_copy, void* dst_ptr,
                                                   const void* src_ptr, size_t size,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr,
                                                    const void* pattern, size_t pattern_size,
                                                    size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue,
                                                cl_bool blocking_map, cl_map_flags flags,
                                                void* svm_ptr, size_t size,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event* event_wait_list,
                                                  cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(
    cl_command_queue command_queue, cl_uint num_svm_pointers, const void** svm_pointers,
    const size_t* sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return validate::unsupportedCommand(command_queue, num_events_in_wait_list, event_wait_list);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                                         const void* arg_value) {
  return api::call([&] { return kernelWithoutSvm(kernel); });
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel,
                                                    cl_kernel_exec_info param_name,
                                                    size_t param_value_size,
                                                    const void* param_value) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::tagged(kernel, HandleTag::Kernel, CL_INVALID_KERNEL));
    const bool isSvm = param_name == CL_KERNEL_EXEC_INFO_SVM_PTRS ||
                       param_name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM;
    return clError(isSvm ? CL_INVALID_OPERATION : CL_INVALID_VALUE);
  });
}

}  // extern "C"
