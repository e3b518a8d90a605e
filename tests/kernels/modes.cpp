// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ways there are to run a kernel over a range, and the code for each.
#include "modes.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "world.h"

namespace weft::test {
namespace {

constexpr unsigned kManyWorkers = 4;

/// What is tried of each form: scalars; narrow lanes in code for rows and groups of any size; the
/// compiler's lanes for indices that wrap and buffers that overlap, and along each dimension; and
/// last what the library chooses. Kernels with images run in code for any of them first.
constexpr Mode kTries[] = {{.width = 1, .anyImages = true, .sharedReductions = true},
                           {.width = 1},
                           {.width = 1, .divergent = true},
                           {.width = 4, .wholeRows = false, .fixedSize = false},
                           {.width = 0, .anyImages = true},
                           {.width = 0, .plainIndices = true, .anyBuffers = true},
                           {.width = 0, .sharedReductions = true},
                           {.width = 0, .rowDimension = 0},
                           {.width = 0, .rowDimension = 1},
                           {.width = 0, .rowDimension = 2},
                           {.width = 0}};
constexpr uint32_t kEveryWidth[] = {1, 0, 2, 4, 8, 16, 32, 64};  // 0: as the compiler likes
/// What is tried of each width.
constexpr Mode kVariations[] = {{},
                                {.plainIndices = true, .anyBuffers = true},
                                {.rowDimension = 1},
                                {.wholeRows = false, .fixedSize = false},
                                {.anyImages = true},
                                {.sharedReductions = true}};
constexpr compiler::Form kForms[] = {compiler::Form::Fibers, compiler::Form::BarrierLoops,
                                     compiler::Form::GroupLoop, compiler::Form::Flat};
const char* formName(compiler::Form form) {
  switch (form) {
    case compiler::Form::Flat:
      return "flat";
    case compiler::Form::GroupLoop:
      return "group loop";
    case compiler::Form::Fibers:
      return "fibers";
    case compiler::Form::BarrierLoops:
      return "barrier loops";
  }
  return "?";
}

/// The plans of the library. Without `arguments` for such as suit the kernel best.
compiler::PlanLadder plansOf(const compiler::KernelInfo& kernel, const NDRange& range,
                             const void* arguments, bool separateBuffers,
                             const compiler::Overrides& overrides, unsigned workers) {
  compiler::LaunchFacts facts{
      .range = range,
      .slots = workers,
      .subGroupSize = kSubGroupSize,
      .exactIndices = !arguments || compiler::hasExactIndices(kernel, range, arguments),
      .separateBuffers = separateBuffers,
      // Both of the codes that such launches have are among what is tried.
      .reductions = overrides.plainIndices ? compiler::ReductionElements::Own
                                           : compiler::ReductionElements::OwnSettled};
  if (arguments)
    facts.images = compiler::imageClassesOf(kernel, arguments);
  else
    std::fill_n(facts.images.begin(), kernel.imageArguments.size(), uint16_t{1});
  return {kernel, facts, overrides};
}

/// Adds the boxes of a plan to a shape, with their code.
compiler::Result<void> addBoxes(const Program& program, size_t index,
                                const compiler::LaunchPlan& plan, runtime::LaunchShape& shape) {
  shape.boxCount = 0;
  shape.subGroupSize = plan.key().subGroupSize;
  for (const compiler::PlannedBox& box : plan.boxes()) {
    WEFT_TRY(const compiler::Variant* variant, program->variant(index, box.key));
    shape.boxes[shape.boxCount++] = {
        .begin = box.begin, .end = box.end, .slicing = box.slicing, .code = variant};
  }
  return {};
}

/// Collects ways to run a kernel over a range that differ in their code or their workers.
class ModeList {
 public:
  ModeList(const compiler::KernelInfo& kernel, const NDRange& range)
      : kernel_(kernel), range_(range) {}

  /// Unless there is no such code, or it is that of a mode before.
  void add(const Mode& mode) {
    const compiler::LaunchPlan plan =
        plansOf(kernel_, range_, nullptr, /*separateBuffers=*/true, mode.overrides(), mode.workers)
            .wanted();
    if (plan.key().form != mode.form) return;
    Seen seen{mode.workers, {}};
    for (const compiler::PlannedBox& box : plan.boxes()) seen.second.push_back(box.key);
    if (std::ranges::find(seen_, seen) != seen_.end()) return;
    seen_.push_back(std::move(seen));
    modes.push_back(mode);
  }

  std::vector<Mode> modes;

 private:
  using Seen = std::pair<unsigned, std::vector<compiler::VariantKey>>;
  const compiler::KernelInfo& kernel_;
  const NDRange& range_;
  std::vector<Seen> seen_;
};

}  // namespace

compiler::Result<runtime::LaunchShape> findCode(const Program& program,
                                                const compiler::KernelInfo& kernel,
                                                const Mode& mode, const NDRange& range,
                                                const void* arguments, bool separateBuffers) {
  using compiler::ErrorKind;
  const auto index = static_cast<size_t>(&kernel - program->kernels().data());
  runtime::LaunchShape shape;
  shape.kernel = &kernel;
  shape.range = range;
  auto plans = plansOf(kernel, range, arguments, separateBuffers, mode.overrides(), mode.workers);
  auto found = addBoxes(program, index, plans.wanted(), shape);
  const ErrorKind refusal = found ? ErrorKind::Internal : found.error().kind;
  const auto isRefused = [&] {
    return !found &&
           (found.error().kind == ErrorKind::TooMany || found.error().kind == ErrorKind::Unsuited);
  };
  while (isRefused()) {
    const auto plan = plans.next(refusal);
    if (!plan) break;
    found = addBoxes(program, index, *plan, shape);
  }
  if (!found) return fail(std::move(found).error());
  return shape;
}

compiler::Overrides Mode::overrides() const {
  return {.form = form,
          .width = width,
          .rowDimension = rowDimension,
          .wholeRows = wholeRows,
          .fixedSize = fixedSize,
          .divergent = divergent,
          .plainIndices = plainIndices,
          .anyBuffers = anyBuffers,
          .anyImages = anyImages,
          .sharedReductions = sharedReductions};
}

std::string Mode::name() const {
  if (product) return "public API";
  std::string text = std::string(formName(form)) + ", width " + std::to_string(width) + ", " +
                     std::to_string(workers) + " workers";
  const auto say = [&](std::optional<bool> what, const char* yes, const char* no) {
    if (what) text += *what ? yes : no;
  };
  if (rowDimension) text += ", rows along dimension " + std::to_string(*rowDimension);
  say(wholeRows, ", whole rows", ", rows of any size");
  say(fixedSize, ", groups of one size", ", groups of any size");
  if (plainIndices) text += ", plain indices";
  if (anyBuffers) text += ", any buffers";
  if (divergent) text += ", divergent";
  if (anyImages) text += ", any images";
  if (sharedReductions) text += ", shared reductions";
  return text;
}

std::vector<Mode> legalModes(const compiler::KernelInfo& kernel, const NDRange& range) {
  ModeList list(kernel, range);
  for (const compiler::Form form : kForms)
    for (Mode mode : kTries) {
      mode.form = form;
      for (const unsigned workers : {1u, kManyWorkers}) {
        mode.workers = workers;
        list.add(mode);
      }
    }
  static const std::string product = [] {
    const char* text = std::getenv("WEFT_TEST_PRODUCT");
    return std::string(text ? text : "");
  }();
  if (product == "only") list.modes.resize(1);
  if (!product.empty()) list.modes.push_back({.product = true});
  return list.modes;
}

std::vector<Mode> candidateModes(const compiler::KernelInfo& kernel, const NDRange& range) {
  ModeList list(kernel, range);
  for (const compiler::Form form : kForms)
    for (const unsigned workers : {1u, kManyWorkers})
      for (const uint32_t width : kEveryWidth)
        for (Mode mode : kVariations) {
          mode.form = form;
          mode.workers = workers;
          mode.width = width;
          list.add(mode);
        }
  return list.modes;
}

bool isOffered(const Program& program, const compiler::KernelInfo& kernel, const Mode& mode,
               const NDRange& range) {
  const auto code = findCode(program, kernel, mode, range, nullptr, /*separateBuffers=*/true);
  return code || !code.error().log.contains("is not supported");
}

}  // namespace weft::test
