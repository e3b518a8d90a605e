// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/build_error.h"

namespace weft {
namespace {

cl_int invalidOptions(BuildStep step) noexcept {
  switch (step) {
    case BuildStep::Build:
      return CL_INVALID_BUILD_OPTIONS;
    case BuildStep::Compile:
      return CL_INVALID_COMPILER_OPTIONS;
    case BuildStep::Link:
      return CL_INVALID_LINKER_OPTIONS;
  }
  return CL_INVALID_VALUE;
}

cl_int stepFailed(BuildStep step) noexcept {
  switch (step) {
    case BuildStep::Build:
      return CL_BUILD_PROGRAM_FAILURE;
    case BuildStep::Compile:
      return CL_COMPILE_PROGRAM_FAILURE;
    case BuildStep::Link:
      return CL_LINK_PROGRAM_FAILURE;
  }
  return CL_OUT_OF_RESOURCES;
}

}  // namespace

cl_int clCode(compiler::ErrorKind kind, BuildStep step) noexcept {
  switch (kind) {
    case compiler::ErrorKind::InvalidOptions:
      return invalidOptions(step);
    case compiler::ErrorKind::SourceError:
    case compiler::ErrorKind::Internal:
    case compiler::ErrorKind::TooMany:
    case compiler::ErrorKind::Unsuited:
      return stepFailed(step);
    case compiler::ErrorKind::InvalidBinary:
      return CL_INVALID_BINARY;
    case compiler::ErrorKind::OutOfMemory:
      return CL_OUT_OF_HOST_MEMORY;
  }
  return CL_OUT_OF_RESOURCES;
}

}  // namespace weft
