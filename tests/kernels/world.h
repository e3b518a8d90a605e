// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "harness.h"
#include "support/product.h"

namespace weft::test {

constexpr uint32_t kSubGroupSize = 16;

/// Compiler and executors of the whole test program, and the programs that have been built; made on
/// first use, ended with it. Threads: one.
class World {
 public:
  static World& instance();

  runtime::Executor& executor(unsigned workers);
  compiler::Compiler& compiler(Inlining inlining = Inlining::Usual);
  /// Pre: nothing has been built yet.
  void control(compiler::PassControl& passes) { passes_ = &passes; }

  /// As test::build().
  Program build(std::string_view source, std::string_view options, Inlining inlining);
  const BuildInput* inputOf(const Program& program);
  /// The same program as the public API builds it; null when it does not.
  product::Program* product(const Program& program);

 private:
  /// From source, or with WEFT_TEST_SPIRV in the environment from what other compilers make of it.
  compiler::Result<compiler::BuildOutput> buildFrom(std::string_view source,
                                                    std::string_view options, Inlining inlining);
  /// Between two tests: nothing but this has programs then.
  void dropPrograms();

  // Programs go first, then the compiler, then the executors whose services it calls.
  std::map<unsigned, std::unique_ptr<runtime::Executor>> executors_;
  std::array<std::unique_ptr<compiler::Compiler>, 2> compilers_;  ///< by Inlining
  compiler::PassControl* passes_ = nullptr;
  const testing::TestInfo* test_ = nullptr;  ///< the last that has built a program
  std::map<std::tuple<std::string, std::string, Inlining>, Program> programs_;
  std::map<const compiler::Program*, BuildInput> inputs_;
  std::map<const compiler::Program*, std::shared_ptr<product::Program>> products_;
};

}  // namespace weft::test
