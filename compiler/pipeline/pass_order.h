// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ir/error_log.h"
#include "lanes/vectorize_items.h"
#include "pipeline/pipeline.h"
#include "prepare/inline_budget.h"
#include "weft/compiler/compiler.h"

namespace llvm {
class PassBuilder;
}

namespace weft::compiler {

/// Parts of the order that run in one go. The first three are a program's, the others a variant's.
enum class Phase : uint8_t { Adopt, Inline, Lower, Form, Quick, Lanes, Optimise };

/// What decides which passes run, and what they are told.
struct PassFacts {
  const PrepareOptions& options;
  ErrorLog& errors;
  // Of a variant:
  const KernelInfo* kernel = nullptr;
  VariantKey key = {};
  std::string symbol = {};
  Explanation* explanation = nullptr;

  bool isQuick() const { return options.tier == Tier::Quick; }
  /// Final code without optimisation: -cl-opt-disable.
  bool isPlain() const { return !isQuick() && !options.optimize; }
  bool isOptimised() const { return !isQuick() && options.optimize; }
  bool hasLanes() const { return isOptimised() && key.width != 1; }
  /// Groups are loops, whose rows may be as many as the key says.
  bool hasRows() const { return key.form == Form::BarrierLoops || key.form == Form::GroupLoop; }
  /// A fiber for several work-items exists in lanes only.
  VariantKey formedKey() const;
  VectorizeOptions vectorizeOptions() const;
};

/// Whether a variant goes through a phase.
bool hasPhase(Phase phase, const PassFacts& facts);

/// The passes of one phase.
llvm::ModulePassManager passesOf(Phase phase, const PassFacts& facts);

/// Makes every pass of ours known to `builder` by name. The facts must outlive it.
void registerPasses(llvm::PassBuilder& builder, const PassFacts& facts);

enum class Part : uint8_t { Program, Variant };

/// Prints the rows that passesOf takes for a program, or for the variant that the facts describe.
void printOrder(llvm::raw_ostream& out, Part part, const PassFacts& facts);

/// Names of the passes that registerPasses knows, once each, in the order of their rows.
std::vector<llvm::StringRef> namesOfPasses();

}  // namespace weft::compiler
