// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "litmus/kernels.h"

#include <set>

namespace weft::test::litmus {

namespace {

using Program = std::vector<std::vector<Step>>;

/// A branch for each thread with its steps, and what it has read.
std::string branches(const Program& threads, const std::string& scope, const std::string& flags) {
  std::string text = "    int r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n";
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    text += std::string(thread ? "    else " : "    ") + "if (thread == " + std::to_string(thread) +
            ") {\n";
    std::set<int> results;
    for (const Step& step : threads[thread]) {
      text += "      " + inOpenCl(step, scope, flags) + "\n";
      if (step.result >= 0) results.insert(step.result);
    }
    for (int result : results) {
      const std::string number = std::to_string(result);
      text += "      results[" + number + " * instances + i] = r" + number + ";\n";
    }
    text += "    }\n";
  }
  return text;
}

constexpr const char* kHead = R"(
kernel void litmus(global int *x_of, global int *y_of, global int *results,
                   global atomic_int *gate, uint first, uint threads, uint items,
                   uint instances, uint shift) {
)";

/// Threads that run at once: they go through the instances in step, as far as a bounded wait for
/// each other at every block of 64 allows.
std::string concurrent(const Program& program, const Placement& placement) {
  const char* who = placement.threads == Threads::FlatRows ? R"(
  uint thread = first + get_global_id(0) / items, member = get_global_id(0) % items;)"
                                                           : R"(
  uint thread = first + get_group_id(0), member = get_local_id(0);)";
  const char* wait = R"(
  for (uint block = 0; block < instances; block += 64) {
    if (member == 0) atomic_fetch_add_explicit(gate, 1, memory_order_relaxed);
    int goal = threads * (block / 64 + 1);
    uint wait = 0;
    while (wait < 4000 && atomic_load_explicit(gate, memory_order_relaxed) < goal) ++wait;
    if (member == 0 && wait > 0 && wait < 4000)
      atomic_fetch_add_explicit(gate + MEETINGS, 1, memory_order_relaxed);
)";
  const char* barrier = placement.threads == Threads::BarrierGroups
                            ? "    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                            : "";
  const char* loop = R"(
    for (uint k = member; k < 64; k += items) {
    uint i = block + ((k + thread * shift) & 63);
    global int *plain_x = x_of + i * STRIDE, *plain_y = y_of + i * STRIDE;
    global atomic_int *x = (global atomic_int *)plain_x, *y = (global atomic_int *)plain_y;
)";
  const bool far =
      placement.threads == Threads::Devices || placement.threads == Threads::HostAndDevice;
  return std::string(kHead) + who + wait + barrier + loop +
         branches(program, far ? "memory_scope_all_svm_devices" : "memory_scope_device",
                  "CLK_GLOBAL_MEM_FENCE") +
         "    }\n  }\n}\n";
}

/// Threads that are work-items of one group.
std::string inGroup(const Program& program, const Placement& placement) {
  const bool local = placement.threads == Threads::GroupInLocal;
  const char* who = placement.alternate ? R"(
  uint thread = get_local_id(0) % threads, member = get_local_id(0) / threads;)"
                                        : R"(
  uint thread = get_local_id(0) / items, member = get_local_id(0) % items;)";
  const char* places = local ? R"(
  uint i = get_group_id(0) * items + member;
  local int lx[ITEMS], ly[ITEMS];
  local int *plain_x = lx + member, *plain_y = ly + member;
  if (thread == 0) *plain_x = *plain_y = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  local atomic_int *x = (local atomic_int *)plain_x, *y = (local atomic_int *)plain_y;
)"
                             : R"(
  uint i = get_group_id(0) * items + member;
  global int *plain_x = x_of + i * STRIDE, *plain_y = y_of + i * STRIDE;
  global atomic_int *x = (global atomic_int *)plain_x, *y = (global atomic_int *)plain_y;
)";
  const char* end = local ? R"(
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    x_of[i * STRIDE] = *plain_x;
    y_of[i * STRIDE] = *plain_y;
  }
)"
                          : "";
  return std::string(kHead) + who + places +
         branches(program, "memory_scope_work_group",
                  local ? "CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE") +
         end + "}\n";
}

}  // namespace

std::string kernelOf(const Program& program, const Placement& placement) {
  const bool group =
      placement.threads == Threads::GroupInLocal || placement.threads == Threads::GroupInGlobal;
  return "#define MEETINGS " + std::to_string(kMeetings) + "\n#define STRIDE " +
         std::to_string(kStride) + "\n#define ITEMS " + std::to_string(placement.items) +
         (group ? inGroup(program, placement) : concurrent(program, placement));
}

}  // namespace weft::test::litmus
