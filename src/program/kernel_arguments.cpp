// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/kernel_arguments.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "memory/image.h"
#include "memory/sampler.h"
#include "memory/svm.h"
#include "platform/limits.h"
#include "platform/versions.h"
#include "queue/queue.h"
#include "weft/compiler/launch_plan.h"
#include "weft/khr/buffer_device_address.h"
#include "weft/khr/immutable_memory.h"
#include "weft/khr/unified_svm.h"
#include "weft/support/checked.h"

namespace weft {
namespace {

using compiler::AccessQualifier;
using compiler::ArgumentKind;
using compiler::ImageType;

bool isPointer(ArgumentKind kind) noexcept {
  return kind == ArgumentKind::GlobalPointer || kind == ArgumentKind::ConstantPointer;
}

/// Whether it is a memory object.
bool isMemory(ArgumentKind kind) noexcept {
  return isPointer(kind) || kind == ArgumentKind::Pipe || kind == ArgumentKind::Image;
}

/// Whether it is an object that a launch holds.
bool isHeld(ArgumentKind kind) noexcept { return isMemory(kind) || kind == ArgumentKind::Queue; }

/// Whether the kernel says that it may write to what the argument points to.
bool writesThrough(const compiler::ArgumentInfo& argument) noexcept {
  return argument.kind == ArgumentKind::GlobalPointer && !argument.isConst;
}

size_t countHeld(const compiler::KernelInfo& kernel) noexcept {
  return static_cast<size_t>(std::ranges::count_if(
      kernel.arguments, [](const compiler::ArgumentInfo& a) { return isHeld(a.kind); }));
}

/// The kind of image that goes to an argument of the type; 0 when none does.
cl_mem_object_type objectTypeOf(ImageType type) noexcept {
  switch (type) {
    case ImageType::None:
      return 0;
    case ImageType::Image1D:
      return CL_MEM_OBJECT_IMAGE1D;
    case ImageType::Image1DBuffer:
      return CL_MEM_OBJECT_IMAGE1D_BUFFER;
    case ImageType::Image1DArray:
      return CL_MEM_OBJECT_IMAGE1D_ARRAY;
    case ImageType::Image2D:
    case ImageType::Image2DDepth:
      return CL_MEM_OBJECT_IMAGE2D;
    case ImageType::Image2DArray:
    case ImageType::Image2DArrayDepth:
      return CL_MEM_OBJECT_IMAGE2D_ARRAY;
    case ImageType::Image3D:
      return CL_MEM_OBJECT_IMAGE3D;
  }
  return 0;
}

bool isOfType(const Image& image, ImageType type) noexcept {
  const bool wantsDepth = type == ImageType::Image2DDepth || type == ImageType::Image2DArrayDepth;
  return image.type() == objectTypeOf(type) && (!wantsDepth || image.format().isDepth());
}

/// Flags of an image that the kernel cannot access as the argument says.
cl_mem_flags refusedFlags(AccessQualifier access) noexcept {
  switch (access) {
    case AccessQualifier::None:
    case AccessQualifier::ReadOnly:
      return CL_MEM_WRITE_ONLY;
    case AccessQualifier::WriteOnly:
      return CL_MEM_READ_ONLY | khr::kMemImmutable;
    case AccessQualifier::ReadWrite:
      return CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | khr::kMemImmutable;
  }
  return 0;
}

/// What a format is used for where it is an argument's.
cl_mem_flags formatUse(AccessQualifier access) noexcept {
  switch (access) {
    case AccessQualifier::None:
    case AccessQualifier::ReadOnly:
      return CL_MEM_READ_ONLY;
    case AccessQualifier::WriteOnly:
      return CL_MEM_WRITE_ONLY;
    case AccessQualifier::ReadWrite:
      return CL_MEM_KERNEL_READ_AND_WRITE;
  }
  return CL_MEM_READ_ONLY;
}

}  // namespace

KernelArguments::Values KernelArguments::initialValues(const compiler::KernelInfo& kernel,
                                                       uint64_t staticLocalBytes) {
  Values values;
  values.block.resize(kernel.argumentBytes);
  for (const compiler::ArgumentInfo& argument : kernel.arguments) {
    Slot slot;
    if (isMemory(argument.kind)) {
      slot.index = static_cast<uint32_t>(values.pointers.size());
      values.pointers.push_back({.offset = argument.offset});
    } else if (argument.kind == ArgumentKind::Queue) {
      slot.index = static_cast<uint32_t>(values.queues.size());
      values.queues.push_back(nullptr);
    } else if (argument.kind == ArgumentKind::LocalPointer) {
      slot.index = static_cast<uint32_t>(values.locals.size());
      values.locals.push_back(
          {.offset = argument.offset, .alignment = std::max<uint32_t>(argument.alignment, 1)});
    }
    values.slots.push_back(slot);
  }
  values.unset = kernel.arguments.size();
  values.localBytes = staticLocalBytes;
  return values;
}

KernelArguments::Values KernelArguments::copyValues() const {
  ObjectLock lock(mutex_);
  return values_;
}

KernelArguments::KernelArguments(const compiler::KernelInfo& kernel, uint64_t staticLocalBytes)
    : kernel_(kernel),
      staticLocalBytes_(staticLocalBytes),
      pool_(makeRef<SnapshotPool>(kernel.argumentBytes, countHeld(kernel))),
      asksForSeparateBuffers_(compiler::asksForSeparateBuffers(kernel)),
      values_(initialValues(kernel, staticLocalBytes)) {}

KernelArguments::KernelArguments(const KernelArguments& other)
    : kernel_(other.kernel_),
      staticLocalBytes_(other.staticLocalBytes_),
      pool_(other.pool_),
      asksForSeparateBuffers_(other.asksForSeparateBuffers_),
      values_(other.copyValues()) {}

Result<void> KernelArguments::set(cl_uint index, size_t size, const void* value,
                                  const Context& context) {
  if (index >= kernel_.arguments.size()) return clError(CL_INVALID_ARG_INDEX);
  const compiler::ArgumentInfo& argument = kernel_.arguments[index];
  ObjectLock lock(mutex_);
  Slot& slot = values_.slots[index];
  switch (argument.kind) {
    case ArgumentKind::Value:
      WEFT_TRY_VOID(setValue(argument, size, value));
      break;
    case ArgumentKind::GlobalPointer:
    case ArgumentKind::ConstantPointer:
      WEFT_TRY_VOID(setPointer(argument, values_.pointers[slot.index], size, value, context));
      break;
    case ArgumentKind::LocalPointer:
      WEFT_TRY_VOID(setLocal(values_.locals[slot.index], size, value));
      break;
    case ArgumentKind::Pipe:
      WEFT_TRY_VOID(setPipe(values_.pointers[slot.index], size, value, context));
      break;
    case ArgumentKind::Image:
      WEFT_TRY_VOID(setImage(argument, values_.pointers[slot.index], size, value, context));
      break;
    case ArgumentKind::Sampler:
      WEFT_TRY_VOID(setSampler(argument, size, value, context));
      break;
    case ArgumentKind::Queue:
      WEFT_TRY_VOID(setQueue(argument, values_.queues[slot.index], size, value, context));
      break;
  }
  markSet(slot);
  return {};
}

Result<void> KernelArguments::setAddress(cl_uint index, const void* address) {
  if (index >= kernel_.arguments.size()) return clError(CL_INVALID_ARG_INDEX);
  if (!isPointer(kernel_.arguments[index].kind)) return clError(CL_INVALID_ARG_VALUE);
  ObjectLock lock(mutex_);
  Slot& slot = values_.slots[index];
  putAddress(values_.pointers[slot.index], nullptr, address);
  markSet(slot);
  return {};
}

void KernelArguments::markSet(Slot& slot) noexcept {
  if (slot.isSet) return;
  slot.isSet = true;
  --values_.unset;
}

Result<void> KernelArguments::setValue(const compiler::ArgumentInfo& argument, size_t size,
                                       const void* value) {
  if (size != argument.size) return clError(CL_INVALID_ARG_SIZE);
  if (value == nullptr) return clError(CL_INVALID_ARG_VALUE);
  std::memcpy(values_.block.data() + argument.offset, value, size);
  return {};
}

Result<void> KernelArguments::setPointer(const compiler::ArgumentInfo& argument, Pointer& pointer,
                                         size_t size, const void* value, const Context& context) {
  if (size != sizeof(cl_mem)) return clError(CL_INVALID_ARG_SIZE);
  cl_mem handle = nullptr;
  if (value != nullptr) std::memcpy(&handle, value, sizeof handle);
  void* address = nullptr;
  if (handle != nullptr) {
    Memory* memory = Memory::from(handle);
    if (memory == nullptr || memory->buffer() == nullptr) return clError(CL_INVALID_MEM_OBJECT);
    if (&memory->context() != &context) return clError(CL_INVALID_CONTEXT);
    if (memory->isImmutable() && writesThrough(argument)) return clError(CL_INVALID_ARG_VALUE);
    address = memory->data();
  }
  putAddress(pointer, handle, address);
  return {};
}

Result<void> KernelArguments::setPipe(Pointer& pointer, size_t size, const void* value,
                                      const Context& context) {
  if (size != sizeof(cl_mem)) return clError(CL_INVALID_ARG_SIZE);
  cl_mem handle = nullptr;
  if (value != nullptr) std::memcpy(&handle, value, sizeof handle);
  Memory* memory = Memory::from(handle);
  if (memory == nullptr || memory->pipe() == nullptr) return clError(CL_INVALID_MEM_OBJECT);
  if (&memory->context() != &context) return clError(CL_INVALID_CONTEXT);
  putAddress(pointer, handle, memory->data());
  return {};
}

Result<void> KernelArguments::setImage(const compiler::ArgumentInfo& argument, Pointer& pointer,
                                       size_t size, const void* value, const Context& context) {
  if (size != sizeof(cl_mem)) return clError(CL_INVALID_ARG_SIZE);
  cl_mem handle = nullptr;
  if (value != nullptr) std::memcpy(&handle, value, sizeof handle);
  Memory* memory = Memory::from(handle);
  Image* image = memory ? memory->image() : nullptr;
  if (image == nullptr) return clError(CL_INVALID_MEM_OBJECT);
  if (&image->context() != &context) return clError(CL_INVALID_CONTEXT);
  if (!isOfType(*image, argument.image)) return clError(CL_INVALID_MEM_OBJECT);
  if (image->flags() & refusedFlags(argument.access)) return clError(CL_INVALID_ARG_VALUE);
  putAddress(pointer, handle, &image->descriptor());
  pointer.formatUse = formatUse(argument.access);
  return {};
}

Result<void> KernelArguments::setSampler(const compiler::ArgumentInfo& argument, size_t size,
                                         const void* value, const Context& context) {
  if (size != sizeof(cl_sampler)) return clError(CL_INVALID_ARG_SIZE);
  cl_sampler handle = nullptr;
  if (value != nullptr) std::memcpy(&handle, value, sizeof handle);
  const Sampler* sampler = Sampler::from(handle);
  if (sampler == nullptr) return clError(CL_INVALID_SAMPLER);
  if (&sampler->context() != &context) return clError(CL_INVALID_CONTEXT);
  // All there is of a sampler, which may be gone when the kernel runs.
  const uint64_t word = sampler->word();
  std::memcpy(values_.block.data() + argument.offset, &word, sizeof word);
  return {};
}

Result<void> KernelArguments::setQueue(const compiler::ArgumentInfo& argument,
                                       cl_command_queue& handle, size_t size, const void* value,
                                       const Context& context) {
  if (size != sizeof(cl_command_queue)) return clError(CL_INVALID_ARG_SIZE);
  cl_command_queue given = nullptr;
  if (value != nullptr) std::memcpy(&given, value, sizeof given);
  Queue* queue = Queue::from(given);
  if (queue == nullptr || queue->onDevice() == nullptr) return clError(CL_INVALID_DEVICE_QUEUE);
  if (&queue->context() != &context) return clError(CL_INVALID_CONTEXT);
  const void* const onDevice = queue->onDevice();
  std::memcpy(values_.block.data() + argument.offset, &onDevice, sizeof onDevice);
  handle = given;
  return {};
}

void KernelArguments::putAddress(Pointer& pointer, cl_mem handle, const void* address) noexcept {
  pointer.handle = handle;
  std::memcpy(values_.block.data() + pointer.offset, &address, sizeof address);
}

Result<void> KernelArguments::setLocal(Local& local, size_t size, const void* value) {
  if (value != nullptr) return clError(CL_INVALID_ARG_VALUE);
  if (size == 0 && openClVersion() < CL_MAKE_VERSION(3, 1, 0)) return clError(CL_INVALID_ARG_SIZE);
  local.bytes = size;
  placeLocals();
  return {};
}

/// Local arguments follow the kernel's own local variables, each at its type's alignment. A sum
/// that does not fit becomes the largest number, which no device has.
void KernelArguments::placeLocals() {
  constexpr uint64_t kTooMuch = std::numeric_limits<uint64_t>::max();
  uint64_t end = staticLocalBytes_;
  for (const Local& local : values_.locals) {
    const auto padded = checkedAdd<uint64_t>(end, local.alignment - 1);
    const uint64_t start = padded ? *padded & ~uint64_t{local.alignment - 1} : kTooMuch;
    std::memcpy(values_.block.data() + local.offset, &start, sizeof start);
    // Nothing, or not yet set: it points to where the next one would be, and pads nothing.
    if (local.bytes != 0) end = checkedAdd(start, local.bytes).value_or(kTooMuch);
  }
  values_.localBytes = end;
}

Result<void> KernelArguments::setExecInfo(cl_kernel_exec_info name, size_t size,
                                          const void* value) const noexcept {
  WEFT_TRY_VOID(require(value != nullptr || size == 0, CL_INVALID_VALUE));
  switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    case khr::kKernelExecInfoDevicePointers:
      static_assert(sizeof(khr::cl_mem_device_address) == sizeof(void*));
      return require(size % sizeof(void*) == 0, CL_INVALID_VALUE);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case khr::kKernelExecInfoSvmIndirectAccess:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
      return require(size == sizeof(cl_bool), CL_INVALID_VALUE);
    default:
      return clError(CL_INVALID_VALUE);
  }
}

uint64_t KernelArguments::localBytes() const {
  ObjectLock lock(mutex_);
  return values_.localBytes;
}

bool KernelArguments::areSet() const {
  ObjectLock lock(mutex_);
  return values_.unset == 0;
}

/// Whether the kernel may come to the bytes of `memory` by another argument than `from`. Pre: the
/// memory objects of all arguments are there.
bool KernelArguments::isReachedOtherwise(const Memory& memory, const Pointer& from) const noexcept {
  for (const Pointer& other : values_.pointers) {
    if (&other == &from) continue;
    const std::byte* address = nullptr;
    std::memcpy(&address, values_.block.data() + other.offset, sizeof address);
    // An address alone may be of anything.
    if (other.handle == nullptr ? address != nullptr
                                : &Memory::from(other.handle)->root() == &memory.root())
      return true;
  }
  return false;
}

std::optional<runtime::ReductionSizes> KernelArguments::reductionSizes() const noexcept {
  // Variables, and kernels that it enqueues, may know addresses too.
  if (kernel_.usesProgramScope || kernel_.enqueues) return std::nullopt;
  runtime::ReductionSizes sizes{};
  for (size_t i = 0; i < kernel_.reductions.size(); ++i) {
    const Slot& slot = values_.slots[kernel_.reductions[i].argument];
    const Pointer& pointer = values_.pointers[slot.index];
    if (pointer.handle == nullptr) return std::nullopt;
    const Memory& memory = *Memory::from(pointer.handle);
    const Memory& root = memory.root();
    // The host, other devices and whoever has their address may look at such bytes at any time.
    if (root.hostPointer() || root.external() || root.properties().hasFixedAddress ||
        isReachedOtherwise(memory, pointer))
      return std::nullopt;
    sizes[i] = memory.size();
  }
  return sizes;
}

void KernelArguments::collect(Buffers& buffers) const noexcept {
  for (size_t i = 0; i < kernel_.arguments.size(); ++i) {
    if (kernel_.arguments[i].kind != ArgumentKind::GlobalPointer) continue;
    const Pointer& pointer = values_.pointers[values_.slots[i].index];
    const std::byte* address = nullptr;
    std::memcpy(&address, values_.block.data() + pointer.offset, sizeof address);
    if (address == nullptr) continue;
    buffers.areAll = buffers.count != Buffers::kMost;
    if (!buffers.areAll) return;
    const size_t size = pointer.handle != nullptr ? Memory::from(pointer.handle)->size() : 0;
    buffers.places[buffers.count++] = {address, size};
  }
}

/// Whether no two of the buffers that a launch is given overlap, as far as their sizes are known.
bool KernelArguments::areSeparate(Buffers& buffers, const Context& context) noexcept {
  if (!buffers.areAll) return false;
  const std::span places(buffers.places.data(), buffers.count);
  for (auto& place : places) {
    if (place.size != 0) continue;
    // Kernels reach what is in an allocation before the address, too.
    const auto whole = SvmRegistry::instance().find(context, place.begin);
    if (!whole) return false;
    place = {whole->base, whole->size};
  }
  std::ranges::sort(places, {}, &Buffers::Place::begin);
  return std::ranges::adjacent_find(places, [](const auto& buffer, const auto& next) {
           return buffer.begin + buffer.size > next.begin;
         }) == places.end();
}

Result<TakenArguments> KernelArguments::take(const Context& context) const {
  Buffers buffers;
  WEFT_TRY(TakenArguments taken, takeAll(buffers));
  // Not under the lock of an object, which no other one is taken under.
  if (asksForSeparateBuffers_) taken.separateBuffers = areSeparate(buffers, context);
  return taken;
}

Result<TakenArguments> KernelArguments::takeAll(Buffers& buffers) const {
  TakenArguments taken{.snapshot = LoanedSnapshot(pool_)};
  ObjectLock lock(mutex_);
  if (values_.unset != 0) return clError(CL_INVALID_KERNEL_ARGS);
  if (!values_.block.empty())
    std::memcpy(taken.snapshot->block(), values_.block.data(), values_.block.size());
  for (const Pointer& pointer : values_.pointers) {
    if (pointer.handle == nullptr) continue;
    Memory* memory = Memory::from(pointer.handle);
    if (memory == nullptr) return clError(CL_INVALID_KERNEL_ARGS);
    if (memory->offset() % limits::kMemoryAlignment != 0)
      return clError(CL_MISALIGNED_SUB_BUFFER_OFFSET);
    const Image* image = memory->image();
    if (image && !isImageFormatSupported(image->format(), image->type(), pointer.formatUse))
      return clError(CL_IMAGE_FORMAT_NOT_SUPPORTED);
    taken.snapshot->hold(*memory);
  }
  for (const cl_command_queue handle : values_.queues) {
    Queue* queue = Queue::from(handle);
    if (queue == nullptr) return clError(CL_INVALID_KERNEL_ARGS);
    taken.snapshot->hold(*queue);
  }
  taken.localBytes = values_.localBytes;
  if (!kernel_.reductions.empty()) taken.reductions = reductionSizes();
  if (asksForSeparateBuffers_) collect(buffers);
  return taken;
}

}  // namespace weft
