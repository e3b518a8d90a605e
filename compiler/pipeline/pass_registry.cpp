// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pass_registry.h"

#include "passes/add_work_item_parameter.h"
#include "passes/check_calls.h"
#include "passes/check_symbols.h"
#include "passes/complete_checks.h"
#include "passes/drop_local_stores.h"
#include "passes/estimates.h"
#include "passes/expose_private.h"
#include "passes/forward_item.h"
#include "passes/forward_lanes.h"
#include "passes/inline_library.h"
#include "passes/isolate_barriers.h"
#include "passes/keep_order.h"
#include "passes/lay_out_local.h"
#include "passes/lay_out_program_scope.h"
#include "passes/loop_groups.h"
#include "passes/lower_local.h"
#include "passes/lower_printf.h"
#include "passes/lower_program_scope.h"
#include "passes/lower_segment.h"
#include "passes/lower_sync.h"
#include "passes/lower_work_item.h"
#include "passes/narrow_integers.h"
#include "passes/narrow_sums.h"
#include "passes/number_barriers.h"
#include "passes/rare_calls.h"
#include "passes/relax_convergence.h"
#include "passes/relax_local_atomics.h"
#include "passes/retarget.h"
#include "passes/settle_masked_loads.h"
#include "passes/split_irreducible.h"
#include "passes/total_division.h"
#include "passes/trim_item_loops.h"
#include "passes/unroll_group_loops.h"
#include "passes/vectorize_items.h"
#include "passes/widen_half.h"
#include "passes/zero_private.h"
#include "pipeline/pipeline.h"

namespace weft::compiler {

using namespace llvm;

void registerPasses(PassBuilder& builder, const PassSettings& settings, ErrorLog& errors) {
  builder.registerPipelineParsingCallback(
      [settings, &errors](StringRef name, ModulePassManager& passes,
                          ArrayRef<PassBuilder::PipelineElement>) {
#define MODULE_PASS(text, expression) \
  if (name == text) {                 \
    passes.addPass(expression);       \
    return true;                      \
  }
#define FUNCTION_PASS(text, expression)                            \
  if (name == text) {                                              \
    passes.addPass(createModuleToFunctionPassAdaptor(expression)); \
    return true;                                                   \
  }
#include "pipeline/passes.def"
        return false;
      });
}

}  // namespace weft::compiler
