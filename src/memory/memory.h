// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/handle.h"
#include "base/object_mutex.h"
#include "context/context.h"
#include "memory/external_memory.h"
#include "memory/host_block.h"
#include "memory/map_list.h"
#include "weft/khr/immutable_memory.h"

namespace weft {

class Buffer;
class Image;
class Pipe;

/// A memory object: what a cl_mem points to. Its bytes are host memory, so that kernels, maps
/// and transfers use them where they are.
///
/// Ownership: holds its context and its parent; commands hold what they use.
/// Threads: all methods from any thread.
class Memory : public Object<Memory, _cl_mem, HandleTag::Memory> {
 public:
  using DestructorCallback = void(CL_CALLBACK*)(cl_mem memory, void* userData);

  Context& context() const noexcept { return *context_; }
  cl_mem_object_type type() const noexcept { return type_; }
  cl_mem_flags flags() const noexcept { return flags_; }
  size_t size() const noexcept { return size_; }
  std::byte* data() const noexcept { return data_; }
  /// CL_MEM_HOST_PTR: the application's pointer of CL_MEM_USE_HOST_PTR, else null.
  void* hostPointer() const noexcept { return hostPointer_; }
  const MemoryProperties& properties() const noexcept { return properties_; }
  /// Its memory when it was made with an external memory handle, else null: also for parts of it.
  ExternalMemory* external() const noexcept { return external_.get(); }
  /// CL_MEM_USES_SVM_POINTER.
  bool usesSvmPointer() const noexcept;
  /// The buffer of a sub-buffer, what an image was made from; null otherwise.
  virtual Memory* parent() const noexcept { return nullptr; }
  virtual size_t offset() const noexcept { return 0; }  ///< of a sub-buffer
  virtual Buffer* buffer() noexcept { return nullptr; }
  virtual Image* image() noexcept { return nullptr; }
  virtual Pipe* pipe() noexcept { return nullptr; }

  /// cl_ext_immutable_memory_objects: whether commands may write to it.
  bool isImmutable() const noexcept { return (flags_ & khr::kMemImmutable) != 0; }

  /// The object whose bytes these are: that which a sub-buffer or an image was made from in the
  /// end, else the object itself.
  const Memory& root() const noexcept { return parent() ? parent()->root() : *this; }
  Memory& root() noexcept { return parent() ? parent()->root() : *this; }

  /// A mapped region is known from the call that enqueues its map to the one that enqueues its
  /// unmap. All objects that share bytes share one list of them.
  using MapId = MapList::Id;
  /// Nothing when bytes that are mapped for writing would be mapped for writing again.
  std::optional<MapId> addMap(size_t offset, size_t size, bool forWriting);
  std::optional<MapId> addMap(const ByteBox& bytes, bool forWriting);
  /// Forgets a map that failed; nothing happens when it is unmapped already.
  void cancelMap(MapId id) noexcept;
  /// For clEnqueueUnmapMemObject: false when `pointer` is not one that this object was mapped to.
  bool removeMap(const void* pointer) noexcept;
  cl_uint mapCount() const noexcept;

  /// Callbacks run in reverse order on the callback thread, before the memory is given back.
  void addDestructorCallback(DestructorCallback callback, void* userData) WEFT_EXCLUDES(mutex_);

 protected:
  Memory(Context& context, cl_mem_object_type type, cl_mem_flags flags, size_t size,
         MemoryProperties properties);
  ~Memory() override = default;
  void destroy() const noexcept final;

  /// Makes its bytes these, of whoever has no memory yet.
  void useExternal(std::unique_ptr<ExternalMemory> external) noexcept;

  /// Ends what this object has mapped of its root's bytes.
  void forgetMaps() noexcept;

  void* hostPointer_ = nullptr;
  std::byte* data_ = nullptr;

 private:
  struct Destructor {
    DestructorCallback callback;
    void* userData;
  };

  bool hasDestructors() const noexcept WEFT_EXCLUDES(mutex_);
  /// Runs the callbacks, then releases one reference.
  void runDestructors() noexcept WEFT_EXCLUDES(mutex_);

  Ref<Context> context_;
  const cl_mem_object_type type_;
  const cl_mem_flags flags_;
  const size_t size_;
  const MemoryProperties properties_;
  std::unique_ptr<ExternalMemory> external_;
  mutable ObjectMutex mutex_;
  MapList maps_ WEFT_GUARDED_BY(mutex_);  ///< of a root
  std::vector<Destructor> destructors_ WEFT_GUARDED_BY(mutex_);
};

/// A buffer or a sub-buffer.
class Buffer final : public Memory {
 public:
  /// Pre: all is validated, and the flags complete (an access and, if any, a host pointer flag).
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE when there is no memory; codes of ExternalMemory::map.
  static Result<Ref<Buffer>> create(Context& context, cl_mem_flags flags, size_t size,
                                    void* hostPointer, MemoryProperties properties = {});
  /// Pre: the region is validated and `parent` is no sub-buffer.
  static Ref<Buffer> createSub(Buffer& parent, cl_mem_flags flags, size_t origin, size_t size);

  Memory* parent() const noexcept override { return parent_.get(); }
  size_t offset() const noexcept override { return offset_; }
  Buffer* buffer() noexcept override { return this; }

 private:
  template <class T, class... Args>
  friend Ref<T> weft::makeRef(Args&&... args);
  Buffer(Context& context, cl_mem_flags flags, size_t size, void* hostPointer,
         MemoryProperties properties, HostBlock block);
  Buffer(Buffer& parent, cl_mem_flags flags, size_t origin, size_t size);
  ~Buffer() override;

  HostBlock block_;  ///< empty with CL_MEM_USE_HOST_PTR or external memory, and for sub-buffers
  Ref<Buffer> parent_;
  size_t offset_ = 0;
};

}  // namespace weft
