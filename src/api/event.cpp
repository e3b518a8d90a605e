// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "queue/event.h"

#include <array>
#include <memory>

#include "api/adaptor.h"
#include "api/info.h"
#include "queue/graph.h"
#include "queue/queue.h"
#include "validate/queue.h"

// clWaitForEvents, clGetEventInfo, clCreateUserEvent, clSetUserEventStatus, clRetainEvent,
// clReleaseEvent, clSetEventCallback, clGetEventProfilingInfo.

namespace weft {
namespace {

using api::InfoRow;
using api::InfoWriter;

Result<Event*> eventObject(cl_event handle) {
  return validate::object<Event>(handle, CL_INVALID_EVENT);
}

Result<void> executionStatus(const Event& event, const InfoWriter& out) {
  // Who asks wants it to get on, and may never make a blocking call.
  if (!event.isComplete()) Graph::instance().kick();
  return out.value(event.executionStatus());
}

constexpr std::array kEventInfo{
    InfoRow<Event>{CL_EVENT_COMMAND_QUEUE,
                   [](const Event& event, const InfoWriter& out) {
                     Queue* const queue = event.queue();
                     return out.value(queue ? queue->handle() : cl_command_queue{nullptr});
                   }},
    InfoRow<Event>{CL_EVENT_CONTEXT,
                   [](const Event& event, const InfoWriter& out) {
                     return out.value(event.context().handle());
                   }},
    InfoRow<Event>{
        CL_EVENT_COMMAND_TYPE,
        [](const Event& event, const InfoWriter& out) { return out.value(event.type()); }},
    InfoRow<Event>{CL_EVENT_COMMAND_EXECUTION_STATUS, executionStatus},
    InfoRow<Event>{CL_EVENT_REFERENCE_COUNT,
                   [](const Event& event, const InfoWriter& out) {
                     return out.value(cl_uint{event.applicationRefs()});
                   }},
};

template <Stamp kStamp>
Result<void> stampOf(const Event& event, const InfoWriter& out) {
  return out.value(cl_ulong{event.time(kStamp)});
}

constexpr std::array kProfilingInfo{
    InfoRow<Event>{CL_PROFILING_COMMAND_QUEUED, stampOf<Stamp::Queued>},
    InfoRow<Event>{CL_PROFILING_COMMAND_SUBMIT, stampOf<Stamp::Submitted>},
    InfoRow<Event>{CL_PROFILING_COMMAND_START, stampOf<Stamp::Started>},
    InfoRow<Event>{CL_PROFILING_COMMAND_END, stampOf<Stamp::Ended>},
    InfoRow<Event>{CL_PROFILING_COMMAND_COMPLETE, stampOf<Stamp::Completed>},
};

bool isCallbackStatus(cl_int status) {
  return status == CL_SUBMITTED || status == CL_RUNNING || status == CL_COMPLETE;
}

}  // namespace
}  // namespace weft

using namespace weft;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint num_events, const cl_event* event_list) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const WaitList events, validate::eventList(nullptr, num_events, event_list));
    bool failed = false;
    for (const cl_event handle : events) {
      const Ref<Event> event(Event::from(handle));
      Graph::instance().wait(*event);
      // Only a user event of a context that has been terminated can be left unset.
      WEFT_TRY_VOID(require(event->isComplete(), kContextTerminated));
      failed |= event->result() < 0;
    }
    return require(!failed, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name,
                                               size_t param_value_size, void* param_value,
                                               size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Event* found, eventObject(event));
    return api::queryInfo<Event>(kEventInfo, *found, param_name, param_value_size, param_value,
                                 param_value_size_ret);
  });
}

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int* errcode_ret) {
  return api::create(errcode_ret, [&]() -> Result<Ref<UserEvent>> {
    WEFT_TRY(Context * found, validate::context(context));
    return UserEvent::create(*found);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int execution_status) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Event * found, eventObject(event));
    WEFT_TRY_VOID(require(found->type() == CL_COMMAND_USER, CL_INVALID_EVENT));
    WEFT_TRY_VOID(require(execution_status <= CL_COMPLETE, CL_INVALID_VALUE));
    const bool set =
        Graph::instance().setUserEvent(static_cast<UserEvent&>(*found), execution_status);
    return require(set, CL_INVALID_OPERATION);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clRetainEvent(cl_event event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Event * found, eventObject(event));
    found->retainApplication();
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Event * found, eventObject(event));
    return require(found->releaseApplication(), CL_INVALID_EVENT);
  });
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event,
                                                   cl_int command_exec_callback_type,
                                                   EventCallback::Function pfn_notify,
                                                   void* user_data) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(Event * found, eventObject(event));
    const bool sound = pfn_notify != nullptr && isCallbackStatus(command_exec_callback_type);
    WEFT_TRY_VOID(require(sound, CL_INVALID_VALUE));
    auto callback =
        std::make_unique<EventCallback>(command_exec_callback_type, pfn_notify, user_data);
    Graph::instance().addCallback(*found, std::move(callback));
    return {};
  });
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event,
                                                        cl_profiling_info param_name,
                                                        size_t param_value_size, void* param_value,
                                                        size_t* param_value_size_ret) {
  return api::call([&]() -> Result<void> {
    WEFT_TRY(const Event* found, eventObject(event));
    const bool available = found->profiled() && found->executionStatus() == CL_COMPLETE;
    if (!available) {
      if (!found->isComplete()) Graph::instance().kick();
      return clError(CL_PROFILING_INFO_NOT_AVAILABLE);
    }
    return api::queryInfo<Event>(kProfilingInfo, *found, param_name, param_value_size, param_value,
                                 param_value_size_ret);
  });
}

}  // extern "C"
