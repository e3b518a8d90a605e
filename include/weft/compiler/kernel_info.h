// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/compiler/launch_condition.h"
#include "weft/compiler/work_formula.h"

namespace weft::compiler {

enum class ArgumentKind : uint8_t {
  Value,            ///< scalar, vector or by-value struct
  GlobalPointer,    ///< 8 bytes in the block
  ConstantPointer,  ///< 8 bytes in the block
  LocalPointer,     ///< block holds the byte offset in the group's local memory, 8 bytes
  Image,
  Sampler,
  Pipe,
  Queue,
};

/// The type of an image argument.
enum class ImageType : uint8_t {
  None,  ///< no image
  Image1D,
  Image1DBuffer,
  Image1DArray,
  Image2D,
  Image2DDepth,
  Image2DArray,
  Image2DArrayDepth,
  Image3D,
};

/// In which order the flat form best runs several rows of work-items along
/// KernelInfo::rowDimension. A guess.
enum class RowOrder : uint8_t {
  Rows,     ///< one row after the other: memory is read ahead best that way
  Tiles,    ///< some columns of all rows at a time, which use the same places, or the same lines
  Columns,  ///< few columns at a time where the places that a row touches collide in the cache
};

enum class AddressQualifier : uint8_t { Private, Global, Constant, Local };
enum class AccessQualifier : uint8_t { None, ReadOnly, WriteOnly, ReadWrite };

/// One kernel argument. Names and type names are empty unless the program was built
/// with -cl-kernel-arg-info.
struct ArgumentInfo {
  ArgumentKind kind = ArgumentKind::Value;
  uint32_t offset = 0;     ///< bytes into the argument block
  uint32_t size = 0;       ///< bytes that clSetKernelArg must be given; 0 for LocalPointer
  uint32_t alignment = 1;  ///< for LocalPointer: alignment of the pointee
  AddressQualifier address = AddressQualifier::Private;
  AccessQualifier access = AccessQualifier::None;
  ImageType image = ImageType::None;
  bool isConst = false;
  bool isRestrict = false;
  bool isVolatile = false;
  std::string name;
  std::string typeName;

  friend bool operator==(const ArgumentInfo&, const ArgumentInfo&) = default;
};

/// Images and samplers of a kernel that its code is specialised on: more are left general.
inline constexpr size_t kMostImageArguments = 16;

/// What code may know of these, in the order of KernelInfo::imageArguments: of an image
/// abi::Image::format, of a sampler its number and 1. 0: nothing.
using ImageClasses = std::array<uint16_t, kMostImageArguments>;

/// How memory is reduced into by atomic operations whose results nobody uses.
enum class ReductionOperation : uint8_t { Add, And, Or, Xor, Min, Max, UMin, UMax };

/// A pointer to global memory that work-items do nothing with but reduce into what it points to,
/// in relaxed order: counters, sums and extremes. The order of such operations does not show, so
/// each thread may begin with neutral elements of its own and reduce those into the memory at last.
struct Reduction {
  uint32_t argument = 0;  ///< index; its kind is GlobalPointer
  ReductionOperation operation = ReductionOperation::Add;
  uint32_t bytes = 4;  ///< of an element: 4 or 8

  friend bool operator==(const Reduction&, const Reduction&) = default;
};

/// Whether an element changes a few times only, in however many updates with numbers in no order:
/// it has no more bits to set or to clear, or one number after the other is the largest so far.
constexpr bool settles(ReductionOperation operation) {
  return operation != ReductionOperation::Add && operation != ReductionOperation::Xor;
}

/// Reductions of a kernel that are kept: one with more has none.
inline constexpr size_t kMostReductions = 8;

/// Where a barrier stands in the source; indexed by barrier id.
struct BarrierSite {
  std::string file;
  uint32_t line = 0;  ///< 0 when not known

  friend bool operator==(const BarrierSite&, const BarrierSite&) = default;
};

/// What the host needs to know of a kernel. The same in every execution form.
struct KernelInfo {
  std::string name;
  std::string attributes;  ///< CL_KERNEL_ATTRIBUTES, e.g. "reqd_work_group_size(8,8,1)"
  std::vector<ArgumentInfo> arguments;
  /// Indices of the images and samplers among them that decide on its code, by their formats and
  /// modes. At most kMostImageArguments.
  std::vector<uint32_t> imageArguments;
  /// Of the arguments that are only reduced into. At most kMostReductions.
  std::vector<Reduction> reductions;
  bool hasArgumentNames = false;                ///< built with -cl-kernel-arg-info
  uint32_t argumentBytes = 0;                   ///< size of the argument block
  std::array<uint32_t, 3> reqdWorkGroupSize{};  ///< zeros when not required
  std::array<uint32_t, 3> workGroupSizeHint{};
  bool raggedGroups = false;        ///< its language lets groups at the ends of a range be smaller
  uint32_t subGroupSize = 0;        ///< S required by the kernel's attributes; 0: the device's
  uint32_t reqdSubGroups = 0;       ///< sub-groups that a work-group must have; 0: any number
  uint64_t staticLocalBytes = 0;    ///< local memory of __local variables, callees included
  uint64_t privateBytes = 0;        ///< estimate per work-item
  bool usesBarrier = false;         ///< reaches a barrier or a work-group collective
  bool barrierLoops = false;        ///< its barriers are reached by whole groups, provably
  bool barrierLoopsInRows = false;  ///< the same where a group is one row: local size (n, 1, 1)
  /// The same may turn out of groups of one size or the other, or work-items can be asked whether
  /// they agree; machine code is made to find out.
  bool barrierLoopsOnTrial = false;
  /// It has no barriers, but loops in which rows of work-items read the same: barrier loops run
  /// them for whole groups, an iteration after the other, which is provably right.
  bool lockstepLoops = false;
  uint64_t contextBytes = 0;   ///< estimate of what barrier loops keep for each work-item
  bool observesGroup = false;  ///< uses local ids, group ids, sizes or local memory
  uint32_t rowDimension = 0;   ///< along which neighbours read and write neighbours; a guess
  RowOrder rowOrder = RowOrder::Rows;
  /// Work-items in the longest rows of groups that pay to be run several at once, since loops read
  /// the same in all of them; 0 where they do not. A guess.
  uint32_t sharedRow = 0;
  /// Work-items and groups that follow each other write far apart, and what lies between is written
  /// by later ones, as in a transpose: threads side by side write to the same cache lines. A guess.
  bool writesAcross = false;
  bool usesSubGroups = false;     ///< observes the size or ids of sub-groups, or meets in them
  bool meetsInSubGroups = false;  ///< reaches an operation of a whole sub-group
  bool subGroupLoops = false;     ///< such operations can be done in lanes, without fibers
  bool usesPrintf = false;
  bool usesProgramScope = false;
  bool enqueues = false;        ///< calls functions of device-side enqueue
  bool denormsAreZero = false;  ///< built with -cl-denorms-are-zero
  bool relaxedMath = false;     ///< its arithmetic may be reordered, fused or estimated
  std::vector<BarrierSite> barriers;
  WorkFormula work;
  LaunchCondition exactIndices;  ///< when VariantKey::exactIndices may be asked for

  friend bool operator==(const KernelInfo&, const KernelInfo&) = default;
};

}  // namespace weft::compiler
