// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/memory.h"

#include <cstring>
#include <string>
#include <utility>

#include "base/callback_thread.h"
#include "memory/svm.h"
#include "weft/support/log.h"

namespace weft {

Memory::Memory(Context& context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
               MemoryProperties properties)
    : context_(&context),
      type_(type),
      flags_(flags),
      size_(size),
      properties_(std::move(properties)) {}

void Memory::useExternal(std::unique_ptr<ExternalMemory> external) noexcept {
  external_ = std::move(external);
  data_ = external_->data();
}

bool Memory::usesSvmPointer() const noexcept {
  return hostPointer_ != nullptr && type_ == CL_MEM_OBJECT_BUFFER &&
         SvmRegistry::instance().findSvm(*context_, hostPointer_).has_value();
}

std::optional<Memory::MapId> Memory::addMap(size_t offset, size_t size, bool forWriting) {
  return addMap(ByteBox{data_ + offset, {size, 1, 1}, size, size}, forWriting);
}

std::optional<Memory::MapId> Memory::addMap(const ByteBox& bytes, bool forWriting) {
  Memory& shared = root();
  ObjectLock lock(shared.mutex_);
  return shared.maps_.add(this, bytes, forWriting);
}

void Memory::cancelMap(MapId id) noexcept {
  Memory& shared = root();
  ObjectLock lock(shared.mutex_);
  shared.maps_.remove(this, id);
}

bool Memory::removeMap(const void* pointer) noexcept {
  Memory& shared = root();
  ObjectLock lock(shared.mutex_);
  return shared.maps_.removeLast(this, static_cast<const std::byte*>(pointer));
}

void Memory::forgetMaps() noexcept {
  Memory& shared = root();
  ObjectLock lock(shared.mutex_);
  shared.maps_.removeAll(this);
}

cl_uint Memory::mapCount() const noexcept {
  const Memory& shared = root();
  ObjectLock lock(shared.mutex_);
  return static_cast<cl_uint>(shared.maps_.count(this));
}

void Memory::addDestructorCallback(DestructorCallback callback, void* userData) {
  ObjectLock lock(mutex_);
  destructors_.push_back({callback, userData});
}

void Memory::destroy() const noexcept {
  auto* const self = const_cast<Memory*>(this);
  if (!self->hasDestructors()) {
    delete this;
    return;
  }
  resurrect();  // for the callbacks, which are given the handle
  try {
    CallbackThread::instance().post([self] { self->runDestructors(); });
  } catch (...) {
    // The application counts on them: better on this thread, which holds no lock, than never.
    log::write(log::Level::Warning, "no memory or thread for a memory destructor callback");
    self->runDestructors();
  }
}

bool Memory::hasDestructors() const noexcept {
  ObjectLock lock(mutex_);
  return !destructors_.empty();
}

void Memory::runDestructors() noexcept {
  std::vector<Destructor> callbacks;
  {
    ObjectLock lock(mutex_);
    callbacks.swap(destructors_);
  }
  for (auto row = callbacks.rbegin(); row != callbacks.rend(); ++row)
    row->callback(handle(), row->userData);
  releaseInternal();
}

Buffer::Buffer(Context& context, cl_mem_flags flags, size_t size, void* hostPointer,
               MemoryProperties properties, HostBlock block)
    : Memory(context, CL_MEM_OBJECT_BUFFER, flags, size, std::move(properties)),
      block_(std::move(block)) {
  if (flags & CL_MEM_USE_HOST_PTR) {
    hostPointer_ = hostPointer;
    data_ = static_cast<std::byte*>(hostPointer);
  } else {
    data_ = block_.data();
  }
}

Buffer::Buffer(Buffer& parent, cl_mem_flags flags, size_t origin, size_t size)
    : Memory(parent.context(), CL_MEM_OBJECT_BUFFER, flags, size, {}),
      parent_(&parent),
      offset_(origin) {
  data_ = parent.data() + origin;
  if (flags & CL_MEM_USE_HOST_PTR) hostPointer_ = data_;
}

Buffer::~Buffer() {
  // The address may soon be that of another sub-buffer.
  if (parent_) forgetMaps();
}

Result<Ref<Buffer>> Buffer::create(Context& context, cl_mem_flags flags, size_t size,
                                   void* hostPointer, MemoryProperties properties) {
  HostBlock block;
  std::unique_ptr<ExternalMemory> external;
  if (properties.isExternal()) {
    WEFT_TRY(external, ExternalMemory::map(context, properties.externalFile, size,
                                           (flags & khr::kMemImmutable) == 0));
  } else if ((flags & CL_MEM_USE_HOST_PTR) == 0) {
    block = HostBlock::allocate(size);
    if (!block) {
      context.notify("no memory for a buffer of " + std::to_string(size) + " bytes");
      return clError(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    }
    if (flags & CL_MEM_COPY_HOST_PTR) std::memcpy(block.data(), hostPointer, size);
  }
  Ref<Buffer> buffer =
      makeRef<Buffer>(context, flags, size, hostPointer, std::move(properties), std::move(block));
  if (external) buffer->useExternal(std::move(external));
  return buffer;
}

Ref<Buffer> Buffer::createSub(Buffer& parent, cl_mem_flags flags, size_t origin, size_t size) {
  return makeRef<Buffer>(parent, flags, origin, size);
}

}  // namespace weft
