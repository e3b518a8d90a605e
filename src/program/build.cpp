// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/build.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "backend/backend.h"
#include "base/callback_thread.h"
#include "program/active_build.h"
#include "program/build_error.h"
#include "program/kernel.h"
#include "program/launch_planner.h"
#include "weft/support/log.h"

namespace weft {
namespace {

using compiler::ProgramKind;
using Codes = std::vector<Ref<compiler::Program>>;
using CompilerOutput = compiler::Result<compiler::BuildOutput>;
/// What is between the beginning and the end of a build; ends every device of it.
using Work = std::move_only_function<Result<void>(ActiveBuild&)>;

/// A representative of the launches that are yet to come, whose work-group size is not known.
NDRange likelyRange(const compiler::KernelInfo& kernel) noexcept {
  constexpr uint64_t kManyGroups = 1024;
  auto local = kernel.reqdWorkGroupSize;
  if (local[0] == 0) local = kernel.workGroupSizeHint;
  NDRange range;
  range.dimensions = 3;
  const uint64_t items = std::min(maxWorkGroupSize(kernel), uint64_t{256});
  for (size_t d = 0; d < 3; ++d) {
    range.localSize[d] = local[0] != 0 ? local[d] : d == 0 ? items : 1;
    range.globalSize[d] = range.localSize[d] * (d == 0 ? kManyGroups : 1);
  }
  return range;
}

/// Remarks on all kernels of a program, with final code for the likely launch of each.
std::string explain(Context& context, compiler::Program& program) {
  const LaunchPlanner& planner = LaunchPlanner::instance();
  const unsigned slots = context.platform().device().computeUnits();
  std::string remarks;
  for (size_t i = 0; i < program.kernels().size(); ++i) {
    const compiler::KernelInfo& kernel = program.kernels()[i];
    auto plans = planner.plansFor(kernel, likelyRange(kernel), slots);
    auto text = program.explain(i, plans.wanted().key());
    if (!text && text.error().kind == compiler::ErrorKind::Unsuited)
      if (const auto next = plans.next(text.error().kind)) text = program.explain(i, next->key());
    remarks += text ? *text : "remark: kernel '" + kernel.name + "': " + text.error().log;
  }
  return remarks;
}

/// The result of a build, with remarks where they were asked for.
CompilerOutput withRemarks(Context& context, CompilerOutput output) {
  if (output && output->explain) output->log += explain(context, *output->program);
  return output;
}

/// All devices share one result.
Result<void> finishAll(ActiveBuild& build, const CompilerOutput& output, BuildStep step) noexcept {
  while (!build.pending().empty()) {
    if (output)
      build.finishNext(output->program, output->log);
    else
      build.finishNext(nullptr, output.error().log);
  }
  return output ? Result<void>{} : clError(clCode(output.error().kind, step));
}

void call(Ref<Program> program, BuildNotify notify) noexcept {
  try {
    CallbackThread& callbacks = CallbackThread::instance();
    callbacks.post([program, notify] { notify.function(program->handle(), notify.userData); });
  } catch (...) {
    notify.function(program->handle(), notify.userData);  // here rather than never
  }
}

/// A build whose call has returned: nobody but the program's state learns of a failure.
void runInBackground(std::unique_ptr<ActiveBuild> build, BuildNotify notify, Work& work) noexcept {
  try {
    static_cast<void>(work(*build));
  } catch (...) {
    while (!build->pending().empty()) build->finishNext(nullptr, "error: out of memory\n");
  }
  Ref<Program> program(&build->program());
  build.reset();
  call(std::move(program), notify);
}

Result<void> run(std::unique_ptr<ActiveBuild> build, BuildNotify notify, Work work) {
  if (notify.function == nullptr) return work(*build);
  compiler::Compiler& compiler = Backend::instance().compiler();
  compiler.post([build = std::move(build), notify, work = std::move(work)]() mutable {
    runInBackground(std::move(build), notify, work);
  });
  return {};
}

Result<void> checkOptions(std::string_view options, BuildStep step) {
  const auto checked =
      Backend::instance().compiler().checkOptions(options, step == BuildStep::Link);
  return checked ? Result<void>{} : clError(clCode(checked.error().kind, step));
}

/// From source or from SPIR-V.
CompilerOutput buildText(const Program& program, std::string_view options) {
  compiler::Compiler& compiler = Backend::instance().compiler();
  const compiler::PrivateMemory memory = program.context().privateMemory();
  if (program.origin() != Program::Origin::Il)
    return compiler.build(program.source(), options, memory);
  const auto constants = program.specialization();
  return compiler.buildIl({program.il(), constants}, options, memory);
}

CompilerOutput compileText(const Program& program, std::string_view options,
                           std::span<const compiler::EmbeddedHeader> headers) {
  compiler::Compiler& compiler = Backend::instance().compiler();
  if (program.origin() != Program::Origin::Il)
    return compiler.compile(program.source(), options, headers);
  const auto constants = program.specialization();
  return compiler.compileIl({program.il(), constants}, options);
}

/// The loaded executables become the built ones, which takes no time.
Result<void> adoptBinaries(Program& program, std::span<Device* const> devices,
                           std::optional<std::string_view> options, BuildNotify notify) {
  Codes codes;
  for (const Device* device : devices) {
    codes.push_back(program.build(*device).code);
    if (!codes.back() || codes.back()->kind() != ProgramKind::Executable)
      return clError(CL_INVALID_BINARY);
  }
  WEFT_TRY(auto build,
           ActiveBuild::begin(program, devices, options.value_or(codes.front()->options())));
  for (Ref<compiler::Program>& code : codes) build->finishNext(std::move(code), {});
  build.reset();
  if (notify.function != nullptr) call(Ref<Program>(&program), notify);
  return {};
}

/// The objects and libraries of all inputs for one device; nothing when no input has any.
Result<Codes> linkInputs(std::span<const Ref<Program>> inputs, const Device& device) {
  Codes codes;
  for (const Ref<Program>& input : inputs) {
    const Device* const builtFor = input->nearest(device);
    if (builtFor == nullptr) continue;
    const ProgramBuild build = input->build(*builtFor);
    if (build.status == CL_BUILD_IN_PROGRESS) return clError(CL_INVALID_OPERATION);
    if (build.code && build.code->kind() != ProgramKind::Executable) codes.push_back(build.code);
  }
  if (!codes.empty() && codes.size() != inputs.size()) return clError(CL_INVALID_OPERATION);
  return codes;
}

/// Links for each device of `build`; devices with the same inputs share the result.
Result<void> linkAll(ActiveBuild& build, const std::vector<Codes>& codes,
                     std::string_view options) {
  Context& context = build.program().context();
  std::vector<CompilerOutput> outputs;
  Result<void> result;
  for (size_t i = 0; i < codes.size(); ++i) {
    const size_t same = static_cast<size_t>(std::ranges::find(codes, codes[i]) - codes.begin());
    outputs.push_back(same < i
                          ? outputs[same]
                          : withRemarks(context, Backend::instance().compiler().link(
                                                     codes[i], options, context.privateMemory())));
    const CompilerOutput& output = outputs.back();
    if (output) {
      build.finishNext(output->program, output->log);
    } else {
      build.finishNext(nullptr, output.error().log);
      result = clError(clCode(output.error().kind, BuildStep::Link));
    }
  }
  return result;
}

}  // namespace

Result<void> buildProgram(Program& program, std::span<Device* const> devices,
                          std::optional<std::string_view> options, BuildNotify notify) {
  WEFT_TRY_VOID(require(program.origin() != Program::Origin::Linked, CL_INVALID_OPERATION));
  if (options) WEFT_TRY_VOID(checkOptions(*options, BuildStep::Build));
  if (program.origin() == Program::Origin::Binary)
    return adoptBinaries(program, devices, options, notify);
  std::string text(options.value_or(""));
  WEFT_TRY(auto build, ActiveBuild::begin(program, devices, text));
  return run(std::move(build), notify, [options = std::move(text)](ActiveBuild& active) {
    Context& context = active.program().context();
    const CompilerOutput output = withRemarks(context, buildText(active.program(), options));
    return finishAll(active, output, BuildStep::Build);
  });
}

Result<void> compileProgram(Program& program, std::span<Device* const> devices,
                            std::string_view options, std::vector<ProgramHeader> headers,
                            BuildNotify notify) {
  const bool hasText =
      program.origin() == Program::Origin::Source || program.origin() == Program::Origin::Il;
  WEFT_TRY_VOID(require(hasText, CL_INVALID_OPERATION));
  WEFT_TRY_VOID(checkOptions(options, BuildStep::Compile));
  std::string text(options);
  WEFT_TRY(auto build, ActiveBuild::begin(program, devices, text));
  return run(std::move(build), notify,
             [options = std::move(text), headers = std::move(headers)](ActiveBuild& active) {
               std::vector<compiler::EmbeddedHeader> embedded;
               embedded.reserve(headers.size());
               for (const ProgramHeader& header : headers)
                 embedded.push_back({header.includeName, header.program->source()});
               const CompilerOutput output = compileText(active.program(), options, embedded);
               return finishAll(active, output, BuildStep::Compile);
             });
}

Result<LinkOutcome> linkPrograms(Context& context, std::span<Device* const> devices,
                                 std::string_view options, std::span<const Ref<Program>> inputs,
                                 BuildNotify notify) {
  WEFT_TRY_VOID(checkOptions(options, BuildStep::Link));
  std::vector<Device*> linkable;
  std::vector<Codes> codes;
  for (Device* device : devices) {
    WEFT_TRY(Codes deviceCodes, linkInputs(inputs, *device));
    if (deviceCodes.empty()) continue;  // no link, and no executable, for this device
    linkable.push_back(device);
    codes.push_back(std::move(deviceCodes));
  }
  if (linkable.empty()) return clError(CL_INVALID_OPERATION);

  LinkOutcome outcome{.program = Program::forLink(context, devices)};
  std::string text(options);
  WEFT_TRY(auto build, ActiveBuild::begin(*outcome.program, linkable, text));
  const Result<void> linked =
      run(std::move(build), notify,
          [options = std::move(text), codes = std::move(codes)](ActiveBuild& active) {
            return linkAll(active, codes, options);
          });
  if (!linked) outcome.code = linked.error().code;
  return outcome;
}

}  // namespace weft
