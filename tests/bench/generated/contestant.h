// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "native_library.h"

namespace weft::bench::generated {

/// Results that are not those of plain C++.
struct WrongResult : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Memory that the longest vectors may lie in.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{128};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kAlignment));
  }
  void deallocate(T* memory, size_t /*count*/) { ::operator delete(memory, kAlignment); }
  bool operator==(const AlignedAllocator&) const = default;
};
using Content = std::vector<char, AlignedAllocator<char>>;
using Contents = std::vector<Content>;  ///< of all arguments

Contents contentsFor(const Program& program);
/// Where outputs differ by more than the program allows, in words.
std::optional<std::string> differenceOf(const Program& program, const Contents& got,
                                        const Contents& expected);

/// One of those that run a program: a platform, or plain C++ (kNative).
class Contestant {
 public:
  /// Builds. Throws Unsupported where the platform does not take the program's language.
  Contestant(const Program& program, const std::string& platform, const NativeLibrary& library);
  ~Contestant();
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;

  /// Runs once from the original contents; throws WrongResult.
  void verify();
  /// Runs until whatever a runtime does in the background after first launches (a better
  /// compilation, for one) has ended, and at least so long, and finds how many runs make up a
  /// sample.
  void warmUp(double seconds);
  /// Seconds for a run by the wall clock, from some runs that take 10 ms together.
  double sample();

 private:
  struct Device;
  void run();
  double secondsOf(size_t runs);

  const Program& program_;
  NativeFunction native_;
  Contents contents_;
  Contents expected_;
  std::unique_ptr<Device> device_;  ///< none for plain C++
  size_t runs_ = 1;
};

}  // namespace weft::bench::generated
