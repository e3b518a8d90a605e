// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// What a pipe argument points to. The host makes it, the library's OpenCL C (builtins/pipe) works
/// on it.
namespace weft::abi {

/// A queue of packets in a ring of `capacity` places: this header, a word of state for each place,
/// and the packets, one after the other.
///
/// Place i is used in rounds, the first of which is 0. Its state in round r is 2r while it is
/// empty or being written, 2r + 1 while it is full or being read; whoever has claimed a place adds
/// 1 when he is done with it. So a pipe begins as zeros. Writers claim places at `tail` and readers
/// at `head`, each of which holds a round (high half) and a place (low half), and is moved over
/// places in the right state by one compare-and-swap.
struct Pipe {
  uint64_t head;
  uint64_t headLine[15];  ///< writers and readers touch different lines, and not each other's pairs
  uint64_t tail;
  uint64_t tailLine[15];
  uint32_t capacity;
  uint32_t packetBytes;
  uint64_t packets;  ///< where they begin, in bytes from here
  uint64_t reserved[14];
};
static_assert(offsetof(Pipe, head) == 0);
static_assert(offsetof(Pipe, tail) == 128);
static_assert(offsetof(Pipe, capacity) == 256);
static_assert(offsetof(Pipe, packetBytes) == 260);
static_assert(offsetof(Pipe, packets) == 264);
static_assert(sizeof(Pipe) == 384);

/// Places are counted in 31 bits: one claim names the sum of two.
inline constexpr uint32_t kMaxPipePackets = (uint32_t{1} << 31) - 1;
inline constexpr uint64_t kPipeAlignment = 128;

/// Where the packets of a pipe begin.
constexpr uint64_t pipePackets(uint64_t capacity) noexcept {
  const uint64_t states = sizeof(Pipe) + capacity * sizeof(uint32_t);
  return (states + kPipeAlignment - 1) / kPipeAlignment * kPipeAlignment;
}
/// Bytes of a whole pipe; does not wrap for what the two are limited to.
constexpr uint64_t pipeBytes(uint64_t capacity, uint64_t packetBytes) noexcept {
  return pipePackets(capacity) + capacity * packetBytes;
}

}  // namespace weft::abi
