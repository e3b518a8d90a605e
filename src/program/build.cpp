// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/build.h"

#include <algorithm>
#include <optional>

namespace weft {
namespace {

using compiler::ProgramKind;
using CompilerOutput = compiler::Result<compiler::BuildOutput>;

/// A build under way. Devices that it leaves without a result become CL_BUILD_ERROR, so that an
/// exception cannot leave a program in progress for ever.
class BuildScope {
 public:
  static Result<BuildScope> begin(Program& program, std::span<Device* const> devices,
                                  std::string_view options) {
    WEFT_TRY_VOID(program.beginBuild(devices, options));
    return BuildScope(program, devices);
  }
  BuildScope(BuildScope&& other) noexcept
      : program_(other.program_), pending_(std::exchange(other.pending_, {})) {}
  BuildScope& operator=(BuildScope&&) = delete;
  ~BuildScope() {
    for (const Device* device : pending_) program_.finishBuild(*device, nullptr, {});
  }

  /// Ends the build of the first device that still waits for its result.
  void finishNext(Ref<compiler::Program> code, std::string_view log) noexcept {
    program_.finishBuild(*pending_.front(), std::move(code), log);
    pending_ = pending_.subspan(1);
  }
  /// All devices share one result.
  Result<void> finishAll(const CompilerOutput& output, BuildStep step) noexcept {
    while (!pending_.empty()) {
      if (output)
        finishNext(output->program, output->log);
      else
        finishNext(nullptr, output.error().log);
    }
    return output ? Result<void>{} : clError(clCode(output.error().kind, step));
  }

 private:
  BuildScope(Program& program, std::span<Device* const> devices) noexcept
      : program_(program), pending_(devices) {}

  Program& program_;
  std::span<Device* const> pending_;
};

void post(Program& program, BuildNotify notify) {
  if (notify.function == nullptr) return;
  program.context().platform().callbacks().post(
      [program = Ref<Program>(&program), notify]() mutable {
        notify.function(program->handle(), notify.userData);
      });
}

Result<void> checkOptions(Context& context, std::string_view options, BuildStep step) {
  const auto checked = context.platform().compiler().checkOptions(options, step == BuildStep::Link);
  return checked ? Result<void>{} : clError(clCode(checked.error().kind, step));
}

/// The loaded executables become the built ones.
Result<void> adoptBinaries(Program& program, std::span<Device* const> devices,
                           std::string_view options) {
  for (const Device* device : devices) {
    const Ref<compiler::Program> code = program.build(*device).code;
    if (!code || code->kind() != ProgramKind::Executable) return clError(CL_INVALID_BINARY);
  }
  WEFT_TRY(BuildScope scope, BuildScope::begin(program, devices, options));
  for (const Device* device : devices) scope.finishNext(program.build(*device).code, {});
  return {};
}

/// With a callback, a failure of the build itself is not the call's.
Result<void> ended(Program& program, const Result<void>& result, BuildNotify notify) {
  if (notify.function == nullptr) return result;
  post(program, notify);
  return {};
}

/// The objects and libraries of all inputs for one device; nothing when no input has any.
Result<std::vector<Ref<compiler::Program>>> linkInputs(std::span<const Ref<Program>> inputs,
                                                       const Device& device) {
  std::vector<Ref<compiler::Program>> codes;
  for (const Ref<Program>& input : inputs) {
    if (!input->has(device)) continue;
    const ProgramBuild build = input->build(device);
    if (build.status == CL_BUILD_IN_PROGRESS) return clError(CL_INVALID_OPERATION);
    if (build.code && build.code->kind() != ProgramKind::Executable) codes.push_back(build.code);
  }
  if (!codes.empty() && codes.size() != inputs.size()) return clError(CL_INVALID_OPERATION);
  return codes;
}

}  // namespace

Result<void> buildProgram(Program& program, std::span<Device* const> devices,
                          std::string_view options, BuildNotify notify) {
  WEFT_TRY_VOID(require(program.origin() != Program::Origin::Linked, CL_INVALID_OPERATION));
  WEFT_TRY_VOID(checkOptions(program.context(), options, BuildStep::Build));
  if (program.origin() == Program::Origin::Binary) {
    WEFT_TRY_VOID(adoptBinaries(program, devices, options));
    post(program, notify);
    return {};
  }
  WEFT_TRY(BuildScope scope, BuildScope::begin(program, devices, options));
  const CompilerOutput output =
      program.context().platform().compiler().build(program.source(), options);
  return ended(program, scope.finishAll(output, BuildStep::Build), notify);
}

Result<void> compileProgram(Program& program, std::span<Device* const> devices,
                            std::string_view options, std::span<const ProgramHeader> headers,
                            BuildNotify notify) {
  WEFT_TRY_VOID(require(program.origin() == Program::Origin::Source, CL_INVALID_OPERATION));
  WEFT_TRY_VOID(checkOptions(program.context(), options, BuildStep::Compile));
  std::vector<compiler::EmbeddedHeader> embedded;
  embedded.reserve(headers.size());
  for (const ProgramHeader& header : headers)
    embedded.push_back({header.includeName, header.program->source()});
  WEFT_TRY(BuildScope scope, BuildScope::begin(program, devices, options));
  const CompilerOutput output =
      program.context().platform().compiler().compile(program.source(), options, embedded);
  return ended(program, scope.finishAll(output, BuildStep::Compile), notify);
}

Result<LinkOutcome> linkPrograms(Context& context, std::span<Device* const> devices,
                                 std::string_view options, std::span<const Ref<Program>> inputs,
                                 BuildNotify notify) {
  WEFT_TRY_VOID(checkOptions(context, options, BuildStep::Link));
  std::vector<Device*> linkable;
  std::vector<std::vector<Ref<compiler::Program>>> codes;
  for (Device* device : devices) {
    WEFT_TRY(auto deviceCodes, linkInputs(inputs, *device));
    if (deviceCodes.empty()) continue;  // no link, and no executable, for this device
    linkable.push_back(device);
    codes.push_back(std::move(deviceCodes));
  }
  if (linkable.empty()) return clError(CL_INVALID_OPERATION);

  LinkOutcome outcome{.program = Program::forLink(context, devices)};
  {
    WEFT_TRY(BuildScope scope, BuildScope::begin(*outcome.program, linkable, options));
    for (const auto& deviceCodes : codes) {
      const CompilerOutput output = context.platform().compiler().link(deviceCodes, options);
      if (output) {
        scope.finishNext(output->program, output->log);
      } else {
        scope.finishNext(nullptr, output.error().log);
        outcome.code = clCode(output.error().kind, BuildStep::Link);
      }
    }
  }
  if (notify.function != nullptr) {
    post(*outcome.program, notify);
    outcome.code = CL_SUCCESS;
  }
  return outcome;
}

}  // namespace weft
