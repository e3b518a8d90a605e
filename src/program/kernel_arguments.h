// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/object_mutex.h"
#include "program/argument_snapshot.h"
#include "weft/compiler/kernel_info.h"
#include "weft/runtime/reduction_copies.h"
#include "weft/support/ref.h"

namespace weft {

/// What a command takes of a kernel's arguments.
struct TakenArguments {
  LoanedSnapshot snapshot;
  uint64_t localBytes = 0;  ///< static and argument local memory of a group
  /// Bytes behind each pointer of KernelInfo::reductions; nothing where the kernel may reach them
  /// in another way, or others may look at them while it runs.
  std::optional<runtime::ReductionSizes> reductions{};
  bool separateBuffers = true;  ///< LaunchFacts::separateBuffers
};

/// The argument values of a kernel object, kept in the layout that compiled code reads, so that
/// a launch copies one block.
///
/// Ownership: borrows the KernelInfo. Holds no reference to memory objects, since the
/// specification forbids a kernel to keep its arguments alive (clSetKernelArg, notes); snapshots
/// do. Threads: all methods from any thread.
class KernelArguments {
 public:
  /// Arguments in local memory follow `staticLocalBytes` of it.
  KernelArguments(const compiler::KernelInfo& kernel, uint64_t staticLocalBytes);
  /// The same values again, for clCloneKernel.
  KernelArguments(const KernelArguments& other);
  KernelArguments& operator=(const KernelArguments&) = delete;

  /// clSetKernelArg for a kernel of `context`.
  ///   CL_INVALID_ARG_INDEX, CL_INVALID_ARG_SIZE (of 0 bytes of local memory before OpenCL 3.1)
  ///   CL_INVALID_ARG_VALUE     no value for a by-value argument, or one for local memory; an
  ///   object
  ///                            whose flags do not allow what the argument says
  ///   CL_INVALID_MEM_OBJECT    neither null nor a buffer; no pipe, for a pipe; no image of the
  ///                            argument's type, for an image
  ///   CL_INVALID_CONTEXT       an object of another context
  ///   CL_INVALID_SAMPLER
  ///   CL_INVALID_DEVICE_QUEUE  no queue on the device
  Result<void> set(cl_uint index, size_t size, const void* value, const Context& context)
      WEFT_EXCLUDES(mutex_);

  /// An address, instead of a memory object, for an argument that points to global or constant
  /// memory. Any is allowed: what a kernel does not use need not be memory.
  ///   CL_INVALID_ARG_INDEX
  ///   CL_INVALID_ARG_VALUE  another kind of argument
  Result<void> setAddress(cl_uint index, const void* address) WEFT_EXCLUDES(mutex_);

  /// clSetKernelExecInfo. There is nothing to keep of it: kernels reach all memory anyway.
  /// CL_INVALID_VALUE for an unknown name, a null value with a size, and a bad size.
  Result<void> setExecInfo(cl_kernel_exec_info name, size_t size, const void* value) const noexcept;

  /// Static and argument local memory; arguments that are not set count as 0.
  uint64_t localBytes() const WEFT_EXCLUDES(mutex_);

  /// Whether all arguments have been set.
  bool areSet() const WEFT_EXCLUDES(mutex_);

  /// The values as they are now, with references to the memory objects, for a launch in `context`.
  ///   CL_INVALID_KERNEL_ARGS           an argument is not set, or its memory object is gone
  ///   CL_MISALIGNED_SUB_BUFFER_OFFSET  a sub-buffer starts where the device cannot address it
  ///   CL_IMAGE_FORMAT_NOT_SUPPORTED    kernels cannot write to images of the format
  Result<TakenArguments> take(const Context& context) const WEFT_EXCLUDES(mutex_);

 private:
  struct Pointer {
    uint32_t offset = 0;         ///< of the pointer in the block
    cl_mem handle = nullptr;     ///< null until set, and for an address that is no memory object's
    cl_mem_flags formatUse = 0;  ///< of an image: for what the kernel needs its format
  };
  struct Local {
    uint32_t offset = 0;  ///< of the arena offset in the block
    uint32_t alignment = 1;
    uint64_t bytes = 0;
  };
  /// What a launch's pointers to global memory point to. Of kernels with more of them nothing is
  /// known. Not initialised: launches have one each.
  struct Buffers {
    struct Place {
      const std::byte* begin;
      size_t size;  ///< 0 where an address is all that is known
    };
    static constexpr size_t kMost = 32;

    std::array<Place, kMost> places;
    size_t count = 0;
    bool areAll = true;
  };
  struct Slot {
    uint32_t index = 0;  ///< into pointers or locals, for arguments of these kinds
    bool isSet = false;
  };
  struct Values {
    std::vector<std::byte> block;
    std::vector<Slot> slots;  ///< parallel to the kernel's arguments
    std::vector<Pointer> pointers;
    std::vector<Local> locals;
    std::vector<cl_command_queue> queues;
    size_t unset = 0;
    uint64_t localBytes = 0;
  };

  static Values initialValues(const compiler::KernelInfo& kernel, uint64_t staticLocalBytes);
  Values copyValues() const WEFT_EXCLUDES(mutex_);
  Result<void> setValue(const compiler::ArgumentInfo& argument, size_t size, const void* value)
      WEFT_REQUIRES(mutex_);
  Result<void> setPointer(const compiler::ArgumentInfo& argument, Pointer& pointer, size_t size,
                          const void* value, const Context& context) WEFT_REQUIRES(mutex_);
  Result<void> setPipe(Pointer& pointer, size_t size, const void* value, const Context& context)
      WEFT_REQUIRES(mutex_);
  Result<void> setImage(const compiler::ArgumentInfo& argument, Pointer& pointer, size_t size,
                        const void* value, const Context& context) WEFT_REQUIRES(mutex_);
  Result<void> setSampler(const compiler::ArgumentInfo& argument, size_t size, const void* value,
                          const Context& context) WEFT_REQUIRES(mutex_);
  Result<void> setQueue(const compiler::ArgumentInfo& argument, cl_command_queue& handle,
                        size_t size, const void* value, const Context& context)
      WEFT_REQUIRES(mutex_);
  void putAddress(Pointer& pointer, cl_mem handle, const void* address) noexcept
      WEFT_REQUIRES(mutex_);
  Result<void> setLocal(Local& local, size_t size, const void* value) WEFT_REQUIRES(mutex_);
  Result<TakenArguments> takeAll(Buffers& buffers) const WEFT_EXCLUDES(mutex_);
  void collect(Buffers& buffers) const noexcept WEFT_REQUIRES(mutex_);
  static bool areSeparate(Buffers& buffers, const Context& context) noexcept;
  std::optional<runtime::ReductionSizes> reductionSizes() const noexcept WEFT_REQUIRES(mutex_);
  bool isReachedOtherwise(const Memory& memory, const Pointer& from) const noexcept
      WEFT_REQUIRES(mutex_);
  void markSet(Slot& slot) noexcept WEFT_REQUIRES(mutex_);
  void placeLocals() WEFT_REQUIRES(mutex_);

  const compiler::KernelInfo& kernel_;
  const uint64_t staticLocalBytes_;
  const Ref<SnapshotPool> pool_;
  const bool asksForSeparateBuffers_;
  mutable ObjectMutex mutex_;
  Values values_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
