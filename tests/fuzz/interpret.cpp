// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/interpret.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <random>

#include "fuzz/collective.h"
#include "fuzz/evaluate.h"
#include "fuzz/sub_group.h"

namespace weft::fuzz {
namespace {

enum class Flow : uint8_t { Normal, Break, Continue, Return, Goto };

class Interpreter final : Evaluator {
 public:
  using Evaluator::Evaluator;

  void runAll() {
    const Shape& shape = program_.shape;
    std::array<uint64_t, 3> groups{};
    for (unsigned d = 0; d < 3; ++d)
      groups[d] = (shape.global[d] + shape.local[d] - 1) / shape.local[d];
    for (uint64_t z = 0; z < groups[2]; ++z)
      for (uint64_t y = 0; y < groups[1]; ++y)
        for (uint64_t x = 0; x < groups[0]; ++x) runGroup({x, y, z});
  }

 private:
  void runGroup(const std::array<uint64_t, 3>& id) {
    const Shape& shape = program_.shape;
    std::array<uint64_t, 3> size{};
    for (unsigned d = 0; d < 3; ++d)
      size[d] = std::min(shape.local[d], shape.global[d] - id[d] * shape.local[d]);
    const size_t count = size[0] * size[1] * size[2];
    Bytes frames(count * program_.privateBytes), known(frames.size());
    std::vector<Item> items(count);
    active_.clear();
    for (size_t i = 0; i < count; ++i) {
      Item& item = items[i];
      item.localId = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
      item.groupId = id;
      item.localSize = size;
      for (unsigned d = 0; d < 3; ++d)
        item.globalId[d] = shape.offset[d] + id[d] * shape.local[d] + item.localId[d];
      item.actor = {++lastNumber_, frames.data() + i * program_.privateBytes,
                    known.data() + i * program_.privateBytes};
      active_.push_back(&item);
      for (const int parameter : program_.functions[0].parameters) {
        const Variable& variable = program_.variables[static_cast<size_t>(parameter)];
        if (variable.kind != VariableKind::Parameter) continue;
        Value value;
        value.lanes = variable.type.lanes;
        std::copy(variable.initial.begin(), variable.initial.end(), value.lane.begin());
        store(variable.type, {parameter, 0}, value, item);
      }
    }
    memory_.beginGroup();
    together(program_.functions[0].body);
  }

  Value call(const Expr& expr, Item& item) override {
    const Function& function = program_.functions[static_cast<size_t>(expr.ref)];
    giveArguments(function, expr, item);
    item.hasReturned = false;
    run(function.body, item);
    if (function.result.lanes == 0) return {};
    if (!item.hasReturned) throw Undefined{"function without a result"};
    return item.returned;
  }

  void giveArguments(const Function& function, const Expr& expr, Item& item) {
    std::vector<Value> values;
    for (const ExprPtr& argument : expr.args) values.push_back(evaluate(*argument, item));
    for (size_t i = 0; i < values.size(); ++i) {
      const int parameter = function.parameters[i];
      store(program_.variables[static_cast<size_t>(parameter)].type, {parameter, 0}, values[i],
            item);
    }
  }

  /// A call of a function that contains barriers.
  Flow callTogether(const Stmt& statement) {
    const Expr& expr = *statement.exprs[1];
    const Function& function = program_.functions[static_cast<size_t>(expr.ref)];
    if (function.body.empty() || function.body.back()->kind != StmtKind::Return)
      throw Undefined{"function without a result"};
    each([&](Item& item) {
      giveArguments(function, expr, item);
      return Flow::Normal;
    });
    for (size_t i = 0; i + 1 < function.body.size(); ++i)
      if (together(*function.body[i]) != Flow::Normal && !active_.empty())
        throw Undefined{"jump out of a function with barriers"};
    return each([&](Item& item) {
      assign(*statement.exprs[0], evaluate(*function.body.back()->exprs[0], item), item);
      return Flow::Normal;
    });
  }

  // One work-item alone.

  Flow run(const Body& body, Item& item) {
    for (const StmtPtr& statement : body)
      if (const Flow flow = run(*statement, item); flow != Flow::Normal) return flow;
    return Flow::Normal;
  }

  void declare(const Stmt& statement, Item& item) {
    const Variable& variable = program_.variables[static_cast<size_t>(statement.ref)];
    const Type type = variable.type;
    // Values first: the name may stand in its own loop's last iteration.
    std::vector<Value> values;
    if (type.structure < 0)
      for (const ExprPtr& value : statement.exprs) values.push_back(evaluate(*value, item));
    std::memset(item.actor.known + variable.offset, 0, program_.sizeOf(type));
    if (type.structure >= 0 && !statement.exprs.empty())
      return copy({statement.ref, 0}, *statement.exprs[0], item);
    const auto bytes = static_cast<int64_t>(program_.sizeOf(type.element()));
    for (size_t i = 0; i < values.size(); ++i)
      store(type.array ? type.element() : type,
            {statement.ref, static_cast<int64_t>(i) * (type.array ? bytes : 0)}, values[i], item);
  }

  /// Copies a structure, field by field: what lies between them is nobody's.
  void copy(Address to, const Expr& source, Item& item) {
    const Address from = place(source, item);
    const Structure& structure = program_.structs[static_cast<size_t>(source.type.structure)];
    for (const Structure::Field& field : structure.fields) {
      const Type element = field.type.element();
      const unsigned count = std::max<unsigned>(field.type.array, 1);
      for (unsigned i = 0; i < count; ++i) {
        const auto offset = static_cast<int64_t>(field.offset + i * program_.sizeOf(element));
        store(element, {to.variable, to.offset + offset},
              load(element, {from.variable, from.offset + offset}, item), item);
      }
    }
  }

  void assignTo(const Stmt& statement, Item& item) {
    const Expr& target = *statement.exprs[0];
    if (isPartial(target) && isPartial(*statement.exprs[1]))
      return copyPartial(target, *statement.exprs[1], item);
    if (isPartial(target) && statement.compound) return changePartial(statement, item);
    if (target.type.structure >= 0 && !target.type.pointer)
      return copy(place(target, item), *statement.exprs[1], item);
    const Value value = evaluate(*statement.exprs[1], item);
    if (!statement.compound) return assign(target, value, item);
    if (target.type.pointer) {
      Address address = Address::fromBits(evaluate(target, item).lane[0]);
      address.offset += toSignedBits(statement.exprs[1]->type.scalar, value.lane[0]) *
                        static_cast<int64_t>(program_.sizeOf(target.type.element()));
      return assign(target, Value(address.bits()), item);
    }
    const Value old = evaluate(target, item);
    Value result;
    result.lanes = target.type.lanes;
    for (unsigned i = 0; i < result.lanes; ++i)
      result.lane[i] = binary(statement.op, target.type.scalar, target.type.lanes > 1, true,
                              old.lane[i], value.lane[value.lanes == 1 ? 0 : i]);
    assign(target, result, item);
  }

  /// Runs the body of a loop once. True: the loop ends, with `flow`.
  static bool endsLoop(Flow& flow) {
    if (flow == Flow::Normal || flow == Flow::Continue) return false;
    if (flow == Flow::Break) flow = Flow::Normal;
    return true;
  }

  Flow loop(const Stmt& statement, Item& item) {
    if (run(statement.init, item) != Flow::Normal) throw Undefined{"jump out of a loop's head"};
    for (bool first = true;; first = false) {
      step();
      if ((statement.kind != StmtKind::DoWhile || !first) && !isTrue(*statement.exprs[0], item))
        return Flow::Normal;
      Flow flow = run(statement.body, item);
      if (endsLoop(flow)) return flow;
      run(statement.step, item);
    }
  }

  /// Where a switch goes on: a case, or past all of them.
  static size_t chooseCase(const Stmt& statement, uint64_t value) {
    size_t chosen = statement.body.size();
    for (size_t i = 0; i < statement.body.size(); ++i) {
      const Stmt& candidate = *statement.body[i];
      if (candidate.values.empty()) chosen = i;
      for (const uint64_t v : candidate.values)
        if (v == value) return i;
    }
    return chosen;
  }

  Flow choose(const Stmt& statement, Item& item) {
    const uint64_t value = evaluate(*statement.exprs[0], item).lane[0];
    for (size_t i = chooseCase(statement, value); i < statement.body.size(); ++i) {
      const Flow flow = run(statement.body[i]->body, item);
      if (flow == Flow::Break) return Flow::Normal;
      if (flow != Flow::Normal) return flow;
    }
    return Flow::Normal;
  }

  Flow tangle(const Stmt& statement, Item& item) {
    bool second = isTrue(*statement.exprs[0], item);
    do {
      step();
      if (!second)
        if (const Flow flow = run(statement.body, item); flow != Flow::Normal) return flow;
      second = false;
      if (const Flow flow = run(statement.otherwise, item); flow != Flow::Normal) return flow;
    } while (isTrue(*statement.exprs[1], item));
    return Flow::Normal;
  }

  Flow run(const Stmt& statement, Item& item) {
    step();
    switch (statement.kind) {
      case StmtKind::Block:
      case StmtKind::Case:
        return run(statement.body, item);
      case StmtKind::Declare:
        declare(statement, item);
        return Flow::Normal;
      case StmtKind::Assign:
        assignTo(statement, item);
        return Flow::Normal;
      case StmtKind::Evaluate:
        evaluate(*statement.exprs[0], item);
        return Flow::Normal;
      case StmtKind::VStore: {
        const Value value = evaluate(*statement.exprs[0], item);
        const Type type = statement.exprs[0]->type;
        Address address = Address::fromBits(evaluate(*statement.exprs[2], item).lane[0]);
        address.offset += toSignedBits(statement.exprs[1]->type.scalar,
                                       evaluate(*statement.exprs[1], item).lane[0]) *
                          type.lanes * bytesOf(type.scalar);
        store(type, address, value, item);
        return Flow::Normal;
      }
      case StmtKind::WriteImage:
        writeImage(statement, item);
        return Flow::Normal;
      case StmtKind::Merge:
        merge(statement, item);
        return Flow::Normal;
      case StmtKind::If:
        return run(isTrue(*statement.exprs[0], item) ? statement.body : statement.otherwise, item);
      case StmtKind::For:
      case StmtKind::While:
      case StmtKind::DoWhile:
        return loop(statement, item);
      case StmtKind::Switch:
        return choose(statement, item);
      case StmtKind::Break:
        return Flow::Break;
      case StmtKind::Continue:
        return Flow::Continue;
      case StmtKind::Return:
        if (!statement.exprs.empty()) {
          item.returned = evaluate(*statement.exprs[0], item);
          item.hasReturned = true;
        }
        return Flow::Return;
      case StmtKind::Labelled: {
        const Flow flow = run(statement.body, item);
        return flow == Flow::Goto && item.label == statement.ref ? Flow::Normal : flow;
      }
      case StmtKind::Goto:
        item.label = statement.ref;
        return Flow::Goto;
      case StmtKind::Tangle:
        return tangle(statement, item);
      case StmtKind::Barrier:
      case StmtKind::Collect:
      case StmtKind::Meet:
        throw Undefined{"barrier in a function"};
    }
    throw Undefined{"unknown statement"};
  }

  // The work-items of the group that have not ended, in lockstep.

  Flow together(const Body& body) {
    for (const StmtPtr& statement : body)
      if (const Flow flow = together(*statement); flow != Flow::Normal) return flow;
    return Flow::Normal;
  }

  template <class Action>
  Flow each(Action action) {
    std::optional<Flow> common;
    int label = 0;
    std::erase_if(active_, [&](Item* item) {
      const Flow flow = action(*item);
      if (flow == Flow::Return) return true;
      if (common && (*common != flow || (flow == Flow::Goto && label != item->label)))
        throw Undefined{"barrier in divergent control flow"};
      common = flow;
      label = item->label;
      return false;
    });
    return common.value_or(Flow::Return);
  }

  uint64_t common(const Expr& expr, bool asTruth) {
    std::optional<uint64_t> value;
    for (Item* item : active_) {
      const uint64_t mine = asTruth ? (isTrue(expr, *item) ? 1 : 0) : evaluate(expr, *item).lane[0];
      if (value && *value != mine) throw Undefined{"barrier in divergent control flow"};
      value = mine;
    }
    return value.value_or(0);
  }

  Flow loopTogether(const Stmt& statement) {
    each([&](Item& item) { return run(statement.init, item); });
    for (bool first = true;; first = false) {
      if ((statement.kind != StmtKind::DoWhile || !first) && !common(*statement.exprs[0], true))
        return Flow::Normal;
      Flow flow = together(statement.body);
      if (endsLoop(flow)) return flow;
      each([&](Item& item) { return run(statement.step, item); });
    }
  }

  static size_t linearId(const Item& item) {
    return (item.localId[2] * item.localSize[1] + item.localId[1]) * item.localSize[0] +
           item.localId[0];
  }

  Flow collect(const Stmt& statement) {
    using Op = Collective::Op;
    if (active_.empty()) return Flow::Return;
    const Item& first = *active_[0];
    const Op op = statement.collective.op;
    const bool isTruth = op == Op::All || op == Op::Any;
    std::vector<std::optional<uint64_t>> brought(first.localSize[0] * first.localSize[1] *
                                                 first.localSize[2]);
    for (Item* item : active_)
      brought[linearId(*item)] = isTruth ? (isTrue(*statement.exprs[1], *item) ? 1 : 0)
                                         : evaluate(*statement.exprs[1], *item).lane[0];
    const std::vector<uint64_t> results =
        combine(statement.collective, statement.exprs[1]->type.scalar, brought);
    return each([&](Item& item) {
      const uint64_t result = results[linearId(item)];
      assign(*statement.exprs[0], Value(isTruth ? result & 1 : result), item);
      return Flow::Normal;
    });
  }

  Flow together(const Stmt& statement) {
    if (!statement.hasBarrier) {
      if (!statement.meets) return each([&](Item& item) { return run(statement, item); });
      inSubGroups(statement);
      return each([&](Item& item) { return flows_.at(&item); });
    }
    switch (statement.kind) {
      case StmtKind::Barrier:
        memory_.barrier((statement.ref & 1) != 0, (statement.ref & 2) != 0);
        return Flow::Normal;
      case StmtKind::Collect:
        return collect(statement);
      case StmtKind::Assign:
        return callTogether(statement);
      case StmtKind::Tangle:
        throw Undefined{"barrier in a loop with two entries"};
      case StmtKind::If:
        return together(common(*statement.exprs[0], true) ? statement.body : statement.otherwise);
      case StmtKind::For:
      case StmtKind::While:
      case StmtKind::DoWhile:
        return loopTogether(statement);
      case StmtKind::Switch: {
        const uint64_t value = common(*statement.exprs[0], false);
        for (size_t i = chooseCase(statement, value); i < statement.body.size(); ++i) {
          const Flow flow = together(statement.body[i]->body);
          if (flow == Flow::Break) return Flow::Normal;
          if (flow != Flow::Normal) return flow;
        }
        return Flow::Normal;
      }
      case StmtKind::Labelled: {
        const Flow flow = together(statement.body);
        return flow == Flow::Goto && !active_.empty() && active_[0]->label == statement.ref
                   ? Flow::Normal
                   : flow;
      }
      default:
        return together(statement.body);
    }
  }

  // Work-items of a sub-group, which may take different ways, but in step: those who come to the
  // same place in the same iteration are there together.

  using Members = std::vector<Item*>;

  void inSubGroups(const Stmt& statement) {
    flows_.clear();
    std::map<size_t, Members> subGroups;
    for (Item* item : active_) {
      flows_[item] = Flow::Normal;
      subGroups[linearId(*item) / program_.subGroupSize].push_back(item);
    }
    for (const auto& [number, members] : subGroups) inStep(statement, members);
  }

  /// Those who do not jump.
  Members goingOn(const Members& members) {
    return chosen(members, [&](Item* item) { return flows_[item] == Flow::Normal; });
  }
  template <class Predicate>
  static Members chosen(const Members& members, Predicate predicate) {
    Members some;
    std::ranges::copy_if(members, std::back_inserter(some), predicate);
    return some;
  }
  /// Those who jump in this way go on behind what they have left.
  void arrive(const Members& members, Flow flow) {
    for (Item* item : members)
      if (flows_[item] == flow) flows_[item] = Flow::Normal;
  }

  void inStep(const Body& body, Members members) {
    for (const StmtPtr& statement : body) {
      inStep(*statement, members);
      members = goingOn(members);
    }
  }

  void loopInStep(const Stmt& statement, const Members& members) {
    inStep(statement.init, members);
    Members inside = members;
    for (bool first = true; !inside.empty(); first = false) {
      if (statement.kind != StmtKind::DoWhile || !first)
        inside = chosen(inside, [&](Item* item) { return isTrue(*statement.exprs[0], *item); });
      inStep(statement.body, inside);
      arrive(inside, Flow::Continue);
      inside = goingOn(inside);
      inStep(statement.step, inside);
    }
    arrive(members, Flow::Break);
  }

  void chooseInStep(const Stmt& statement, const Members& members) {
    std::vector<Members> entering(statement.body.size() + 1);
    for (Item* item : members)
      entering[chooseCase(statement, evaluate(*statement.exprs[0], *item).lane[0])].push_back(item);
    Members inside;
    for (size_t i = 0; i < statement.body.size(); ++i) {
      inside.insert(inside.end(), entering[i].begin(), entering[i].end());
      inStep(statement.body[i]->body, inside);
      inside = goingOn(inside);
    }
    arrive(members, Flow::Break);
  }

  void meetInStep(const Stmt& statement, const Members& members) {
    if (members.empty() || statement.exprs.empty()) return;
    const uint64_t size = program_.subGroupSize;
    const auto& exprs = statement.exprs;
    std::vector<std::optional<Brought>> brought(size);
    for (Item* item : members) {
      Brought& mine = brought[linearId(*item) % size].emplace();
      if (exprs.size() > 1) mine.value = evaluate(*exprs[1], *item).lane[0];
      if (exprs.size() > 2) mine.argument = evaluate(*exprs[2], *item).lane[0];
    }
    const Scalar scalar = exprs.size() > 1 ? exprs[1]->type.scalar : Scalar::Int;
    const std::vector<uint64_t> results = meet(statement.subGroup, scalar, brought);
    for (Item* item : members) assign(*exprs[0], Value(results[linearId(*item) % size]), *item);
  }

  void inStep(const Stmt& statement, const Members& members) {
    if (!statement.meets) {
      for (Item* item : members) flows_[item] = run(statement, *item);
      return;
    }
    step();
    switch (statement.kind) {
      case StmtKind::Meet:
        return meetInStep(statement, members);
      case StmtKind::If: {
        const Members some =
            chosen(members, [&](Item* item) { return isTrue(*statement.exprs[0], *item); });
        const Members others =
            chosen(members, [&](Item* item) { return std::ranges::count(some, item) == 0; });
        inStep(statement.body, some);
        return inStep(statement.otherwise, others);
      }
      case StmtKind::For:
      case StmtKind::While:
      case StmtKind::DoWhile:
        return loopInStep(statement, members);
      case StmtKind::Switch:
        return chooseInStep(statement, members);
      case StmtKind::Labelled:
        inStep(statement.body, members);
        for (Item* item : members)
          if (flows_[item] == Flow::Goto && item->label == statement.ref)
            flows_[item] = Flow::Normal;
        return;
      case StmtKind::Tangle:
        throw Undefined{"sub-group in a loop with two entries"};
      default:
        return inStep(statement.body, members);
    }
  }

  std::vector<Item*> active_;
  std::map<const Item*, Flow> flows_;  ///< of the members of a sub-group
  uint32_t lastNumber_ = 0;
};

}  // namespace

std::vector<Bytes> initialBuffers(const Program& program) {
  std::vector<Bytes> buffers(program.variables.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Variable& variable = program.variables[i];
    if (variable.kind == VariableKind::Image)
      buffers[i] = initialPixels(variable.image, variable.seed);
    if (variable.kind != VariableKind::Buffer || variable.sameAs >= 0) continue;
    const Type element = variable.type.element();
    buffers[i].resize(variable.count * program.sizeOf(element));
    std::mt19937_64 random(variable.seed);
    // Small floating-point numbers, and integers of all sizes.
    if (element.structure < 0 && isFloat(element.scalar)) {
      const unsigned bytes = bytesOf(element.scalar);
      for (size_t at = 0; at < buffers[i].size(); at += bytes) {
        const double value = variable.below ? static_cast<double>(random() % variable.below)
                                            : static_cast<double>(random() % 4096) / 16 - 100;
        const uint64_t bits = element.scalar == Scalar::Half ? halfBits(value)
                              : element.scalar == Scalar::Float
                                  ? std::bit_cast<uint32_t>(static_cast<float>(value))
                                  : std::bit_cast<uint64_t>(value);
        std::memcpy(buffers[i].data() + at, &bits, bytes);
      }
      continue;
    }
    const unsigned unit = element.structure >= 0 ? 4 : bytesOf(element.scalar);
    for (size_t at = 0; at + unit <= buffers[i].size(); at += unit) {
      uint64_t bits = random();
      bits = (bits & 3) == 0 ? bits >> 8 : (bits >> 8) % 1000;
      if (variable.below) bits %= variable.below;
      if (element.structure >= 0) bits &= 0x3fffffff;  // fields may be floating-point numbers
      std::memcpy(buffers[i].data() + at, &bits, unit);
    }
  }
  return buffers;
}

std::string interpret(const Program& program, std::vector<Bytes>& buffers) {
  try {
    Memory memory(program, buffers);
    Interpreter(program, memory).runAll();
  } catch (const Undefined& undefined) {
    return undefined.reason;
  }
  return "";
}

}  // namespace weft::fuzz
