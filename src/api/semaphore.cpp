// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/semaphore.h"
#include "queue/graph.h"

#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "queue/queue.h"
#include "validate/queue.h"
#include "validate/semaphore.h"
#include "weft/khr/semaphore.h"

// cl_khr_semaphore: clCreateSemaphoreWithPropertiesKHR, clEnqueueWaitSemaphoresKHR,
// clEnqueueSignalSemaphoresKHR, clGetSemaphoreInfoKHR, clRetainSemaphoreKHR,
// clReleaseSemaphoreKHR; and clGetSemaphoreHandleForTypeKHR of cl_khr_external_semaphore.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

Result<void> deviceHandles(const Semaphore& semaphore, const InfoWriter& out) {
  std::vector<cl_device_id> handles;
  for (Device* device : semaphore.options().devices) handles.push_back(device->handle());
  return out.array(std::span<const cl_device_id>(handles));
}

constexpr std::array kSemaphoreInfo{
    InfoRow<Semaphore>{CL_SEMAPHORE_CONTEXT_KHR,
                       [](const Semaphore& semaphore, const InfoWriter& out) {
                         return out.value(semaphore.context().handle());
                       }},
    InfoRow<Semaphore>{CL_SEMAPHORE_REFERENCE_COUNT_KHR,
                       [](const Semaphore& semaphore, const InfoWriter& out) {
                         return out.value(cl_uint{semaphore.applicationRefs()});
                       }},
    InfoRow<Semaphore>{
        CL_SEMAPHORE_PROPERTIES_KHR,
        [](const Semaphore& semaphore, const InfoWriter& out) {
          return out.array(std::span<const cl_semaphore_properties_khr>(semaphore.options().list));
        }},
    InfoRow<Semaphore>{CL_SEMAPHORE_TYPE_KHR,
                       [](const Semaphore&, const InfoWriter& out) {
                         return out.value(cl_semaphore_type_khr{CL_SEMAPHORE_TYPE_BINARY_KHR});
                       }},
    InfoRow<Semaphore>{CL_SEMAPHORE_PAYLOAD_KHR,
                       [](const Semaphore& semaphore, const InfoWriter& out) {
                         return out.value(semaphore.payload());
                       }},
    InfoRow<Semaphore>{khr::kSemaphoreDeviceHandleList, deviceHandles},
};

/// Payloads are for other types than binary semaphores, which there are none of.
Result<void> enqueueSemaphores(cl_command_queue handle, cl_command_type type, cl_uint count,
                               const cl_semaphore_khr* list, cl_uint waitCount,
                               const cl_event* waitList, cl_event* event) {
  WEFT_TRY(Queue * queue, validate::queue(handle));
  WEFT_TRY(const auto semaphores, validate::semaphores(*queue, count, list));
  WEFT_TRY(const WaitList waits, validate::waitList(queue->context(), waitCount, waitList));
  WEFT_TRY_VOID(validate::noneFailed(waits));
  Graph::instance().enqueue(makeRef<SemaphoreCommand>(*queue, type, semaphores), waits, event);
  return {};
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr* sema_props, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Semaphore>> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(SemaphoreOptions options, validate::semaphoreOptions(*found, sema_props));
    return makeRef<Semaphore>(*found, std::move(options));
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitSemaphoresKHR(
    cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr* sema_objects,
    const cl_semaphore_payload_khr*, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueSemaphores(command_queue, CL_COMMAND_SEMAPHORE_WAIT_KHR, num_sema_objects,
                             sema_objects, num_events_in_wait_list, event_wait_list, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSignalSemaphoresKHR(
    cl_command_queue command_queue, cl_uint num_sema_objects, const cl_semaphore_khr* sema_objects,
    const cl_semaphore_payload_khr*, cl_uint num_events_in_wait_list,
    const cl_event* event_wait_list, cl_event* event) {
  return api::call([&]() -> Result<void> {
    return enqueueSemaphores(command_queue, CL_COMMAND_SEMAPHORE_SIGNAL_KHR, num_sema_objects,
                             sema_objects, num_events_in_wait_list, event_wait_list, event);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object,
                                                      cl_semaphore_info_khr param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Semaphore* found, validate::semaphore(sema_object));
    return api::queryInfo<Semaphore>(kSemaphoreInfo, *found, param_name, param_value_size,
                                     param_value, param_value_size_ret);
  });
}

/// Of cl_khr_external_semaphore, which is not there: users of semaphores ask for it all the same.
/// No semaphore was made with a handle type, and the code is the one for that.
CL_API_ENTRY cl_int CL_API_CALL
clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                               cl_external_semaphore_handle_type_khr, size_t, void*, size_t*) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Semaphore* found, validate::semaphore(sema_object));
    WEFT_TRY(const Device* target, validate::device(device));
    WEFT_TRY_VOID(require(found->has(*target), CL_INVALID_DEVICE));
    return clError(CL_INVALID_VALUE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Semaphore * found, validate::semaphore(sema_object));
    found->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Semaphore * found, validate::semaphore(sema_object));
    return require(found->releaseApplication(), CL_INVALID_SEMAPHORE_KHR);
  });
}

}  // extern "C"
