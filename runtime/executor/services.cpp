// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "executor/services.h"

#include <cstring>

#include "device_enqueue/device_services.h"
#include "exec/slot.h"
#include "exec/soft_float.h"
#include "printf/format.h"
#include "weft/abi/rare_math.h"

// The C library's own declarations have overloads in C++; these name the C functions, whatever
// their types, for their addresses alone.
extern "C" {
// Calls that LLVM's x86 code generator makes for conversions and 128-bit arithmetic.
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
void __divti3();
void __udivti3();
void __modti3();
void __umodti3();
void __powisf2();
void __powidf2();
}

namespace weft::runtime {
namespace {

void barrierService(abi::WorkItem* item, uint32_t barrier) {
  LaneRunner& lanes = ExecSlot::of(*item->group).lanes();
  if (lanes.meetsInSubGroups()) [[unlikely]]
    lanes.leaveSubGroup(*item);
  lanes.barrier(barrier);
}

void subGroupService(abi::WorkItem* item, abi::SubGroupMeeting* meeting) {
  ExecSlot::of(*item->group).lanes().meetSubGroup(*item, *meeting);
}

uint64_t collectiveService(abi::WorkItem* item, uint32_t barrier, abi::CollectiveEntry combine,
                           uint32_t area) {
  LaneRunner& lanes = ExecSlot::of(*item->group).lanes();
  if (lanes.meetsInSubGroups()) [[unlikely]]
    lanes.leaveSubGroup(*item);
  return lanes.collective(*item->group, barrier, combine, area);
}

void divergenceService(abi::WorkItem* item, uint32_t first, uint32_t second) {
  ExecSlot::of(*item->group).lanes().diverged(first, second);
}

void groupDivergenceService(const abi::Group* group, uint32_t first, uint32_t second) {
  struct Call {
    const abi::Group& group;
    const Divergence divergence;
  } call{*group, {Divergence::Kind::DifferentBarriers, first, second}};
  ExecSlot& slot = ExecSlot::of(*group);
  // Texts may take more stack than a fiber has.
  slot.lanes().onThreadStack(
      [](void* self) noexcept {
        const auto& given = *static_cast<Call*>(self);
        ExecSlot::of(given.group).giveUp(given.group, given.divergence);
      },
      &call);
}

struct PrintfCall {
  Job& job;
  const char* format;
  std::span<const uint8_t> arguments;
  int32_t result = -1;

  static void run(void* self) noexcept {
    auto& call = *static_cast<PrintfCall*>(self);
    try {
      std::string text;
      if (!formatPrintf(call.format, call.arguments, text)) return;
      call.job.printed(text);
      call.result = 0;
    } catch (...) {  // no memory for the text: the kernel sees a failed printf
    }
  }
};

int32_t printfService(const abi::WorkItem* item, const char* format, const uint8_t* arguments,
                      uint64_t argumentBytes) {
  ExecSlot& slot = ExecSlot::of(*item->group);
  PrintfCall call{slot.job(), format, {arguments, argumentBytes}};
  // The C library's formatting may take more stack than a fiber has.
  slot.lanes().onThreadStack(&PrintfCall::run, &call);
  return call.result;
}

template <class Function>
void* address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

abi::ServiceTable serviceTable() noexcept {
  static const abi::ServiceSymbol table[] = {
      {abi::kBarrierService, address(&barrierService)},
      {abi::kCollectiveService, address(&collectiveService)},
      {abi::kSubGroupService, address(&subGroupService)},
      {abi::kDivergenceService, address(&divergenceService)},
      {abi::kGroupDivergenceService, address(&groupDivergenceService)},
      {abi::kPrintfService, address(&printfService)},
      {abi::kDeviceEnqueueService, address(&enqueueService)},
      {abi::kDeviceQueryService, address(&queryService)},
      {abi::kDeviceDefaultQueueService, address(&defaultQueueService)},
      {abi::kDeviceCreateEventService, address(&createEventService)},
      {abi::kDeviceRetainEventService, address(&retainEventService)},
      {abi::kDeviceReleaseEventService, address(&releaseEventService)},
      {abi::kDeviceSetEventService, address(&setEventService)},
      {abi::kDeviceCaptureService, address(&captureService)},
      {"_Z13weft_rare_sinf", address<float(float)>(&weft_rare_sin)},
      {"_Z13weft_rare_cosf", address<float(float)>(&weft_rare_cos)},
      {"_Z13weft_rare_tanf", address<float(float)>(&weft_rare_tan)},
      {"_Z13weft_rare_sind", address<double(double)>(&weft_rare_sin)},
      {"_Z13weft_rare_cosd", address<double(double)>(&weft_rare_cos)},
      {"_Z13weft_rare_tand", address<double(double)>(&weft_rare_tan)},
      // What the code generator may call for copies, comparisons and conversions.
      {"memcpy", address(&::memcpy)},
      {"memmove", address(&::memmove)},
      {"memset", address(&::memset)},
      {"memcmp", address(static_cast<int (*)(const void*, const void*, size_t)>(&::memcmp))},
      {"bcmp", address(static_cast<int (*)(const void*, const void*, size_t)>(&::memcmp))},
      {"__extendhfsf2", address(&__extendhfsf2)},
      {"__truncsfhf2", address(&__truncsfhf2)},
      {"__truncdfhf2", address(&__truncdfhf2)},
      {"__divti3", address(&__divti3)},
      {"__udivti3", address(&__udivti3)},
      {"__modti3", address(&__modti3)},
      {"__umodti3", address(&__umodti3)},
      {"__powisf2", address(&__powisf2)},
      {"__powidf2", address(&__powidf2)},
      // What it calls for operations that a host without FMA or SSE4.1 has no instruction for.
      {"fma", address(&soft::fma)},
      {"fmaf", address(&soft::fmaf)},
      {"floor", address(&soft::floor)},
      {"floorf", address(&soft::floorf)},
      {"ceil", address(&soft::ceil)},
      {"ceilf", address(&soft::ceilf)},
      {"trunc", address(&soft::trunc)},
      {"truncf", address(&soft::truncf)},
      {"round", address(&soft::round)},
      {"roundf", address(&soft::roundf)},
      {"rint", address(&soft::rint)},
      {"rintf", address(&soft::rintf)},
      {"nearbyint", address(&soft::rint)},
      {"nearbyintf", address(&soft::rintf)},
      {"roundeven", address(&soft::rint)},
      {"roundevenf", address(&soft::rintf)},
  };
  return table;
}

}  // namespace weft::runtime
