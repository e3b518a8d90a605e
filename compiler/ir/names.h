// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include <optional>

/// Names and marks by which passes recognise things in the IR.
namespace weft::compiler::names {

/// Function attribute of kernels, set by retarget in place of the spir_kernel convention.
inline constexpr const char* kKernelAttribute = "weft-kernel";
/// Function attribute of the builtins library's functions, set by the front end's linker.
inline constexpr const char* kLibraryAttribute = "weft-library";
/// Function attribute of a kernel that initialises variables at program scope, set by retarget:
/// its place in the order of those.
inline constexpr const char* kConstructorAttribute = "weft-constructor";
/// Function attribute of a kernel that stands for a block, set by lower-blocks: its index.
inline constexpr const char* kBlockAttribute = "weft-block";
/// Function attribute of kernels whose groups may be smaller at the ends of a range, set by
/// retarget.
inline constexpr const char* kRaggedAttribute = "weft-ragged";
/// Function attribute of kernels that come from an intermediate language.
inline constexpr const char* kIlAttribute = "weft-il";
/// Appended to the name of every function that is not a kernel, so that a helper the user
/// called `memcpy` is not taken for the C library's by the optimiser or the code generator.
inline constexpr const char* kFunctionSuffix = ".fn";
/// Function attribute: parameter 0 is the hidden `WorkItem*`.
inline constexpr const char* kWorkItemAttribute = "weft-work-item";

/// Function attribute of the library's functions that become estimate instructions of the host, set
/// by mark-estimates: their kind.
inline constexpr const char* kEstimateAttribute = "weft-estimate";

/// Function attribute of functions of the library that a kernel calls in so many places that they
/// stay out of line, set by inline-budget: lines of arithmetic, which lanes call together.
inline constexpr const char* kSharedAttribute = "weft-shared";

/// Function attribute of an entry that runs whole work-groups, set by form-kernel: local memory is
/// nobody's any more when it returns.
inline constexpr const char* kWholeGroupsAttribute = "weft-whole-groups";

/// The library's barrier, and what number-barriers makes of it: (flags, scope, id).
inline constexpr const char* kBarrier = "__weft_barrier";
inline constexpr const char* kNumberedBarrier = "__weft_numbered_barrier";
/// The same of functions for which a group meets, `<prefix>reduce_<bits>` and
/// `<prefix>scan_<bits>`: (x, combine, linear id), and with the id of the barrier that they are
/// behind it.
inline constexpr const char* kCollectivePrefix = "__weft_collective_";
inline constexpr const char* kNumberedCollectivePrefix = "__weft_numbered_collective_";
/// What lower-sync makes of them, until form-kernel: (item, id, combine, linear id, x).
inline constexpr const char* kLoweredCollectivePrefix = "weft_collective_";
inline constexpr const char* kFence = "__weft_fence";
inline constexpr const char* kAtomicPrefix = "__weft_atomic_";
/// The library's operations of sub-groups (ir/sub_groups.h), and what tells a work-item from the
/// others of its sub-group, and its sub-group from others, by its place in the group: i32 (i64).
inline constexpr const char* kSubGroupPrefix = "__weft_sub_group_";
inline constexpr const char* kSubGroupLane = "weft.sub_group.lane";
inline constexpr const char* kSubGroupNumber = "weft.sub_group.number";
/// The library's functions that read and write images of any format: parameter 0 is the image, or
/// they are for others of them. They are out of line until specialize-images knows the format.
inline constexpr const char* kImagePrefix = "weft_image_";
inline constexpr const char* kPrintf = "printf";
inline constexpr const char* kSegment = "__weft_segment";
/// What services are given to know who calls: the address of the abi::Group.
inline constexpr const char* kGroupAddress = "__weft_group";

/// Named metadata: one !{!"file", i32 line} for each barrier id.
inline constexpr const char* kBarrierSites = "weft.barriers";
/// Metadata of a kernel: !{i32, i32, ...}, the five fields of an ArgumentNote for each argument,
/// set by the front end: kind, alignment, type of image, access, and qualifiers (1 const, 2
/// restrict, 4 volatile).
inline constexpr const char* kArgumentNotes = "weft.arguments";
/// Metadata of a kernel: !{i32} sub-groups that a work-group must have, set by the front end.
inline constexpr const char* kReqdSubGroups = "weft.reqd_sub_groups";
/// Metadata of a kernel: !{i64} bytes of static local memory, set by lay-out-local.
inline constexpr const char* kStaticLocalBytes = "weft.static_local_bytes";
/// Metadata of a `__local` variable: !{i64} its offset, set by lay-out-local.
inline constexpr const char* kLocalOffset = "weft.local_offset";
/// Metadata of a variable at program scope: !{i64} its offset, set by lay-out-program-scope.
inline constexpr const char* kProgramOffset = "weft.program_offset";
/// Metadata of a load of the local size: !{i32 dimension}.
inline constexpr const char* kLocalSizeLoad = "weft.local_size";
/// Metadata of a load of the size of sub-groups: !{}.
inline constexpr const char* kSubGroupSizeLoad = "weft.sub_group_size";

/// Metadata of a load from the work-item: !{}.
inline constexpr const char* kItemLoad = "weft.item";

/// Metadata of the variable that holds the work-item in the loop forms: !{}.
inline constexpr const char* kItemVariable = "weft.work_item";

/// Loop metadata of a loop that all work-items of a group had better go through together, and how
/// many iterations at a time. Set by mark-lockstep.
inline constexpr const char* kLockstepLoop = "weft.lockstep";

/// Metadata of an instruction of an index that does not wrap where KernelInfo::exactIndices holds,
/// set by markExactIndices: !{}.
inline constexpr const char* kExact = "weft.exact";
/// Metadata of an instruction whose number is kRoom away at least from where 32 bits end, in all
/// work-items that compute it, where KernelInfo::exactIndices holds: !{}. Set by markExactIndices,
/// as far as launches are such taken away by assume-exact, and said for vectorize-items: a lane
/// that is idle does not wrap there either, as long as its number is less than half as far from
/// that of a lane that is not.
inline constexpr const char* kHasRoom = "weft.has_room";
inline constexpr int64_t kRoom = int64_t{1} << 27;

/// Metadata of a load of some elements of a row that an inner loop goes along without gaps, set by
/// block-row-loads: !{}.
inline constexpr const char* kRowBlock = "weft.row_block";

/// Metadata of an atomic update that is likely to change nothing, set by privatize-reductions: !{}.
inline constexpr const char* kSettledUpdate = "weft.settled";

/// Metadata of a load of an image at coordinates that are floats.
inline constexpr const char* kPixel = "weft.pixel";

/// Loop metadata of a loop over work-items, of one over rows of them, and metadata of a variable
/// with a cell for each work-item.
inline constexpr const char* kItemLoop = "weft.items";
inline constexpr const char* kRowLoop = "weft.rows";
/// Loop metadata of a loop over blocks of rows in one over work-items, which counts as straight
/// code. Set by tile-items.
inline constexpr const char* kBlockLoop = "weft.row_blocks";
inline constexpr const char* kCells = "weft.cells";
/// Metadata of the id of the first work-item that a loop over them begins at, where that is not the
/// first of its box: below 2^31, and so are its sums with the loop's index: !{}.
inline constexpr const char* kFirstId = "weft.first_id";
/// Loop metadata of the loop over the work-items that one fiber runs.
inline constexpr const char* kLaneGroup = "weft.lane_group";
/// Placeholder for its largest trip count, an i64, until vectorize-items knows the width.
inline constexpr const char* kLaneCount = "weft.lane_count";
/// Function attribute of the entry of a fiber for lane groups: their size, set by vectorize-items.
inline constexpr const char* kLanesAttribute = "weft-lanes";
/// Function attribute of an entry whose lane groups are sub-groups, set by form-kernel.
inline constexpr const char* kSubGroupLanesAttribute = "weft-sub-group-lanes";
/// The same, where lanes cannot be had after all: why not, set by vectorize-items.
inline constexpr const char* kNoSubGroupLanesAttribute = "weft-no-sub-group-lanes";
/// Their size in object files: the entry has a second symbol, its name with this and the number.
inline constexpr const char* kLanesSuffix = ".lanes";

/// Function attribute of an entry: offsets in the argument block, as "0,8", of pointers to buffers
/// that do not overlap. Set by form-kernel, where launches have been asked.
inline constexpr const char* kSeparateBuffersAttribute = "weft-separate-buffers";

/// Address spaces of the language.
inline constexpr unsigned kPrivate = 0, kGlobal = 1, kConstant = 2, kLocal = 3, kGeneric = 4;

/// The work-item functions, each lowered to loads from the hidden parameter.
enum class WorkItemFunction {
  WorkDim,
  GlobalSize,
  GlobalId,
  LocalSize,
  EnqueuedLocalSize,
  LocalId,
  NumGroups,
  GroupId,
  GlobalOffset,
  GlobalLinearId,
  LocalLinearId,
  SubGroupSize,
  MaxSubGroupSize,
  NumSubGroups,
  EnqueuedNumSubGroups,
  SubGroupId,
  SubGroupLocalId,
};

/// Which work-item function `function` declares, if any.
std::optional<WorkItemFunction> workItemFunction(const llvm::Function& function);

/// Whether the function is the library's barrier, or one that holds one.
inline bool isBarrierOfLibrary(const llvm::Function& function) {
  return function.getName() == kBarrier || function.getName().starts_with(kCollectivePrefix);
}
inline bool isNumberedBarrier(const llvm::Function& function) {
  return function.getName() == kNumberedBarrier ||
         function.getName().starts_with(kNumberedCollectivePrefix);
}

/// Whether `function` is an operation that work-items of a sub-group do together.
inline bool isSubGroupOperation(const llvm::Function& function) {
  return function.isDeclaration() && function.getName().starts_with(kSubGroupPrefix);
}

inline bool isImageFunction(const llvm::Function& function) {
  return function.hasFnAttribute(kLibraryAttribute) && function.getName().starts_with(kImagePrefix);
}

inline bool isKernel(const llvm::Function& function) {
  return function.hasFnAttribute(kKernelAttribute);
}
inline bool isLibrary(const llvm::Function& function) {
  return function.hasFnAttribute(kLibraryAttribute);
}
inline bool hasWorkItem(const llvm::Function& function) {
  return function.hasFnAttribute(kWorkItemAttribute);
}

/// Whether `variable` holds the work-item.
inline bool isItem(const llvm::AllocaInst& variable) { return variable.hasMetadata(kItemVariable); }

inline bool isConstructor(const llvm::Function& function) {
  return function.hasFnAttribute(kConstructorAttribute);
}

inline bool isBlock(const llvm::Function& function) {
  return function.hasFnAttribute(kBlockAttribute);
}

/// The place of a variable in the program's block, if that is where it lives.
std::optional<uint64_t> programOffset(const llvm::GlobalVariable& variable);
void setProgramOffset(llvm::GlobalVariable& variable, uint64_t offset);

/// The function as its author wrote it: without the suffix of retarget, demangled.
std::string displayName(const llvm::Function& function);

}  // namespace weft::compiler::names
