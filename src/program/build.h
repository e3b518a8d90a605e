// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

/// Build, compile and link of program objects, with no lock held. Without a callback the work is
/// done before the call returns; with one it is done on a compiler thread, and the callback runs
/// after it on the callback thread. What makes a call fail before anything is begun is always
/// told by the call.
namespace weft {

/// pfn_notify of a build; without a function there is none.
struct BuildNotify {
  void(CL_CALLBACK* function)(cl_program program, void* userData) = nullptr;
  void* userData = nullptr;
};

struct ProgramHeader {
  std::string includeName;
  Ref<Program> program;  ///< made from source
};

/// clBuildProgram. With a callback the build's own failure is reported by the program's status
/// alone. A loaded binary without options is built with those that it was made with.
///   CL_INVALID_OPERATION       kernels attached, build under way, or an object of clLinkProgram
///   CL_INVALID_BINARY          a device's loaded binary is missing or no executable
///   CL_INVALID_BUILD_OPTIONS, CL_BUILD_PROGRAM_FAILURE
Result<void> buildProgram(Program& program, std::span<Device* const> devices,
                          std::optional<std::string_view> options, BuildNotify notify);

/// clCompileProgram.
///   CL_INVALID_OPERATION       as above, or there is neither source nor SPIR-V
///   CL_INVALID_COMPILER_OPTIONS, CL_COMPILE_PROGRAM_FAILURE
Result<void> compileProgram(Program& program, std::span<Device* const> devices,
                            std::string_view options, std::vector<ProgramHeader> headers,
                            BuildNotify notify);

/// What clLinkProgram gives: a link that began and failed has both a program and an error.
struct LinkOutcome {
  Ref<Program> program;
  cl_int code = CL_SUCCESS;
};

/// clLinkProgram.
///   CL_INVALID_OPERATION       an input is being built, or has no object or library for a device
///   CL_INVALID_LINKER_OPTIONS
Result<LinkOutcome> linkPrograms(Context& context, std::span<Device* const> devices,
                                 std::string_view options, std::span<const Ref<Program>> inputs,
                                 BuildNotify notify);

}  // namespace weft
