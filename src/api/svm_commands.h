// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"

/// Commands that clEnqueueSVM... and the enqueue functions of cl_intel_unified_shared_memory share.
namespace weft::api {

/// What every such function is given besides its own arguments.
struct CommandArguments {
  cl_command_queue queue;
  cl_command_type type;
  cl_bool blocking;
  cl_uint waitCount;
  const cl_event* waitList;
  cl_event* event;
};

Result<void> enqueueMemcpy(const CommandArguments& arguments, void* target, const void* source,
                           size_t size);
Result<void> enqueueMemFill(const CommandArguments& arguments, void* target, const void* pattern,
                            size_t patternSize, size_t size);
/// A command that moves no bytes, after its own rule has been checked with the result `checked`.
Result<void> enqueueNoBytes(const CommandArguments& arguments, const Result<void>& checked);

}  // namespace weft::api
