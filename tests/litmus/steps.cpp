// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <atomic>
#include <string>

#include "litmus/litmus.h"

namespace weft::test::litmus {

namespace {

const char* orderInOpenCl(Order order) {
  switch (order) {
    case Order::Relaxed:
      return "memory_order_relaxed";
    case Order::Acquire:
      return "memory_order_acquire";
    case Order::Release:
      return "memory_order_release";
    case Order::AcquireRelease:
      return "memory_order_acq_rel";
    case Order::SequentiallyConsistent:
      return "memory_order_seq_cst";
  }
  return "";
}

std::memory_order orderOnHost(Order order) {
  switch (order) {
    case Order::Relaxed:
      return std::memory_order_relaxed;
    case Order::Acquire:
      return std::memory_order_acquire;
    case Order::Release:
      return std::memory_order_release;
    case Order::AcquireRelease:
      return std::memory_order_acq_rel;
    case Order::SequentiallyConsistent:
      return std::memory_order_seq_cst;
  }
  return std::memory_order_seq_cst;
}

}  // namespace

std::string inOpenCl(const Step& step, const std::string& scope, const std::string& flags) {
  const std::string order = orderInOpenCl(step.order), place(1, step.place);
  const std::string value = std::to_string(step.value);
  const std::string into = "r" + std::to_string(step.result) + " = ";
  const std::string guard = step.guard < 0 ? "" : "if (r" + std::to_string(step.guard) + ") ";
  const auto call = [&](const std::string& name, const std::string& operands) {
    return "atomic_" + name + "(" + operands + ", " + order + ", " + scope + ");";
  };
  switch (step.kind) {
    case Step::Kind::Store:
      return guard + call("store_explicit", place + ", " + value);
    case Step::Kind::Load:
      return guard + into + call("load_explicit", place);
    case Step::Kind::Exchange:
      return guard + into + call("exchange_explicit", place + ", " + value);
    case Step::Kind::Maximum:
      return guard + into + call("fetch_max_explicit", place + ", " + value);
    case Step::Kind::Fence:
      return guard + call("work_item_fence", flags);
    case Step::Kind::PlainStore:
      return guard + "*plain_" + place + " = " + value + ";";
    case Step::Kind::PlainLoad:
      return guard + into + "*plain_" + place + ";";
  }
  return "";
}

void onHost(std::span<const Step> steps, int* x, int* y, int* r) {
  for (const Step& step : steps) {
    if (step.guard >= 0 && r[step.guard] == 0) continue;
    int& plain = step.place == 'x' ? *x : *y;
    std::atomic_ref<int> object(plain);
    const std::memory_order order = orderOnHost(step.order);
    switch (step.kind) {
      case Step::Kind::Store:
        object.store(step.value, order);
        break;
      case Step::Kind::Load:
        r[step.result] = object.load(order);
        break;
      case Step::Kind::Exchange:
        r[step.result] = object.exchange(step.value, order);
        break;
      case Step::Kind::Maximum: {
        int seen = object.load(std::memory_order_relaxed);
        while (!object.compare_exchange_weak(seen, std::max(seen, step.value), order,
                                             std::memory_order_relaxed)) {
        }
        r[step.result] = seen;
        break;
      }
      case Step::Kind::Fence:
        std::atomic_thread_fence(order);
        break;
      case Step::Kind::PlainStore:
        plain = step.value;
        break;
      case Step::Kind::PlainLoad:
        r[step.result] = plain;
        break;
    }
  }
}

}  // namespace weft::test::litmus
