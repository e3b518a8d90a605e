// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace weft::fuzz {

/// Writes random kernels without data races and without undefined arithmetic:
///
///   kernel void k(global const int* in, global int* out, int a, int b)
///
/// for one-dimensional groups of `groupSize` work-items, a power of two. `in` holds a power of two
/// of ints, one for each work-item at least; `out` gets one hash for each work-item.
///
/// Work-items talk through local memory and barriers only. Barriers stand in control flow that is
/// uniform for the group by construction, though often not provably so; everything else may
/// diverge. The same seed gives the same text.
class Generator {
 public:
  Generator(uint64_t seed, unsigned groupSize) : random_(seed), groupSize_(groupSize) {}

  std::string kernel();

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool chance(unsigned percent) { return below(100) < percent; }

  std::string varying();  ///< name of a variable that may differ between work-items
  std::string uniform();  ///< name of a variable that is equal for the group
  std::string integer(int depth, bool uniformOnly);
  std::string floating(int depth);
  std::string condition(bool uniformOnly);

  void line(const std::string& text);
  void statements(int depth, bool mayWait, unsigned most);
  void statement(int depth, bool mayWait);
  void assign();
  void useArrays();
  void exchange();
  void publish();
  void branch(int depth, bool uniformOnly, bool mayWait);
  void loop(int depth, bool uniformOnly, bool mayWait);
  void choose(int depth, bool uniformOnly, bool mayWait);

  std::mt19937_64 random_;
  const unsigned groupSize_;
  std::string text_;
  int indent_ = 1;
  int loops_ = 0;  ///< names of loop counters are made from it
};

}  // namespace weft::fuzz
