// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/svm.h"
#include "queue/graph.h"
#include "validate/svm.h"

#include "api/adaptor.h"
#include "api/svm_commands.h"
#include "queue/svm_free_command.h"
#include "validate/queue.h"

// clSVMAlloc, clSVMFree, and the commands of shared virtual memory. Host and device share the
// bytes: map, unmap and migration only take their place in the order of commands.

using namespace weft;

extern "C" {

CL_API_ENTRY void* CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                          cl_uint alignment) {
  return api::value(nullptr, [&]() -> Result<void*> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY_VOID(validate::svmAllocation(*found, flags, size, alignment));
    return SvmRegistry::instance().allocate(*found, size, {});
  });
}

CL_API_ENTRY void CL_API_CALL clSVMFree(cl_context context, void* svm_pointer) {
  api::call([&]() -> Result<void> {
    WEFT_TRY(Context * found, validate::anyContext(context));
    if (svm_pointer == nullptr) return {};
    return require(SvmRegistry::instance().free(*found, svm_pointer, false), CL_INVALID_VALUE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue command_queue,
                                                 cl_uint num_svm_pointers, void* svm_pointers[],
                                                 SvmFreeCommand::Function pfn_free_func,
                                                 void* user_data, cl_uint num_events_in_wait_list,
                                                 const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    WEFT_TRY(auto pointers, validate::svmPointers(num_svm_pointers, svm_pointers));
    WEFT_TRY(const WaitList waits,
             validate::waitList(queue->context(), num_events_in_wait_list, event_wait_list));
    Graph::instance().enqueue(
        makeRef<SvmFreeCommand>(*queue, std::move(pointers), pfn_free_func, user_data), waits,
        event);
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue,
                                                   cl_bool blocking_copy, void* dst_ptr,
                                                   const void* src_ptr, size_t size,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event* event_wait_list,
                                                   cl_event* event) {
  return api::call([&] {
    return api::enqueueMemcpy({command_queue, CL_COMMAND_SVM_MEMCPY, blocking_copy,
                               num_events_in_wait_list, event_wait_list, event},
                              dst_ptr, src_ptr, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue, void* svm_ptr,
                                                    const void* pattern, size_t pattern_size,
                                                    size_t size, cl_uint num_events_in_wait_list,
                                                    const cl_event* event_wait_list,
                                                    cl_event* event) {
  return api::call([&] {
    return api::enqueueMemFill({command_queue, CL_COMMAND_SVM_MEMFILL, CL_FALSE,
                                num_events_in_wait_list, event_wait_list, event},
                               svm_ptr, pattern, pattern_size, size);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue,
                                                cl_bool blocking_map, cl_map_flags flags,
                                                void* svm_ptr, size_t size,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event* event_wait_list, cl_event* event) {
  return api::call([&] {
    return api::enqueueNoBytes({command_queue, CL_COMMAND_SVM_MAP, blocking_map,
                                num_events_in_wait_list, event_wait_list, event},
                               validate::svmMap(svm_ptr, size, flags));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue, void* svm_ptr,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event* event_wait_list,
                                                  cl_event* event) {
  return api::call([&] {
    return api::enqueueNoBytes({command_queue, CL_COMMAND_SVM_UNMAP, CL_FALSE,
                                num_events_in_wait_list, event_wait_list, event},
                               require(svm_ptr != nullptr, CL_INVALID_VALUE));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(
    cl_command_queue command_queue, cl_uint num_svm_pointers, const void** svm_pointers,
    const size_t* sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    return api::enqueueNoBytes(
        {command_queue, CL_COMMAND_SVM_MIGRATE_MEM, CL_FALSE, num_events_in_wait_list,
         event_wait_list, event},
        validate::svmMigration(queue->context(), num_svm_pointers, svm_pointers, sizes, flags));
  });
}

}  // extern "C"
