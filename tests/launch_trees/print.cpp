// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sstream>

#include "tree.h"

namespace weft::trees {
namespace {

/// A chain of launches of one work-item each, which is as long as its argument says.
constexpr const char* kChain = R"(typedef struct { uchar a; ulong b; ushort c[3]; } Bundle;
void chain(global uint* sum, uint number, uint left) {
  atomic_add(sum, number);
  if (left == 0) return;
  enqueue_kernel(get_default_queue(), left % 3, ndrange_1D(1),
                 ^{ chain(sum, number * 5 + left, left - 1); });
}
)";

class Printer {
 public:
  std::string print(const Program& program) {
    out_ << kChain
         << "kernel void root(global uint* sums, global int* cells, global int* wrong, uint "
            "number,\n"
            "                 queue_t other, queue_t small) {\n"
            "  const uint m0 = 1;\n";
    body(program.root, nullptr, nullptr, nullptr);
    out_ << "}\n";
    return out_.str();
  }

 private:
  std::ostream& line() { return out_ << std::string(indent_ * 2, ' '); }
  static std::string mine(const Body& body) { return "m" + std::to_string(body.id); }
  static std::string number(const Body& body) { return "v" + std::to_string(body.id); }
  static std::string capture(const Body& body, size_t index) {
    return "c" + std::to_string(body.id) + "_" + std::to_string(index);
  }
  static std::string event(int step) { return "e" + std::to_string(step); }

  /// What is known of a step that the body's launch waits for: none of it may be missing.
  void lookFor(const Group& group, int id) {
    const Step& step = stepOf(group, id);
    if (step.kind == StepKind::Launch)
      line() << "if (cells[" << mine(step.body) << " + 1] != " << treeItems(step.body)
             << ") atomic_inc(&wrong[0]);\n";
    else if (step.kind == StepKind::CreateUserEvent)
      line() << "if (cells[u" << id << "] != 1) atomic_inc(&wrong[1]);\n";
    for (const int other : step.waits)
      if (step.kind == StepKind::Marker) lookFor(group, other);
  }

  void declareCapture(const Body& body, size_t index, const std::string& parent) {
    const Capture& made = body.captures[index];
    const std::string name = capture(body, index), base = "b" + name;
    line() << "const uint " << base << " = " << parent << " * " << made.factor << "u + "
           << made.added << "u;\n";
    line();
    switch (made.type) {
      case CaptureType::UChar:
        out_ << "uchar " << name << " = (uchar)" << base;
        break;
      case CaptureType::Short:
        out_ << "short " << name << " = (short)" << base;
        break;
      case CaptureType::UInt:
        out_ << "uint " << name << " = " << base;
        break;
      case CaptureType::ULong:
        out_ << "ulong " << name << " = (ulong)" << base << " * 0x10001 + 7";
        break;
      case CaptureType::Float:
        out_ << "float " << name << " = (float)(" << base << " & 0xffff)";
        break;
      case CaptureType::Float4:
        out_ << "float4 " << name << " = convert_float4((uint4)(" << base << " & 255, 1, 2, "
             << base << " >> 24))";
        break;
      case CaptureType::UInt3:
        out_ << "uint3 " << name << " = (uint3)(" << base << ", " << base << " ^ 5, " << base
             << " + 9)";
        break;
      case CaptureType::UChar16:
        out_ << "uchar16 " << name << " = (uchar16)((uchar)" << base << "); " << name << ".s9 = 7";
        break;
      case CaptureType::Bundle:
        out_ << "Bundle " << name << "; " << name << ".a = (uchar)" << base << "; " << name
             << ".b = (ulong)" << base << " << 20; " << name << ".c[2] = (ushort)(" << base
             << " >> 9)";
        break;
    }
    out_ << ";\n";
  }

  static std::string captured(const Body& body, size_t index) {
    const std::string name = capture(body, index);
    switch (body.captures[index].type) {
      case CaptureType::UChar:
      case CaptureType::UInt:
      case CaptureType::Float:
        return "(uint)" + name;
      case CaptureType::Short:
        return "(uint)(int)" + name;
      case CaptureType::ULong:
        return "(uint)(" + name + " >> 13)";
      case CaptureType::Float4:
        return "(uint)" + name + ".x + 3 * (uint)" + name + ".w";
      case CaptureType::UInt3:
        return name + ".x + 3 * " + name + ".y + 5 * " + name + ".z";
      case CaptureType::UChar16:
        return "(uint)" + name + ".s3 + 3 * (uint)" + name + ".s9";
      case CaptureType::Bundle:
        return name + ".a + (uint)(" + name + ".b >> 7) + " + name + ".c[2]";
    }
    return "0";
  }

  /// Declares the number of the body's work-item.
  void declareNumber(const Body& body, const std::string& parent) {
    const std::string lin = "lin" + std::to_string(body.id), mixed = "x" + std::to_string(body.id),
                      ids = "i" + std::to_string(body.id);
    line() << "const uint " << lin << " = (uint)get_global_linear_id();\n";
    line() << "uint " << mixed << " = 0;\n";
    for (size_t i = 0; i < body.captures.size(); ++i)
      line() << mixed << " = " << mixed << " * 33 + (" << captured(body, i) << ");\n";
    line() << "size_t " << ids
           << " = get_work_dim() * 11 + get_global_size(0) * 13 + get_global_offset(1) * 17;\n";
    for (unsigned d = 0; d < 3; ++d) {
      line() << ids << " += get_global_id(" << d << ") * " << 3 + 2 * d << ";\n";
      if (!body.range.hasLocal) continue;
      line() << ids << " += get_group_id(" << d << ") * " << 19 + d << " + get_local_id(" << d
             << ") * " << 23 + d << " + get_local_size(" << d << ") * " << 27 + d << ";\n";
      line() << ids << " += get_enqueued_local_size(" << d << ") * " << 31 + d
             << " + get_num_groups(" << d << ") * " << 37 + d << ";\n";
    }
    line() << "const uint " << number(body) << " = " << parent << " * " << body.factor << "u + "
           << lin << " * " << body.added << "u + " << mixed << " + (uint)" << ids << ";\n";
    line() << "const uint n" << body.id
           << " = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));\n";
    line() << "const uint g" << body.id << " = " << mine(body)
           << " + 2 + (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + "
              "get_num_groups(1) * get_group_id(2)));\n";
  }

  static size_t localArguments(const Body& body) {
    return body.kind == BodyKind::TwoLocals ? 2 : body.kind == BodyKind::LocalMemory ? 1 : 0;
  }

  void addNumber(const Body& body) {
    const std::string v = number(body), sum = "&sums[" + std::to_string(body.id) + "]";
    switch (body.kind) {
      case BodyKind::Plain:
        line() << "atomic_add(" << sum << ", " << v << ");\n";
        break;
      case BodyKind::Loop:
        line() << "{ uint w = " << v << "; for (uint i = 0; i < (" << v
               << " & 15); ++i) w = w * 7 + i; atomic_add(" << sum << ", w); }\n";
        break;
      case BodyKind::Branches:
        line() << "{ uint w = " << v << " & 1 ? " << v << " * 3 : " << v << " ^ 0x55; switch (" << v
               << " % 5) { case 1: w += 9; case 3: w *= 5; break; case 4: w -= 77; } atomic_add("
               << sum << ", w); }\n";
        break;
      case BodyKind::Reduction:
        line() << "{ uint w = work_group_reduce_add(" << v
               << "); if (get_local_linear_id() == 0) atomic_add(" << sum << ", w); }\n";
        break;
      case BodyKind::LocalMemory:
      case BodyKind::TwoLocals:
        exchange(body, sum);
        break;
    }
  }

  void exchange(const Body& body, const std::string& sum) {
    const std::string v = number(body), n = "n" + std::to_string(body.id);
    const bool two = body.kind == BodyKind::TwoLocals;
    line() << "const uint l" << body.id << " = (uint)get_local_linear_id();\n";
    const std::string l = "l" + std::to_string(body.id);
    if (body.id == 0) {
      line() << "local uint first0[" << groupItems(body) << "], second0[" << groupItems(body)
             << "];\n";
    } else {
      line() << "local uint* first" << body.id << " = (local uint*)p" << body.id << "_0;\n";
      if (two)
        line() << "local uint* second" << body.id << " = (local uint*)p" << body.id << "_1;\n";
    }
    line() << "first" << body.id << "[" << l << "] = " << v << ";\n";
    if (two) line() << "second" << body.id << "[" << n << " - 1 - " << l << "] = " << v << ";\n";
    line() << "barrier(CLK_LOCAL_MEM_FENCE);\n";
    line() << "atomic_add(" << sum << ", " << v << " + 3 * first" << body.id << "[(" << l
           << " + 1) % " << n << "]";
    if (two) out_ << " + 5 * second" << body.id << "[" << l << "]";
    out_ << ");\n";
  }

  static uint64_t groupItems(const Body& body) {
    return body.range.local[0] * body.range.local[1] * body.range.local[2];
  }

  void body(const Body& body, const Body* parent, const Step* launch, const Group* siblings) {
    ++indent_;
    const std::string from = parent ? number(*parent) : "number";
    if (launch) {
      for (const int id : launch->waits) lookFor(*siblings, id);
      if (launch->flags == Flags::WaitKernel)
        line() << "if (cells[" << mine(*parent) << "] != " << parent->range.items()
               << ") atomic_inc(&wrong[2]);\n";
      if (launch->flags == Flags::WaitGroup)
        line() << "if (cells[g" << parent->id << "] != n" << parent->id
               << ") atomic_inc(&wrong[3]);\n";
    }
    declareNumber(body, from);
    if (launch && launch->sets >= 0) {
      line() << "if (lin" << body.id << " == 0) {\n";
      ++indent_;
      setEvent(launch->sets, false);
      --indent_;
      line() << "}\n";
    }
    ancestors_.push_back(&body);
    for (const Group& group : body.groups)
      if (!group.isLate) steps(body, group);
    addNumber(body);
    for (const Group& group : body.groups)
      if (group.isLate) steps(body, group);
    line() << "atomic_inc(&cells[" << mine(body) << "]);\n";
    line() << "atomic_inc(&cells[g" << body.id << "]);\n";
    for (const Body* ancestor : ancestors_)
      line() << "atomic_inc(&cells[" << mine(*ancestor) << " + 1]);\n";
    ancestors_.pop_back();
    --indent_;
  }

  void setEvent(int id, bool fails) {
    line() << "cells[u" << id << "] = 1;\n";
    line() << "set_user_event_status(" << event(id) << ", " << (fails ? "-5" : "CL_COMPLETE")
           << ");\n";
    line() << "release_event(" << event(id) << ");\n";
  }

  void steps(const Body& body, const Group& group) {
    line() << "if (lin" << body.id << " % " << group.modulus << " == " << group.remainder
           << ") {\n";
    ++indent_;
    for (const Step& each : group.steps) step(body, group, each);
    for (const Step& each : group.steps)
      if (each.hasEvent || each.kind == StepKind::Marker ||
          each.kind == StepKind::CreateUserEvent) {
        line() << "release_event(" << event(each.id) << ");\n";
        if (each.retains) line() << "release_event(" << event(each.id) << ");\n";
      }
    --indent_;
    line() << "}\n";
  }

  void step(const Body& body, const Group& group, const Step& step) {
    const std::string id = std::to_string(step.id);
    waitList(step);
    switch (step.kind) {
      case StepKind::Chain:
        line() << "chain(&sums[" << kMostBodies << "], " << number(body) << ", " << step.depth
               << ");\n";
        return;
      case StepKind::SetUserEvent:
        setEvent(step.target, step.fails);
        return;
      case StepKind::CreateUserEvent:
        line() << "const uint u" << id << " = (uint)atomic_add(&cells[0], 1);\n";
        line() << "clk_event_t e" << id << " = create_user_event();\n";
        // Whoever sets it has a reference too.
        line() << "retain_event(e" << id << ");\n";
        break;
      case StepKind::Marker:
        line() << "clk_event_t e" << id << ";\n";
        line() << "if (enqueue_marker(get_default_queue(), " << step.waits.size() << ", w" << id
               << ", &e" << id << ") != CLK_SUCCESS) atomic_inc(&wrong[4]);\n";
        break;
      case StepKind::Launch:
        launch(body, group, step);
        break;
    }
    if (!step.retains) return;
    if (step.hasEvent || step.kind != StepKind::Launch) {
      line() << "retain_event(e" << id << ");\n";
      line() << "if (!is_valid_event(e" << id << ")) atomic_inc(&wrong[5]);\n";
    }
  }

  void waitList(const Step& step) {
    if (step.waits.empty()) return;
    line() << "clk_event_t w" << step.id << "[" << step.waits.size() << "];\n";
    for (size_t i = 0; i < step.waits.size(); ++i)
      line() << "w" << step.id << "[" << i << "] = " << event(step.waits[i]) << ";\n";
  }

  static std::string rangeOf(const Range& range, int id) {
    const std::string n = std::to_string(id);
    if (range.dimensions > 1)
      return "ndrange_" + std::to_string(range.dimensions) + "D(" +
             (range.hasLocal ? "ro" + n + ", rg" + n + ", rl" + n : "rg" + n) + ")";
    const std::string global = std::to_string(range.global[0]);
    if (!range.hasLocal) return "ndrange_1D(" + global + ")";
    const std::string local = std::to_string(range.local[0]);
    if (range.offset[0] == 0) return "ndrange_1D(" + global + ", " + local + ")";
    return "ndrange_1D(" + std::to_string(range.offset[0]) + ", " + global + ", " + local + ")";
  }

  void declareRange(const Range& range, int id) {
    const auto list = [&](const char* name, const std::array<uint64_t, 3>& values) {
      line() << "size_t " << name << id << "[" << range.dimensions << "] = {";
      for (unsigned d = 0; d < range.dimensions; ++d) out_ << (d ? ", " : "") << values[d];
      out_ << "};\n";
    };
    if (range.dimensions > 1) {
      list("rg", range.global);
      if (range.hasLocal) {
        list("rl", range.local);
        list("ro", range.offset);
      }
    }
    line() << "ndrange_t r" << id << " = " << rangeOf(range, id) << ";\n";
  }

  /// Between the parentheses of enqueue_kernel.
  void arguments(const Step& step, const char* queue) {
    constexpr const char* kFlags[] = {"CLK_ENQUEUE_FLAGS_NO_WAIT", "CLK_ENQUEUE_FLAGS_WAIT_KERNEL",
                                      "CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP"};
    out_ << queue << ", " << kFlags[static_cast<size_t>(step.flags)] << ", r" << step.id;
    if (!step.waits.empty() || step.hasEvent) {
      out_ << ", " << step.waits.size() << ", ";
      out_ << (step.waits.empty() ? "NULL" : "w" + std::to_string(step.id)) << ", ";
      out_ << (step.hasEvent ? "&" + event(step.id) : "NULL");
    }
    out_ << ", ";
  }
  void locals(const Body& body) {
    for (size_t i = 0; i < localArguments(body); ++i) out_ << ", " << groupItems(body) * 4 << "u";
  }
  void literal(const Body& parent, const Group& group, const Step& step) {
    out_ << "^";
    for (size_t i = 0; i < localArguments(step.body); ++i)
      out_ << (i ? ", " : "(") << "local void* p" << step.body.id << "_" << i;
    out_ << (localArguments(step.body) ? ") {\n" : "{\n");
    body(step.body, &parent, &step, &group);
    line() << "}";
  }

  void launch(const Body& parent, const Group& group, const Step& step) {
    const std::string status = "s" + std::to_string(step.id), block = "k" + std::to_string(step.id);
    const size_t count = localArguments(step.body);
    if (step.hasEvent) line() << "clk_event_t " << event(step.id) << ";\n";
    line() << "const uint " << mine(step.body) << " = (uint)atomic_add(&cells[0], "
           << 2 + step.body.range.items() << ");\n";
    declareRange(step.body.range, step.id);
    for (size_t i = 0; i < step.body.captures.size(); ++i)
      declareCapture(step.body, i, number(parent));
    if (step.isVariable) {
      line() << "void (^" << block << ")("
             << (count == 0   ? "void"
                 : count == 1 ? "local void*"
                              : "local void*, local void*")
             << ") = ";
      literal(parent, group, step);
      out_ << ";\n";
    }
    const auto call = [&](const char* queue) {
      out_ << "enqueue_kernel(";
      arguments(step, queue);
      if (step.isVariable)
        out_ << block;
      else
        literal(parent, group, step);
      locals(step.body);
      out_ << ");\n";
    };
    line() << "int " << status << " = ";
    call(step.queue == Queue::Default ? "get_default_queue()"
         : step.queue == Queue::Other ? "other"
                                      : "small");
    if (step.queue == Queue::Small) {
      // A full queue takes nothing, and may be tried again; no work-item waits for ever.
      line() << "for (int t = 0; " << status << " != CLK_SUCCESS && t < 20; ++t) {\n";
      line() << "  atomic_inc(&wrong[7]);\n";
      line() << "  " << status << " = ";
      call("small");
      line() << "}\n";
      line() << "if (" << status << " != CLK_SUCCESS) " << status << " = ";
      call("get_default_queue()");
    }
    line() << "if (" << status << " != CLK_SUCCESS) atomic_inc(&wrong[6]);\n";
  }

  std::ostringstream out_;
  unsigned indent_ = 0;
  std::vector<const Body*> ancestors_;
};

}  // namespace

std::string print(const Program& program) { return Printer().print(program); }

}  // namespace weft::trees
