// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sequentially consistent accesses whose threads name different scopes, each of which has both
// threads in it. By the letter of the specification scopes are inclusive when they are the same;
// here one that includes the other thread is as good as its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>
#include <tuple>

#include "litmus/runner.h"

namespace weft::test::litmus {

namespace {

constexpr Order kSc = Order::SequentiallyConsistent;
constexpr std::array<const char*, 4> kScopes{"sub_group", "work_group", "device",
                                             "all_svm_devices"};
enum Scope : unsigned { kSubGroup, kWorkGroup, kDevice, kAllDevices };

std::span<const Test> scopeTests() {
  using enum Step::Kind;
  static const std::vector<Test> all = {
      {"MessagePassing",
       {{{Store, Order::Relaxed, 'x', 1}, {Store, kSc, 'y', 1}},
        {{Load, kSc, 'y', 0, 0}, {Load, Order::Relaxed, 'x', 0, 1}}},
       [](const Outcome& o) { return o.r[0] == 1 && o.r[1] == 0; },
       {}},
      {"StoreBuffering",
       {{{Store, kSc, 'x', 1}, {Load, kSc, 'y', 0, 0}},
        {{Store, kSc, 'y', 1}, {Load, kSc, 'x', 0, 1}}},
       [](const Outcome& o) { return o.r[0] == 0 && o.r[1] == 0; },
       {}}};
  return all;
}

/// The controls are those of the same tests with one scope.
class ScopeLitmus : public testing::TestWithParam<std::tuple<Test, unsigned, unsigned>> {
 protected:
  /// In the arrangement, if both scopes have all its threads in them.
  void expectNone(Placement placement, unsigned narrowest) {
    const auto& [test, first, second] = GetParam();
    if (std::min(first, second) < narrowest) return;
    placement.scopes = {std::string("memory_scope_") + kScopes[first],
                        std::string("memory_scope_") + kScopes[second]};
    const Tally tally = run(test, false, placement, instancesOfEach() / 2, true);
    EXPECT_EQ(tally.forbidden, 0u) << "of " << tally.instances << " instances";
  }
};

TEST_P(ScopeLitmus, BothHaveBothThreads) {
  for (const Threads where : {Threads::SubGroupInLocal, Threads::SubGroupInGlobal})
    expectNone({where, 16}, kSubGroup);
  for (const Threads where : {Threads::GroupInLocal, Threads::GroupInGlobal})
    expectNone({where, 32}, kWorkGroup);
  expectNone({Threads::FlatRows, 16}, kDevice);
  expectNone({Threads::Groups, 16}, kDevice);
  if (std::thread::hardware_concurrency() > 1) expectNone({Threads::Devices}, kAllDevices);
  expectNone({Threads::HostAndDevice}, kAllDevices);
}

std::string nameOf(const testing::TestParamInfo<ScopeLitmus::ParamType>& info) {
  const auto& [test, first, second] = info.param;
  return std::string(test.name) + "_" + kScopes[first] + "_" + kScopes[second];
}

INSTANTIATE_TEST_SUITE_P(Pairs, ScopeLitmus,
                         testing::Combine(testing::ValuesIn(scopeTests().begin(),
                                                            scopeTests().end()),
                                          testing::Range(0u, 4u), testing::Range(0u, 4u)),
                         nameOf);

}  // namespace

}  // namespace weft::test::litmus
