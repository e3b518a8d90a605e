// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pass_order.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/BDCE.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/DivRemPairs.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InferAlignment.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/MemCpyOptimizer.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

#include <optional>
#include <utility>

#include "finish/back_off.h"
#include "finish/complete_checks.h"
#include "finish/drop_local_stores.h"
#include "finish/eliminate_loop_loads.h"
#include "finish/forward_lanes.h"
#include "finish/freeze_extracts.h"
#include "finish/jam_groups.h"
#include "finish/jam_rows.h"
#include "finish/keep_loops.h"
#include "finish/keep_order.h"
#include "finish/loop_groups.h"
#include "finish/narrow_factors.h"
#include "finish/offer_remainders.h"
#include "finish/order_values.h"
#include "finish/pad_variables.h"
#include "finish/read_before_update.h"
#include "finish/relax_local_atomics.h"
#include "finish/reroll_sums.h"
#include "finish/settle_masked_loads.h"
#include "finish/slp_vectorize.h"
#include "finish/split_recurrences.h"
#include "finish/take_addresses.h"
#include "finish/unmask_accesses.h"
#include "finish/widen_half.h"
#include "finish/widen_masks.h"
#include "form/assume_exact.h"
#include "form/extract_kernel.h"
#include "form/fix_local_size.h"
#include "form/form_kernel.h"
#include "form/lockstep_loops.h"
#include "form/lower_sub_groups.h"
#include "form/privatize_reductions.h"
#include "form/relax_fences.h"
#include "form/specialize_images.h"
#include "form/split_inductions.h"
#include "form/unroll_group_loops.h"
#include "form/unsign_divisions.h"
#include "ir/names.h"
#include "lanes/block_row_loads.h"
#include "lanes/break_loops.h"
#include "lanes/distribute_loops.h"
#include "lanes/divide_item_loops.h"
#include "lanes/drop_components.h"
#include "lanes/estimates.h"
#include "lanes/forward_item.h"
#include "lanes/hoist_launch_fields.h"
#include "lanes/interchange_item_loops.h"
#include "lanes/narrow_integers.h"
#include "lanes/narrow_sums.h"
#include "lanes/outline_updates.h"
#include "lanes/promote_memory.h"
#include "lanes/rare_calls.h"
#include "lanes/speculate_stores.h"
#include "lanes/split_inner_loops.h"
#include "lanes/split_irreducible.h"
#include "lanes/split_item_loops.h"
#include "lanes/split_products.h"
#include "lanes/tile_items.h"
#include "lanes/trim_item_loops.h"
#include "lanes/unroll_pieces.h"
#include "lanes/version_groups.h"
#include "pipeline/pass_scopes.h"
#include "prepare/add_work_item_parameter.h"
#include "prepare/check_calls.h"
#include "prepare/check_symbols.h"
#include "prepare/copies_as_numbers.h"
#include "prepare/expose_private.h"
#include "prepare/fuse_products.h"
#include "prepare/inline_library.h"
#include "prepare/isolate_barriers.h"
#include "prepare/lay_out_local.h"
#include "prepare/lay_out_program_scope.h"
#include "prepare/lower_atomics.h"
#include "prepare/lower_blocks.h"
#include "prepare/lower_local.h"
#include "prepare/lower_printf.h"
#include "prepare/lower_program_scope.h"
#include "prepare/lower_segment.h"
#include "prepare/lower_sync.h"
#include "prepare/lower_work_item.h"
#include "prepare/mark_lockstep.h"
#include "prepare/number_barriers.h"
#include "prepare/plain_local.h"
#include "prepare/plain_private.h"
#include "prepare/recover_dividends.h"
#include "prepare/recover_vectors.h"
#include "prepare/relax_convergence.h"
#include "prepare/retarget.h"
#include "prepare/simplify_powers.h"
#include "prepare/split_offsets.h"
#include "prepare/split_structures.h"
#include "prepare/thread_cleanups.h"
#include "prepare/total_division.h"
#include "prepare/zero_private.h"

namespace weft::compiler {

using namespace llvm;

VariantKey PassFacts::formedKey() const {
  VariantKey formed = key;
  if (key.form == Form::Fibers && !isOptimised()) formed.width = 1;
  return formed;
}

VectorizeOptions PassFacts::vectorizeOptions() const {
  return {.width = key.width, .rowItems = key.knownSize(0), .wholeRows = key.wholeRows};
}

namespace {

/// Takes the rows of a phase one after the other, and puts their passes into pass managers.
class Assembler {
 public:
  using Parts = std::vector<FunctionPassManager>;
  using Close = void (*)(Assembler& m, Parts inner);

  ModulePassManager modules;

  FunctionPassManager& functions() {
    endLoops();
    if (scopes_.empty()) scopes_.emplace_back();
    return scopes_.back().parts.back();
  }

  /// Pre: followed by rows of the same kind, or by others.
  LoopPassManager& loops(bool memory) {
    if (scopes_.empty()) scopes_.emplace_back();
    if (hasLoops_ && needsMemory_ != memory) endLoops();
    hasLoops_ = true;
    needsMemory_ = memory;
    return loops_;
  }

  /// Before a pass on modules is added.
  void endFunctions() {
    if (scopes_.empty()) return;
    FunctionPassManager passes = std::move(functions());
    scopes_.clear();
    modules.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
  }

  void begin(Close close) {
    endLoops();
    if (scopes_.size() == 1 && !scopes_.front().close) endFunctions();
    scopes_.emplace_back(close);
  }

  void then() {
    endLoops();
    scopes_.back().parts.emplace_back();
  }

  void end() {
    endLoops();
    Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    scope.close(*this, std::move(scope.parts));
  }

  ModulePassManager take() {
    endFunctions();
    return std::move(modules);
  }

 private:
  struct Scope {
    Close close = nullptr;  ///< none of what lies in no scope
    Parts parts = Parts(1);
    explicit Scope(Close c = nullptr) : close(c) {}
  };

  void endLoops() {
    if (!hasLoops_) return;
    hasLoops_ = false;
    scopes_.back().parts.back().addPass(
        createFunctionToLoopPassAdaptor(std::exchange(loops_, LoopPassManager()), needsMemory_));
  }

  std::vector<Scope> scopes_;
  LoopPassManager loops_;
  bool hasLoops_ = false, needsMemory_ = false;
};

/// A row of pass_order.def.
struct Row {
  enum class Kind : uint8_t { Module, Function, Loop, Begin, Then, End };
  Phase phase;
  Kind kind;
  StringLiteral name;
  const char* why;
  bool (*when)(const PassFacts& f);
  void (*add)(Assembler& m, const PassFacts& f);
};

LICMPass hoist(bool speculate) { return LICMPass(LICMOptions(100, 250, speculate)); }

SimplifyCFGOptions lateControlFlow() {
  return SimplifyCFGOptions()
      .forwardSwitchCondToPhi(true)
      .convertSwitchRangeToICmp(true)
      .convertSwitchToLookupTable(true)
      .needCanonicalLoops(false)
      .hoistCommonInsts(true)
      .sinkCommonInsts(true);
}

template <class Manager, class PassT>
void addForLanes(Manager& passes, const PassFacts& facts, PassT pass) {
  if (facts.key.form == Form::Fibers || facts.kernel->meetsInSubGroups)
    passes.addPass(RequiredPass(std::move(pass)));
  else
    passes.addPass(std::move(pass));
}

LowerSubGroupsPass lowerSubGroups(const PassFacts& facts, bool isLast) {
  return {facts.key.subGroupSize, facts.key.form == Form::Fibers,
          isLast ? LowerSubGroupsPass::Last::Yes : LowerSubGroupsPass::Last::No, facts.errors};
}

FunctionPassManager& managerFunction(Assembler& m) { return m.functions(); }
LoopPassManager& managerLoop(Assembler& m) { return m.loops(/*memory=*/false); }

#define ROW(phase, kind, name, when, why, statement)                 \
  {Phase::phase,                                                     \
   Row::Kind::kind,                                                  \
   name,                                                             \
   why,                                                              \
   []([[maybe_unused]] const PassFacts& f) -> bool { return when; }, \
   []([[maybe_unused]] Assembler& m, [[maybe_unused]] const PassFacts& f) { statement; }},
#define MODULE(phase, name, when, why, ...) \
  ROW(phase, Module, name, when, why, m.endFunctions(); m.modules.addPass(__VA_ARGS__))
#define FUNCTION(phase, name, when, why, ...) \
  ROW(phase, Function, name, when, why, m.functions().addPass(__VA_ARGS__))
#define LOOP(phase, name, when, why, ...) \
  ROW(phase, Loop, name, when, why, m.loops(false).addPass(__VA_ARGS__))
#define LOOP_MEMORY(phase, name, when, why, ...) \
  ROW(phase, Loop, name, when, why, m.loops(true).addPass(__VA_ARGS__))
#define LANES(phase, level, name, when, why, ...) \
  ROW(phase, level, name, when, why, addForLanes(manager##level(m), f, __VA_ARGS__))
#define BEGIN(phase, name, when, why, ...) \
  ROW(phase, Begin, name, when, why,       \
      m.begin([](Assembler& m, [[maybe_unused]] Assembler::Parts inner) { __VA_ARGS__; }))
#define THEN(phase) ROW(phase, Then, "then", true, "", m.then())
#define END(phase) ROW(phase, End, "end", true, "", m.end())

const Row kOrder[] = {
#include "pipeline/pass_order.def"
};

#undef ROW

bool isOurs(const Row& row) {
  return !row.name.starts_with("llvm:") &&
         (row.kind == Row::Kind::Module || row.kind == Row::Kind::Function);
}

const char* nameOf(Phase phase) {
  static constexpr const char* kNames[] = {"adopt", "inline", "lower",   "form",
                                           "quick", "lanes",  "optimise"};
  return kNames[static_cast<unsigned>(phase)];
}

const char* nameOf(Row::Kind kind) {
  static constexpr const char* kNames[] = {"module", "function", "loop"};
  return kNames[static_cast<unsigned>(kind)];
}

}  // namespace

bool hasPhase(Phase phase, const PassFacts& facts) {
  switch (phase) {
    case Phase::Quick:
      return facts.isQuick();
    case Phase::Lanes:
      return facts.hasLanes();
    case Phase::Optimise:
      return facts.isOptimised();
    default:
      return true;
  }
}

ModulePassManager passesOf(Phase phase, const PassFacts& facts) {
  Assembler passes;
  for (const Row& row : kOrder)
    if (row.phase == phase && row.when(facts)) row.add(passes, facts);
  return passes.take();
}

void registerPasses(PassBuilder& builder, const PassFacts& facts) {
  builder.registerPipelineParsingCallback(
      [&facts](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        for (const Row& row : kOrder) {
          if (!isOurs(row) || row.name != name) continue;
          Assembler one;
          row.add(one, facts);
          passes.addPass(one.take());
          return true;
        }
        return false;
      });
}

void printOrder(raw_ostream& out, Part part, const PassFacts& facts) {
  std::optional<Phase> last;
  unsigned depth = 0;
  for (const Row& row : kOrder) {
    const bool isOfVariant = row.phase >= Phase::Form;
    if (isOfVariant != (part == Part::Variant)) continue;
    if (!hasPhase(row.phase, facts) || !row.when(facts)) continue;
    if (last != row.phase) out << nameOf(row.phase) << "\n";
    last = row.phase;
    if (row.kind == Row::Kind::End) --depth;
    out.indent(2 + 2 * (row.kind == Row::Kind::Then ? depth - 1 : depth));
    if (row.kind == Row::Kind::End)
      out << "}";
    else if (row.kind == Row::Kind::Then)
      out << "} then {";
    else if (row.kind == Row::Kind::Begin)
      out << row.name << " {";
    else
      out << nameOf(row.kind) << ' ' << row.name;
    if (row.kind == Row::Kind::Begin) ++depth;
    if (*row.why) out << "  ; " << row.why;
    out << "\n";
  }
}

std::vector<StringRef> namesOfPasses() {
  std::vector<StringRef> names;
  for (const Row& row : kOrder)
    if (isOurs(row) && !is_contained(names, row.name)) names.push_back(row.name);
  return names;
}

}  // namespace weft::compiler
