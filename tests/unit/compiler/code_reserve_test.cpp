// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/code_reserve.h"

#include <vector>

#include "compiler_fixture.h"

namespace weft::compiler::testing {
namespace {

/// A session that only tells what has been unloaded.
class FakeJit final : public Jit {
 public:
  llvm::Expected<Loaded> load(std::unique_ptr<llvm::MemoryBuffer>, const std::string&) override {
    return Loaded{};
  }
  void unload(uint64_t handle) override { unloaded.push_back(handle); }

  std::vector<uint64_t> unloaded;
};

LoadedCode codeIn(const std::shared_ptr<FakeJit>& jit, uint64_t handle, size_t bytes) {
  LoadedCode code;
  code.jit = jit;
  code.loaded.handle = handle;
  code.bytes = bytes;
  return code;
}

const auto handleOf = [](const std::optional<LoadedCode>& code) {
  return code ? code->loaded.handle : 0;
};

TEST(CodeReserve, GivesWhatItHasOnce) {
  const auto jit = std::make_shared<FakeJit>();
  CodeReserve reserve(100);
  reserve.put(Digest::of("a"), codeIn(jit, 1, 10));
  reserve.put(Digest::of("b"), codeIn(jit, 2, 10));
  EXPECT_EQ(handleOf(reserve.take(Digest::of("c"))), 0u);
  EXPECT_EQ(handleOf(reserve.take(Digest::of("a"))), 1u);
  EXPECT_EQ(handleOf(reserve.take(Digest::of("a"))), 0u);
  EXPECT_TRUE(jit->unloaded.empty());
  reserve.clear();
  EXPECT_EQ(jit->unloaded, std::vector<uint64_t>{2});
}

TEST(CodeReserve, UnloadsTheOldestWhereThereIsNoRoom) {
  const auto jit = std::make_shared<FakeJit>();
  CodeReserve reserve(100);
  reserve.put(Digest::of("a"), codeIn(jit, 1, 40));
  reserve.put(Digest::of("b"), codeIn(jit, 2, 40));
  reserve.put(Digest::of("c"), codeIn(jit, 3, 40));
  EXPECT_EQ(jit->unloaded, std::vector<uint64_t>{1});
  // What has been taken leaves room.
  EXPECT_EQ(handleOf(reserve.take(Digest::of("b"))), 2u);
  reserve.put(Digest::of("d"), codeIn(jit, 4, 60));
  EXPECT_EQ(jit->unloaded, std::vector<uint64_t>{1});
  // What there is never room for goes at once.
  reserve.put(Digest::of("e"), codeIn(jit, 5, 101));
  EXPECT_EQ(jit->unloaded, (std::vector<uint64_t>{1, 3, 4, 5}));
}

TEST(CodeReserve, TouchesNothingOfASessionThatHasFailed) {
  const auto jit = std::make_shared<FakeJit>();
  {
    CodeReserve reserve(100);
    reserve.put(Digest::of("a"), codeIn(jit, 1, 40));
    reserve.abandon();
    EXPECT_EQ(handleOf(reserve.take(Digest::of("a"))), 0u);
  }
  EXPECT_TRUE(jit->unloaded.empty());
  EXPECT_EQ(jit.use_count(), 1);
}

/// A compiler with a disk cache, and code of it.
class RebuiltProgram : public ::testing::Test {
 protected:
  RebuiltProgram() {
    CompilerOptions options = deviceOptions();
    options.cacheEnabled = true;
    options.cacheDirectory = cache_.path();
    compiler_ = createCompiler(options);
  }
  Ref<Program> build() {
    return programOf(compiler_->build("kernel void k(global int* p) { p[1] = *p + 7; }", ""));
  }
  static abi::GroupEntry entryOf(Program& program) {
    const auto variant = program.variant(0, {.form = Form::Flat});
    return variant ? (*variant)->groupEntry : nullptr;
  }

  PrivateDirectory cache_;
  std::unique_ptr<Compiler> compiler_;
};

TEST_F(RebuiltProgram, HasTheCodeOfTheOneBefore) {
  Ref<Program> first = build();
  const abi::GroupEntry entry = entryOf(*first);
  ASSERT_NE(entry, nullptr);
  first = Ref<Program>();
  const Ref<Program> second = build();
  // Something else in the same place would be a chance, so others are loaded first.
  const Ref<Program> other =
      programOf(compiler_->build("kernel void k(global int* p) { p[1] = *p + 8; }", ""));
  EXPECT_NE(entryOf(*other), entry);
  EXPECT_EQ(entryOf(*second), entry);
}

TEST_F(RebuiltProgram, HasCodeOfItsOwnBesideTheFirst) {
  const Ref<Program> first = build();
  const Ref<Program> second = build();
  const abi::GroupEntry entry = entryOf(*first);
  ASSERT_NE(entry, nullptr);
  EXPECT_NE(entryOf(*second), entry);
}

TEST_F(RebuiltProgram, LeavesNothingBehindThatUnloadingDoesNotFree) {
  Ref<Program> first = build();
  ASSERT_NE(entryOf(*first), nullptr);
  first = Ref<Program>();
  compiler_->unload();
  const Ref<Program> second = build();
  EXPECT_NE(entryOf(*second), nullptr);
}

}  // namespace
}  // namespace weft::compiler::testing
