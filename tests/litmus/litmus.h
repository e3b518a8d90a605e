// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// Litmus tests of the memory model: a few accesses of two to four threads, and an outcome that the
/// model forbids. Each is run many thousand times at once, as *instances*, each with its own x and
/// y.
namespace weft::test::litmus {

/// memory_order of the language.
enum class Order : uint8_t { Relaxed, Acquire, Release, AcquireRelease, SequentiallyConsistent };

/// One access of a thread. What is written is a small number; memory starts at 0.
struct Step {
  enum class Kind : uint8_t { Store, Load, Exchange, Maximum, Fence, PlainStore, PlainLoad };
  Kind kind;
  Order order = Order::Relaxed;
  char place = 'x';  ///< or 'y'
  int value = 0;     ///< that is written
  int result = -1;   ///< register that takes what is read
  int guard = -1;    ///< a register: the step is taken if that is not 0. Plain loads need one
};

constexpr int kMostThreads = 4;
constexpr int kMostResults = 4;

/// What the threads of one instance have read, and what x and y are afterwards.
struct Outcome {
  int r[kMostResults];
  int x, y;
};

struct Test {
  const char* name;
  std::vector<std::vector<Step>> threads;
  bool (*isForbidden)(const Outcome&);
  /// The same with what forbids the outcome taken away: orders that are weaker where the host's own
  /// order shows then, steps of a thread exchanged where it never does. The outcome must be seen,
  /// or the test could not fail.
  std::vector<std::vector<Step>> control;
};

std::span<const Test> tests();

/// Statements of OpenCL C for one step. `scope` is a memory_scope, `flags` are those of fences; x
/// and y are `atomic_int*`, plain_x and plain_y pointers to the same as ints; registers are r0,
/// r1...
std::string inOpenCl(const Step& step, const std::string& scope, const std::string& flags);

/// Runs the steps on this thread.
void onHost(std::span<const Step> steps, int* x, int* y, int* r);

}  // namespace weft::test::litmus
