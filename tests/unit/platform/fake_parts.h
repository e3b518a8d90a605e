// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "weft/compiler/compiler.h"
#include "weft/runtime/executor.h"

/// A compiler and an executor that do nothing but tell what became of them. Linked in the place
/// of the real ones.
namespace weft::test {

struct FakeParts {
  unsigned compilers = 0;
  unsigned executors = 0;
  compiler::CompilerOptions compilerOptions;
  runtime::ExecutorOptions executorOptions;
  std::vector<unsigned> setSlots;  ///< of the last createWorkerSet
  std::vector<unsigned> setCpus;
  std::vector<std::string> forkCalls;
};

FakeParts& fakeParts();

/// The one service of the fake executor.
inline constexpr const char* kFakeService = "weft_fake_service";

}  // namespace weft::test
