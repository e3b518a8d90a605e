// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weft {

/// Base of objects that are shared by Ref<T>. Starts with one reference, which
/// Ref<T>::adopt takes over. Threads: retain and release from any thread.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void retainInternal() const noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
  void releaseInternal() const noexcept {
    if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy();
  }
  /// Whether somebody holds a reference besides the caller, who holds one. Stays false once it is.
  bool isShared() const noexcept { return refs_.load(std::memory_order_acquire) > 1; }

 protected:
  virtual ~RefCounted() = default;
  /// Called when the last reference is gone. Overridden by objects that go back to a pool.
  virtual void destroy() const noexcept { delete this; }
  /// Makes a pooled object, whose count is zero, live again with one reference.
  void resurrect() const noexcept { refs_.store(1, std::memory_order_relaxed); }

 private:
  mutable std::atomic<uint32_t> refs_{1};
};

/// Counted reference to a RefCounted object. The new object is retained before the
/// old one is released, so self-assignment and chains are safe.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : object_(object) {
    if (object_) object_->retainInternal();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U> other) noexcept : object_(other.detach()) {}
  ~Ref() {
    if (object_) object_->releaseInternal();
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// Takes over the reference that a new object starts with.
  [[nodiscard]] static Ref adopt(T* object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Gives the reference away; the caller must release it.
  [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.object_ == b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
[[nodiscard]] Ref<T> makeRef(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace weft
