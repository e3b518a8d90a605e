// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "litmus/litmus.h"

namespace weft::test::litmus {

namespace {

constexpr Order kRlx = Order::Relaxed, kAcq = Order::Acquire, kRel = Order::Release,
                kAcqRel = Order::AcquireRelease, kSc = Order::SequentiallyConsistent;

Step store(char place, int value, Order order) { return {Step::Kind::Store, order, place, value}; }
Step load(int result, char place, Order order) {
  return {Step::Kind::Load, order, place, 0, result};
}
Step exchange(int result, char place, int value, Order order) {
  return {Step::Kind::Exchange, order, place, value, result};
}
Step maximum(int result, char place, int value) {
  return {Step::Kind::Maximum, kRlx, place, value, result};
}
Step fence(Order order) { return {Step::Kind::Fence, order}; }
Step plainStore(char place, int value) { return {Step::Kind::PlainStore, kRlx, place, value}; }
Step plainLoadIf(int guard, int result, char place) {
  return {Step::Kind::PlainLoad, kRlx, place, 0, result, guard};
}

std::vector<Test> messagePassing() {
  const auto lost = [](const Outcome& o) { return o.r[0] == 1 && o.r[1] == 0; };
  const std::vector<std::vector<Step>> swapped = {{store('y', 1, kRlx), store('x', 1, kRlx)},
                                                  {load(0, 'y', kAcq), load(1, 'x', kRlx)}};
  return {
      {"MessagePassing",
       {{store('x', 1, kRlx), store('y', 1, kRel)}, {load(0, 'y', kAcq), load(1, 'x', kRlx)}},
       lost,
       swapped},
      {"MessagePassingOfPlainData",
       {{plainStore('x', 1), store('y', 1, kRel)}, {load(0, 'y', kAcq), plainLoadIf(0, 1, 'x')}},
       [](const Outcome& o) { return o.r[0] == 1 && o.r[1] != 1; },
       {{store('y', 1, kRel), plainStore('x', 1)}, {load(0, 'y', kAcq), plainLoadIf(0, 1, 'x')}}},
      {"MessagePassingByFences",
       {{store('x', 1, kRlx), fence(kRel), store('y', 1, kRlx)},
        {load(0, 'y', kRlx), fence(kAcq), load(1, 'x', kRlx)}},
       lost,
       swapped},
      {"MessagePassingByExchange",
       {{store('x', 1, kRlx), exchange(2, 'y', 1, kAcqRel)},
        {exchange(0, 'y', 2, kAcqRel), load(1, 'x', kRlx)}},
       lost,
       {{exchange(2, 'y', 1, kAcqRel), store('x', 1, kRlx)},
        {exchange(0, 'y', 2, kAcqRel), load(1, 'x', kRlx)}}},
      // A maximum that leaves the place as it was still tells the next one what came before.
      {"MessagePassingByMaximum",
       {{store('x', 1, kRlx), fence(kRel), maximum(0, 'y', 0)},
        {maximum(1, 'y', 1), fence(kAcq), load(2, 'x', kRlx)}},
       [](const Outcome& o) { return o.r[0] == 0 && o.r[2] == 0; },
       {{maximum(0, 'y', 0), store('x', 1, kRlx)},
        {maximum(1, 'y', 1), fence(kAcq), load(2, 'x', kRlx)}}},
      // What another thread's exchange reads of a release goes on to whoever reads that exchange.
      {"ReleaseSequence",
       {{store('x', 1, kRlx), store('y', 1, kRel)},
        {exchange(2, 'y', 2, kRlx)},
        {load(0, 'y', kAcq), load(1, 'x', kRlx)}},
       [](const Outcome& o) { return o.r[2] == 1 && o.r[0] == 2 && o.r[1] == 0; },
       {{store('y', 1, kRel), store('x', 1, kRlx)},
        {exchange(2, 'y', 2, kRlx)},
        {load(0, 'y', kAcq), load(1, 'x', kRlx)}}},
  };
}

std::vector<Test> buffering() {
  const auto bothOld = [](const Outcome& o) { return o.r[0] == 0 && o.r[1] == 0; };
  const std::vector<std::vector<Step>> buffered = {{store('x', 1, kRel), load(0, 'y', kAcq)},
                                                   {store('y', 1, kRel), load(1, 'x', kAcq)}};
  return {
      {"StoreBuffering",
       {{store('x', 1, kSc), load(0, 'y', kSc)}, {store('y', 1, kSc), load(1, 'x', kSc)}},
       bothOld,
       buffered},
      {"StoreBufferingWithFences",
       {{store('x', 1, kRlx), fence(kSc), load(0, 'y', kRlx)},
        {store('y', 1, kRlx), fence(kSc), load(1, 'x', kRlx)}},
       bothOld,
       buffered},
      {"StoreBufferingByExchange",
       {{exchange(2, 'x', 1, kSc), load(0, 'y', kSc)},
        {exchange(3, 'y', 1, kSc), load(1, 'x', kSc)}},
       bothOld,
       buffered},
      {"LoadBuffering",
       {{load(0, 'x', kAcq), store('y', 1, kRel)}, {load(1, 'y', kAcq), store('x', 1, kRel)}},
       [](const Outcome& o) { return o.r[0] == 1 && o.r[1] == 1; },
       {{store('y', 1, kRel), load(0, 'x', kAcq)}, {load(1, 'y', kAcq), store('x', 1, kRel)}}},
      {"StoresThenRead",  // known as R
       {{store('x', 1, kSc), store('y', 1, kSc)}, {store('y', 2, kSc), load(0, 'x', kSc)}},
       [](const Outcome& o) { return o.y == 2 && o.r[0] == 0; },
       {{store('x', 1, kRel), store('y', 1, kRel)}, {store('y', 2, kRel), load(0, 'x', kAcq)}}},
      {"TwoAndTwoWrites",
       {{store('x', 1, kSc), store('y', 2, kSc)}, {store('y', 1, kSc), store('x', 2, kSc)}},
       [](const Outcome& o) { return o.x == 1 && o.y == 1; },
       {{store('y', 2, kSc), store('x', 1, kSc)}, {store('y', 1, kSc), store('x', 2, kSc)}}},
  };
}

std::vector<Test> coherence() {
  return {
      {"CoherenceOfReads",
       {{store('x', 1, kRlx)}, {load(0, 'x', kRlx), load(1, 'x', kRlx)}},
       [](const Outcome& o) { return o.r[0] == 1 && o.r[1] == 0; },
       {{store('x', 1, kRlx)}, {load(1, 'x', kRlx), load(0, 'x', kRlx)}}},
      {"CoherenceOfWrites",
       {{store('x', 1, kRlx), store('x', 2, kRlx)}, {load(0, 'x', kRlx), load(1, 'x', kRlx)}},
       [](const Outcome& o) { return o.x != 2 || (o.r[0] == 2 && o.r[1] == 1); },
       {{store('x', 2, kRlx), store('x', 1, kRlx)}, {load(0, 'x', kRlx), load(1, 'x', kRlx)}}},
      {"CoherenceOfReadAndWrite",
       {{load(0, 'x', kRlx), store('x', 1, kRlx)}, {store('x', 2, kRlx)}},
       [](const Outcome& o) { return o.r[0] == 1 || (o.r[0] == 2 && o.x == 2); },
       {{store('x', 1, kRlx), load(0, 'x', kRlx)}, {store('x', 2, kRlx)}}},
      {"ExchangesAreAtomic",
       {{exchange(0, 'x', 1, kRlx)}, {exchange(1, 'x', 2, kRlx)}},
       [](const Outcome& o) { return (o.r[0] == 0) == (o.r[1] == 0); },
       {{load(0, 'x', kRlx), store('x', 1, kRlx)}, {load(1, 'x', kRlx), store('x', 2, kRlx)}}},
  };
}

std::vector<Test> independentReads() {
  const auto disagree = [](const Outcome& o) {
    return o.r[0] == 1 && o.r[1] == 0 && o.r[2] == 1 && o.r[3] == 0;
  };
  return {{"IndependentReads",
           {{store('x', 1, kSc)},
            {store('y', 1, kSc)},
            {load(0, 'x', kSc), load(1, 'y', kSc)},
            {load(2, 'y', kSc), load(3, 'x', kSc)}},
           disagree,
           {{store('x', 1, kSc)},
            {store('y', 1, kSc)},
            {load(1, 'y', kSc), load(0, 'x', kSc)},
            {load(3, 'x', kSc), load(2, 'y', kSc)}}}};
}

}  // namespace

std::span<const Test> tests() {
  static const std::vector<Test> all = [] {
    std::vector<Test> made;
    for (auto family : {messagePassing(), buffering(), coherence(), independentReads()})
      made.insert(made.end(), family.begin(), family.end());
    return made;
  }();
  return all;
}

}  // namespace weft::test::litmus
