// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// Random programs whose kernels enqueue others: trees of block literals, each of which adds a
/// number to a sum, enqueues its children in some way, and looks whether what it waits for is
/// there.
namespace weft::trees {

/// How a block comes by its number.
enum class BodyKind : uint8_t { Plain, Loop, Branches, LocalMemory, TwoLocals, Reduction };
/// Types of the variables that a block captures besides its parent's number.
enum class CaptureType : uint8_t {
  UChar,
  Short,
  UInt,
  ULong,
  Float,
  Float4,
  UInt3,
  UChar16,
  Bundle
};
struct Capture {
  CaptureType type = CaptureType::UInt;
  uint32_t factor = 1, added = 0;
};

struct Range {
  unsigned dimensions = 1;
  bool hasLocal = false;
  std::array<uint64_t, 3> offset{0, 0, 0}, global{1, 1, 1}, local{0, 0, 0};
  uint64_t items() const { return global[0] * global[1] * global[2]; }
};

enum class Flags : uint8_t { NoWait, WaitKernel, WaitGroup };
enum class Queue : uint8_t { Default, Other, Small };
enum class StepKind : uint8_t { Launch, Chain, Marker, CreateUserEvent, SetUserEvent };

struct Step;

/// Some work-items of a body, those whose linear id is `remainder` modulo `modulus`, and what each
/// of them does. Events are known within one group of steps.
struct Group {
  uint32_t modulus = 1, remainder = 0;
  bool isLate = false;  ///< behind the body's barriers
  std::vector<Step> steps;
};

/// What the kernel or a block does. Each work-item has a number: of its parent's, its captures,
/// ids.
struct Body {
  int id = 0;
  BodyKind kind = BodyKind::Plain;
  uint32_t factor = 1, added = 0;
  Range range;
  std::vector<Capture> captures;
  std::vector<Group> groups;
};

struct Step {
  int id = 0;
  StepKind kind = StepKind::Launch;
  std::vector<int> waits;  ///< earlier steps of the group
  bool hasEvent = false;   ///< of Launch; markers and user events have one anyway
  bool retains = false;    ///< and releases once more
  // Of a launch:
  Flags flags = Flags::NoWait;
  Queue queue = Queue::Default;
  bool isVariable = false;  ///< the block has a name
  int sets = -1;            ///< the user event that its first work-item sets
  Body body;
  // Of a chain:
  unsigned depth = 0;
  // Of SetUserEvent:
  int target = -1;
  bool fails = false;  ///< with a negative status
};

struct Program {
  uint64_t seed = 0;
  bool isDetailed = false;  ///< built with -g
  uint32_t number = 0;      ///< the kernel's argument
  Body root;
  int lastId = 0;
};

constexpr size_t kMostBodies = 64;
/// Words of the buffer with what went wrong.
constexpr size_t kComplaints = 8;

Program randomProgram(uint64_t seed);
/// OpenCL C. kernel root(global uint* sums, global int* cells, global int* wrong, uint number,
/// queue_t other, queue_t small); cells[0] is 1 at first.
std::string print(const Program& program);

/// What must come out.
struct Expected {
  std::vector<uint32_t> sums;  ///< by id of body, the chains' behind them
  uint32_t cells = 1;          ///< that are handed out
  uint64_t items = 0, launches = 0;
  bool succeeds = true;
};
Expected simulate(const Program& program);

/// How many work-items of `group` there are in a range.
uint64_t membersOf(const Group& group, uint64_t items);
const Step& stepOf(const Group& group, int id);
/// Whether a step is run and, an event, ends without a failure; `step` is of `group`.
bool runs(const Group& group, const Step& step);
bool succeeds(const Group& group, const Step& step);
/// Work-items of all that one launch of the body brings about.
uint64_t treeItems(const Body& body);

/// `program` with fewer steps as long as `isWrong` says so.
Program reduce(Program program, bool (*isWrong)(const Program&));

}  // namespace weft::trees
