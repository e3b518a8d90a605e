// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>

namespace weft::bench {

using Clock = std::chrono::steady_clock;

inline double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline void check(cl_int code, const char* what) {
  if (code != CL_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}

/// First device of the platform whose name contains `name` (for kSpirv: Weft's), with a context and
/// two in-order queues. Throws std::runtime_error when there is no such platform.
class Session {
 public:
  explicit Session(const std::string& name);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Throws with the build log when the source does not build.
  cl_program build(const std::string& source, const std::string& options = "") const;
  /// A program that has not been built. Pre: for the platform kSpirv, translated() if what that
  /// takes must not count.
  cl_program create(const std::string& source, const std::string& options = "") const;
  /// The same from what translated() gives.
  cl_program buildTranslated(const std::string& program, const std::string& options = "") const;
  /// What create() makes a program from on the platform kSpirv; made once for each source. On
  /// others, the source.
  const std::string& translated(const std::string& source, const std::string& options = "") const;
  cl_kernel kernel(const std::string& source, const char* name,
                   const std::string& options = "") const;
  cl_mem buffer(size_t bytes) const;

  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;  ///< without profiling
  cl_command_queue profilingQueue = nullptr;

 private:
  cl_program createTranslated(const std::string& from) const;

  bool isFromSpirv_;
  mutable std::map<std::string, std::string> modules_;
};

}  // namespace weft::bench
