// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "litmus/kernels.h"

#include <set>

namespace weft::test::litmus {

namespace {

using Program = std::vector<std::vector<Step>>;

/// A branch for each thread with its steps, and what it has read. `scope` is of those for which the
/// placement has none.
std::string branches(const Program& threads, const Placement& placement, const std::string& scope,
                     const std::string& flags) {
  std::string text = "    int r0 = 0, r1 = 0, r2 = 0, r3 = 0;\n";
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    text += std::string(thread ? "    else " : "    ") + "if (thread == " + std::to_string(thread) +
            ") {\n";
    std::set<int> results;
    const std::string& own = placement.scopes[thread];
    for (const Step& step : threads[thread]) {
      text += "      " + inOpenCl(step, own.empty() ? scope : own, flags) + "\n";
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
         branches(program, placement, far ? "memory_scope_all_svm_devices" : "memory_scope_device",
                  "CLK_GLOBAL_MEM_FENCE") +
         "    }\n  }\n}\n";
}

/// Who a work-item is: one of the threads of one of the group's instances, or nobody.
std::string whoInGroup(const Placement& placement) {
  if (isSubGroup(placement.threads))
    return std::string(R"(
  uint each = get_max_sub_group_size() / threads, lane = get_sub_group_local_id();)") +
           (placement.alternate ? R"(
  uint thread = lane % threads, member = get_sub_group_id() * each + lane / threads;)"
                                : R"(
  uint thread = lane / each, member = get_sub_group_id() * each + lane % each;)") +
           R"(
  uint i = get_group_id(0) * get_num_sub_groups() * each + member;
  if (lane >= each * threads || i >= instances) thread = threads;
)";
  return std::string(placement.alternate ? R"(
  uint thread = get_local_id(0) % threads, member = get_local_id(0) / threads;)"
                                         : R"(
  uint thread = get_local_id(0) / items, member = get_local_id(0) % items;)") +
         "\n  uint i = get_group_id(0) * items + member;\n";
}

/// Declares `x` or `y` in its memory; what is in local memory is cleared by an instance's first
/// thread.
std::string placeInGroup(const std::string& name, bool local) {
  const std::string plain = "plain_" + name, all = "all_" + name;
  const std::string space = local ? "local" : "global";
  std::string text = local ? "  local int " + all + "[ITEMS];\n  local int *" + plain + " = " +
                                 all + " + member;\n  if (thread == 0) *" + plain + " = 0;\n"
                           : "  global int *" + plain + " = " + name + "_of + i * STRIDE;\n";
  return text + "  " + space + " atomic_int *" + name + " = (" + space + " atomic_int *)" + plain +
         ";\n";
}

/// Threads that are work-items of one group, or of one of its sub-groups.
std::string inGroup(const Program& program, const Placement& placement) {
  const bool sub = isSubGroup(placement.threads);
  const bool localX = hasLocal(placement.threads, 'x'), localY = hasLocal(placement.threads, 'y');
  const std::string flags = localX && localY   ? "CLK_LOCAL_MEM_FENCE"
                            : localX || localY ? "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
                                               : "CLK_GLOBAL_MEM_FENCE";
  const std::string barrier =
      std::string(sub ? "  sub_group" : "  work_group") + "_barrier(CLK_LOCAL_MEM_FENCE);\n";
  std::string text = kHead + whoInGroup(placement) + placeInGroup("x", localX) +
                     placeInGroup("y", localY) + (localX || localY ? barrier : "") +
                     branches(program, placement,
                              sub ? "memory_scope_sub_group" : "memory_scope_work_group", flags);
  if (localX || localY) text += barrier;
  if (localX) text += "  if (thread == 0) x_of[i * STRIDE] = *plain_x;\n";
  if (localY) text += "  if (thread == 0) y_of[i * STRIDE] = *plain_y;\n";
  return text + "}\n";
}

}  // namespace

std::string kernelOf(const Program& program, const Placement& placement) {
  return "#define MEETINGS " + std::to_string(kMeetings) + "\n#define STRIDE " +
         std::to_string(kStride) + "\n#define ITEMS " + std::to_string(placement.items) +
         (isGroup(placement.threads) ? inGroup(program, placement)
                                     : concurrent(program, placement));
}

}  // namespace weft::test::litmus
