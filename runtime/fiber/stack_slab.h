// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>

#include "fiber/fiber.h"

namespace weft::runtime {

/// How stacks are kept from growing into each other.
enum class GuardKind : unsigned char {
  Light,      ///< guard markers in the page tables (Linux 6.13), no extra mapping
  Mapped,     ///< a page without access for each stack, which costs two mappings
  Unchecked,  ///< neither was to be had: only the slab as a whole has a guard below
};

/// Many equal stacks in one mapping, each with a guard page below it.
///
/// The tops are coloured: moved down by different amounts within a page, so that equal frames of
/// neighbours do not share cache sets. Memory is touched only as deep as the stacks are used.
/// Ownership: owns the mapping. Threads: one at a time.
class StackSlab {
 public:
  /// Maps `count` stacks of at least `usableBytes` each. Nothing when the system refuses.
  /// `preferred` names the first kind of guard to try; Unchecked is never chosen silently: it
  /// is used only when asked for.
  static std::optional<StackSlab> create(size_t count, size_t usableBytes,
                                         GuardKind preferred = GuardKind::Light) noexcept;
  /// Address space that create(count, usableBytes) takes; nothing when it overflows.
  static std::optional<size_t> mappedBytes(size_t count, size_t usableBytes) noexcept;

  /// Whether this system has light guards.
  static bool lightGuards() noexcept;

  StackSlab(StackSlab&& other) noexcept;
  StackSlab& operator=(StackSlab&& other) noexcept;
  ~StackSlab();

  size_t count() const noexcept { return count_; }
  GuardKind guardKind() const noexcept { return guards_; }
  size_t mappedBytes() const noexcept { return bytes_; }
  StackSpan stack(size_t index) const noexcept;
  /// Gives the touched pages back to the system. Pre: no fiber has frames on the stacks.
  void release() noexcept;

 private:
  StackSlab() = default;
  bool installGuards(GuardKind kind) noexcept;

  std::byte* base_ = nullptr;
  size_t bytes_ = 0;
  size_t stride_ = 0;
  size_t count_ = 0;
  GuardKind guards_ = GuardKind::Unchecked;
};

}  // namespace weft::runtime
