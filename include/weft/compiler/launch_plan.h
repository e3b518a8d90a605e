// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "weft/abi/slicing.h"
#include "weft/compiler/compiler.h"
#include "weft/support/nd_range.h"

/// How the launches of a kernel run: the one place that decides it, for the library as for tests
/// and tools. Pure functions; compiler/launch.
namespace weft::compiler {

/// What is known of a launch that has a say in how it runs.
struct LaunchFacts {
  NDRange range;
  unsigned slots = 1;         ///< threads that may run it at the same time
  uint32_t subGroupSize = 1;  ///< the device's S
  bool exactIndices = false;  ///< hasExactIndices(), for VariantKey::exactIndices
  /// No two buffers that arguments point to overlap: VariantKey::separateBuffers. Means nothing
  /// where the kernel does not ask for it, by asksForSeparateBuffers().
  bool separateBuffers = false;
  ImageClasses images{};  ///< imageClassesOf(), for VariantKey::images
  ReductionElements reductions = ReductionElements::Shared;  ///< elementsToReduceInto()
};

/// What the user, a test or a tool has decided beforehand. Where that would be wrong for a kernel
/// or a range, what is right and nearest to it is chosen.
struct Overrides {
  std::optional<Form> form{};
  uint32_t width = 0;                      ///< 0: as the compiler likes
  std::optional<uint32_t> rowDimension{};  ///< VariantKey::rowDimension
  std::optional<bool> wholeRows{};         ///< code for whole rows where they are; never
  std::optional<bool> fixedSize{};  ///< code for one work-group size in all forms with groups; only
                                    ///< in those that need it
  bool provenLoops = false;         ///< barrier loops for groups of any size, or none
  bool divergent = false;           ///< VariantKey::divergent
  bool plainIndices = false;  ///< code for launches whose indices may wrap, whatever the facts say
  bool anyBuffers = false;    ///< code for launches whose buffers may overlap
  bool anyImages = false;     ///< code for images and samplers of all formats and modes
  bool sharedReductions = false;  ///< code for threads that reduce into the same memory
  /// Early returns before a barrier are errors, which the lanes of one fiber do not tell.
  bool strictBarriers = false;
};

/// Work-items of the range that one variant runs: [begin, end), offsets not included.
struct PlannedBox {
  std::array<uint64_t, 3> begin{};
  std::array<uint64_t, 3> end{};
  VariantKey key;
  abi::Slicing slicing;
};

/// How a launch runs: boxes that hold each work-item of the range once. All of them are one
/// command, with the ids and sizes of its whole range.
class LaunchPlan {
 public:
  static constexpr size_t kMostBoxes = 8;

  std::span<const PlannedBox> boxes() const noexcept { return {boxes_.data(), count_}; }
  /// Of the first box, which holds most of the range.
  const VariantKey& key() const noexcept { return boxes_[0].key; }
  /// Whether the boxes run the same variants.
  bool hasCodeOf(const LaunchPlan& other) const noexcept;
  /// Pre: less than kMostBoxes.
  void add(const PlannedBox& box) noexcept { boxes_[count_++] = box; }

 private:
  std::array<PlannedBox, kMostBoxes> boxes_{};
  size_t count_ = 0;
};

/// Whether no index of the kernel wraps in 32 bits that its fast code takes not to: decided by
/// KernelInfo::exactIndices for each launch anew, from its range and argument block.
bool hasExactIndices(const KernelInfo& kernel, const NDRange& range,
                     const void* arguments) noexcept;

/// Whether a kernel has several pointers to global memory: where its buffers do not overlap, it has
/// other code than where they do.
bool asksForSeparateBuffers(const KernelInfo& kernel) noexcept;

/// What the argument block of a launch gives the kernel's image arguments.
ImageClasses imageClassesOf(const KernelInfo& kernel, const void* arguments) noexcept;

/// What a kernel had better reduce into: elements of `bytes` altogether, in each of `slots` threads
/// where they have their own, for a launch of about so many instructions.
ReductionElements elementsToReduceInto(const KernelInfo& kernel, double instructions,
                                       uint64_t bytes, unsigned slots) noexcept;

/// Chooses by the facts in KernelInfo: a kernel that never meets a barrier needs no fibers, and one
/// that does not observe its group either needs no groups. Barriers that whole groups reach become
/// loops, unless a group would have to keep too much between them. The smaller groups at the edges
/// of a range may have other code than the rest.
/// Pre: the range is not empty.
LaunchPlan choose(const KernelInfo& kernel, const LaunchFacts& facts,
                  const Overrides& overrides = {}) noexcept;

/// What is right for every launch of the kernel, where what was chosen cannot be had.
Overrides plainest(const KernelInfo& kernel, const Overrides& overrides) noexcept;

/// The plans of one launch, from the one that choose() wants down to the plainest: each is for when
/// the code of those before it cannot be had. Barrier loops that are not proven go first, then code
/// for these images, for this work-group size, and at last lanes.
class PlanLadder {
 public:
  PlanLadder(const KernelInfo& kernel, const LaunchFacts& facts,
             const Overrides& overrides = {}) noexcept
      : kernel_(kernel),
        facts_(facts),
        overrides_(overrides),
        wanted_(choose(kernel, facts, overrides)) {}

  const LaunchPlan& wanted() const noexcept { return wanted_; }
  /// The next plan down with other code than the wanted one, whose code was refused for `refusal`.
  /// None at the end, nor where memory has run out.
  std::optional<LaunchPlan> next(ErrorKind refusal) noexcept;

 private:
  std::optional<Overrides> rung(unsigned number, ErrorKind refusal) const noexcept;

  const KernelInfo& kernel_;
  const LaunchFacts facts_;
  const Overrides overrides_;
  const LaunchPlan wanted_;
  unsigned next_ = 0;
};

/// Whether running `kernel` in `form`, in groups of this size, gives the right answers; or there is
/// no such code, as Program::variant() tells (ErrorKind::Unsuited).
bool isLegalForm(const KernelInfo& kernel, Form form,
                 const std::array<uint64_t, 3>& localSize) noexcept;

/// Why there can be no machine code of the kernel for `key`; empty when there can.
std::string objection(const KernelInfo& kernel, const VariantKey& key);

/// What is wrong with a plan for a range: boxes that do not make up the range, or that their code
/// cannot run. Empty for all that choose() gives.
std::string flawOf(const LaunchPlan& plan, const NDRange& range);

}  // namespace weft::compiler
