// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>

#include "api/adaptor.h"
#include "api/info.h"
#include "queue/queue.h"
#include "validate/queue.h"

// clCreateCommandQueue, clCreateCommandQueueWithProperties, clSetCommandQueueProperty,
// clRetainCommandQueue, clReleaseCommandQueue, clGetCommandQueueInfo, clFlush, clFinish.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

constexpr std::array kQueueInfo{
    InfoRow<Queue>{CL_QUEUE_CONTEXT,
                   [](const Queue& queue, const InfoWriter& out) {
                     return out.value(queue.context().handle());
                   }},
    InfoRow<Queue>{CL_QUEUE_DEVICE,
                   [](const Queue& queue, const InfoWriter& out) {
                     return out.value(queue.device().handle());
                   }},
    InfoRow<Queue>{CL_QUEUE_REFERENCE_COUNT,
                   [](const Queue& queue, const InfoWriter& out) {
                     return out.value(cl_uint{queue.applicationRefs()});
                   }},
    InfoRow<Queue>{CL_QUEUE_PROPERTIES,
                   [](const Queue& queue, const InfoWriter& out) {
                     return out.value(queue.options().properties);
                   }},
    InfoRow<Queue>{CL_QUEUE_PROPERTIES_ARRAY,
                   [](const Queue& queue, const InfoWriter& out) {
                     return out.array(std::span<const cl_queue_properties>(queue.options().list));
                   }},
    InfoRow<Queue>{CL_QUEUE_SIZE,
                   [](const Queue& queue, const InfoWriter& out) -> Result<void> {
                     WEFT_TRY_VOID(require(queue.onDevice() != nullptr, CL_INVALID_COMMAND_QUEUE));
                     return out.value(static_cast<cl_uint>(queue.onDevice()->size()));
                   }},
    InfoRow<Queue>{CL_QUEUE_DEVICE_DEFAULT,
                   [](const Queue& queue, const InfoWriter& out) {
                     const Ref<Queue> found =
                         Queue::defaultOnDevice(queue.context(), queue.device());
                     return out.value(found ? found->handle() : cl_command_queue{nullptr});
                   }},
};

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<Queue>> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(Device * target, validate::deviceOf(*found, device));
    WEFT_TRY_VOID(validate::queueProperties(properties));
    // The older function is for queues of the host.
    WEFT_TRY_VOID(require((properties & CL_QUEUE_ON_DEVICE) == 0, CL_INVALID_QUEUE_PROPERTIES));
    return makeRef<Queue>(*found, *target, QueueOptions{properties, {}});
  });
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties* properties, cl_int* errcode_ret) {
  return api::value(errcode_ret, [&]() -> Result<cl_command_queue> {
    WEFT_TRY(Context * found, validate::context(context));
    WEFT_TRY(Device * target, validate::deviceOf(*found, device));
    WEFT_TRY(QueueOptions options, validate::queueOptions(properties));
    const bool isDefault = (options.properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
    // There is one default queue on a device: asked for again, it is retained again.
    if (const Ref<Queue> known = isDefault ? Queue::defaultOnDevice(*found, *target) : nullptr) {
      known->retainApplication();
      return known->handle();
    }
    WEFT_TRY(Ref<Queue> made,
             api::unlessTerminated(makeRef<Queue>(*found, *target, std::move(options))));
    if (isDefault) found->setDefaultQueue(*target, *made);
    return Queue::publish(std::move(made));
  });
}

// Deprecated since 1.1: devices of later versions refuse it.
CL_API_ENTRY cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue command_queue,
                                                          cl_command_queue_properties, cl_bool,
                                                          cl_command_queue_properties*) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY_VOID(validate::queue(command_queue));
    return clError(CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainCommandQueue(cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::anyQueue(command_queue));
    queue->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::anyQueue(command_queue));
    return require(queue->releaseApplication(), CL_INVALID_COMMAND_QUEUE);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue command_queue,
                                                      cl_command_queue_info param_name,
                                                      size_t param_value_size, void* param_value,
                                                      size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Queue* queue, validate::anyQueue(command_queue));
    return api::queryInfo<Queue>(kQueueInfo, *queue, param_name, param_value_size, param_value,
                                 param_value_size_ret);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    queue->flush();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Queue * queue, validate::queue(command_queue));
    const Ref<Queue> keep(queue);  // another thread may release it meanwhile
    queue->finish();
    return {};
  });
}

}  // extern "C"
