// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/jit.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <array>
#include <cstring>
#include <fstream>
#include <numeric>

#include "pipeline/pipeline.h"

namespace weft::compiler {
namespace {

std::vector<uint32_t> barriersSeen;

void recordBarrier(abi::WorkItem*, uint32_t id) { barriersSeen.push_back(id); }

const abi::ServiceSymbol kServices[] = {
    {abi::kBarrierService, reinterpret_cast<void*>(&recordBarrier)},
    {"memcpy", reinterpret_cast<void*>(&std::memcpy)},
    {"memset", reinterpret_cast<void*>(&std::memset)},
};

// What the front end makes of
//   kernel void twice(global int* a, int n) { a[get_global_id(0)] = n * get_local_id(0); }
//   kernel void sync(global int* a) { helper(a); barrier(); }, helper noinline with a barrier
constexpr const char* kProgram = R"(
target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
define spir_kernel void @scale(ptr addrspace(1) %a, i32 %n) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l32 = trunc i64 %l to i32
  %v = mul i32 %l32, %n
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 %v, ptr addrspace(1) %p
  ret void
}
define spir_func void @helper(ptr addrspace(1) %a) noinline convergent {
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 7, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @sync(ptr addrspace(1) %a) convergent {
  call spir_func void @helper(ptr addrspace(1) %a)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  ret void
}
define spir_kernel void @order(ptr addrspace(1) %a) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %z = call spir_func i64 @_Z13get_global_idj(i32 2)
  %y10 = mul i64 %y, 10
  %z100 = mul i64 %z, 100
  %s1 = add i64 %x, %y10
  %s2 = add i64 %s1, %z100
  %n = load i64, ptr addrspace(1) %a
  %next = add i64 %n, 1
  store i64 %next, ptr addrspace(1) %a
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %next
  store volatile i64 %s2, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @stray(ptr addrspace(1) %a) {
  call void @getenv()
  ret void
}
declare void @getenv()
)";

/// A prepared program and a session to load its kernels into.
class JitTest : public testing::Test {
 protected:
  void SetUp() override {
    llvm::SMDiagnostic diagnostic;
    module_ = llvm::parseAssemblyString(kProgram, diagnostic, context_);
    ASSERT_TRUE(module_) << diagnostic.getMessage().str();
    PrepareOptions options;
    options.inlineBudget = 1;  // calls stay calls, with barriers in them too
    auto prepared = prepareProgram(*module_, options);
    ASSERT_TRUE(bool(prepared)) << llvm::toString(prepared.takeError());
    kernels_ = std::move(prepared->kernels);
    auto jit = Jit::create(kServices);
    ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
    jit_ = std::move(*jit);
    barriersSeen.clear();
  }

  llvm::Expected<Jit::Loaded> load(const std::string& name, VariantKey key, bool optimize = true) {
    for (const KernelInfo& kernel : kernels_) {
      if (kernel.name != name) continue;
      PrepareOptions options;
      options.optimize = optimize;
      auto object = compileVariant(*module_, kernel, key, options);
      if (!object) return object.takeError();
      return jit_->load(std::move(*object), variantSymbol(name, key));
    }
    return llvm::createStringError("no such kernel");
  }

  static abi::Group groupOf(const abi::Launch& launch, uint64_t items) {
    abi::Group group{};
    group.launch = &launch;
    for (int d = 0; d < 3; ++d) group.localSize[d] = group.boxEnd[d] = 1;
    group.localSize[0] = group.boxEnd[0] = items;
    return group;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<KernelInfo> kernels_;
  std::unique_ptr<Jit> jit_;
};

TEST_F(JitTest, GroupLoopRunsEveryWorkItem) {
  for (bool optimize : {true, false}) {
    auto loaded = load("scale", {Form::GroupLoop}, optimize);
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    std::vector<int> data(101, -1);
    struct alignas(abi::kArgumentAlignment) {
      int* a;
      int n;
    } block{data.data(), 3};
    abi::Launch launch{};
    launch.arguments = &block;
    abi::Group group = groupOf(launch, 100);
    group.globalBase[0] = 1;
    reinterpret_cast<abi::GroupEntry>(loaded->entry)(&group);
    EXPECT_EQ(data[0], -1);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(data[i + 1], 3 * i);
    EXPECT_GT(loaded->frameBytes, 0u);
    EXPECT_LT(loaded->frameBytes, 4096u);
    jit_->unload(loaded->handle);
  }
}

TEST_F(JitTest, LoopsVisitEveryIdOfABoxOnceInOrder) {
  for (Form form : {Form::Flat, Form::GroupLoop}) {
    for (bool optimize : {true, false}) {
      auto loaded = load("order", {form}, optimize);
      ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
      std::vector<int64_t> data(1 + 4 * 3 * 2, 0), expected{24};
      struct alignas(abi::kArgumentAlignment) {
        int64_t* a;
      } block{data.data()};
      abi::Launch launch{};
      launch.arguments = &block;
      abi::Group group{};
      group.launch = &launch;
      const std::array<uint64_t, 3> base{5, 1, 2}, size{4, 3, 2};
      for (int d = 0; d < 3; ++d) {
        group.globalBase[d] = base[d];
        group.localSize[d] = size[d];
        group.boxEnd[d] = base[d] + size[d];
      }
      for (int z = 2; z < 4; ++z)
        for (int y = 1; y < 4; ++y)
          for (int x = 5; x < 9; ++x) expected.push_back(100 * z + 10 * y + x);
      reinterpret_cast<abi::GroupEntry>(loaded->entry)(&group);
      EXPECT_EQ(data, expected);
      if (form != Form::Flat) continue;
      // An empty box runs nothing.
      group.boxEnd[1] = base[1];
      data[0] = 0;
      reinterpret_cast<abi::GroupEntry>(loaded->entry)(&group);
      EXPECT_EQ(data[0], 0);
    }
  }
}

TEST_F(JitTest, KnownLocalSizeGivesTheSameAnswer) {
  auto loaded = load("scale", {Form::GroupLoop, 1, 0, {64, 1, 1}});
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  std::vector<int> data(64, -1), expected(64);
  for (int i = 0; i < 64; ++i) expected[i] = 2 * i;
  struct alignas(abi::kArgumentAlignment) {
    int* a;
    int n;
  } block{data.data(), 2};
  abi::Launch launch{};
  launch.arguments = &block;
  abi::Group group = groupOf(launch, 64);
  reinterpret_cast<abi::GroupEntry>(loaded->entry)(&group);
  EXPECT_EQ(data, expected);
}

TEST_F(JitTest, BarriersOutOfLineReachTheServiceWithTheirIds) {
  auto loaded = load("sync", {Form::Fibers});
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  std::vector<int> data(4, 0);
  struct alignas(abi::kArgumentAlignment) {
    int* a;
  } block{data.data()};
  abi::Launch launch{};
  launch.arguments = &block;
  abi::Group group = groupOf(launch, 4);
  abi::WorkItem item{};
  item.group = &group;
  item.globalId[0] = 2;
  reinterpret_cast<abi::ItemEntry>(loaded->entry)(&item);
  EXPECT_EQ(data, (std::vector<int>{0, 0, 7, 0}));
  ASSERT_EQ(barriersSeen.size(), 2u);
  EXPECT_NE(barriersSeen[0], barriersSeen[1]);
  // Two frames and the margin of the service.
  EXPECT_GT(loaded->frameBytes, 8192u);
}

TEST_F(JitTest, FunctionsOfTheProcessAreOutOfReach) {
  auto loaded = load("stray", {Form::Flat});
  ASSERT_FALSE(bool(loaded));
  std::string text = llvm::toString(loaded.takeError());
  EXPECT_NE(text.find("getenv"), std::string::npos) << text;
  // The session still works.
  auto next = load("scale", {Form::GroupLoop});
  EXPECT_TRUE(bool(next)) << llvm::toString(next.takeError());
}

TEST_F(JitTest, FormsThatAreNotLegalAreRefused) {
  for (VariantKey key : {VariantKey{Form::Flat}, VariantKey{Form::GroupLoop},
                         VariantKey{Form::BarrierLoops}, VariantKey{Form::Fibers, 12}}) {
    auto loaded = load("sync", key);
    ASSERT_FALSE(bool(loaded));
    EXPECT_NE(llvm::toString(loaded.takeError()).find("kernel 'sync'"), std::string::npos);
  }
}

TEST_F(JitTest, ObjectsTellHowManyWorkItemsAFiberRuns) {
  for (const uint32_t width : {1u, 8u, 16u}) {
    auto loaded = load("scale", {Form::Fibers, width});
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    EXPECT_EQ(loaded->width, width);
  }
  // A barrier out of line is one work-item's.
  auto loaded = load("sync", {Form::Fibers, 8});
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  EXPECT_EQ(loaded->width, 1u);
}

TEST_F(JitTest, GarbageIsAnError) {
  for (size_t size : {0, 3, 64, 4096}) {
    std::string bytes(size, '\x7f');
    auto loaded = jit_->load(llvm::MemoryBuffer::getMemBufferCopy(bytes), "k");
    ASSERT_FALSE(bool(loaded));
    llvm::consumeError(loaded.takeError());
  }
}

TEST_F(JitTest, NoMemoryIsWritableAndExecutable) {
  auto loaded = load("scale", {Form::GroupLoop});
  ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
  std::ifstream maps("/proc/self/maps");
  std::string line;
  bool found = false;
  auto entry = reinterpret_cast<uintptr_t>(loaded->entry);
  while (std::getline(maps, line)) {
    uintptr_t begin = 0, end = 0;
    char rights[5] = {};
    ASSERT_EQ(std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, rights), 3);
    EXPECT_FALSE(rights[1] == 'w' && rights[2] == 'x') << line;
    if (entry < begin || entry >= end) continue;
    found = true;
    EXPECT_STREQ(rights, "r-xp") << line;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace weft::compiler
