// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

namespace weft::test {

/// `count` objects of T in memory of clSVMAlloc, freed at the end of the scope.
template <class T>
class SvmArray {
 public:
  SvmArray(cl_context context, size_t count, cl_svm_mem_flags flags = CL_MEM_READ_WRITE)
      : context_(context),
        count_(count),
        data_(static_cast<T*>(clSVMAlloc(context, flags, count * sizeof(T), 0))) {
    EXPECT_NE(data_, nullptr);
  }
  SvmArray(SvmArray&&) = delete;
  ~SvmArray() { clSVMFree(context_, data_); }

  T* data() const { return data_; }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(T); }
  T& operator[](size_t index) const { return data_[index]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + count_; }
  /// Leaves it to others to free it.
  T* release() { return std::exchange(data_, nullptr); }

 private:
  cl_context context_;
  size_t count_;
  T* data_;
};

constexpr cl_svm_mem_flags kFineGrain =
    CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;

}  // namespace weft::test
