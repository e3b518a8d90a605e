// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "executor/services.h"
#include "support/cpu_level.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler::testing {

/// A directory that only we can enter, removed at the end.
class PrivateDirectory {
 public:
  PrivateDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
    if (const char* made = ::mkdtemp(pattern.data())) path_ = made;
  }
  ~PrivateDirectory() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;

  std::string path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path_ + "/" + name).parent_path());
    std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  }

 private:
  std::string path_;
};

/// Options of a plain device without a disk cache.
inline CompilerOptions deviceOptions() {
  CompilerOptions options;
  options.services = weft::runtime::serviceTable();
  options.subGroupSize = 16;
  options.maxLocalBytes = 64 << 10;
  options.cacheEnabled = false;
  options.cpu = test::cpuLevelOfEnvironment();
  options.extensions = {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                        "cl_khr_local_int32_base_atomics",  "cl_khr_local_int32_extended_atomics",
                        "cl_khr_byte_addressable_store",    "cl_khr_fp64"};
  options.features = {"__opencl_c_fp64", "__opencl_c_int64"};
  return options;
}

/// Options of a device that has C++ for OpenCL as well.
inline CompilerOptions cxxOptions() {
  CompilerOptions options = deviceOptions();
  options.extensions.push_back("cl_ext_cxx_for_opencl");
  for (const char* feature :
       {"__opencl_c_generic_address_space", "__opencl_c_program_scope_global_variables"})
    options.features.push_back(feature);
  return options;
}

/// The log of a build that must fail with `kind`.
template <class T>
std::string failureLog(const Result<T>& result, ErrorKind kind) {
  if (result) {
    ADD_FAILURE() << "succeeded";
    return {};
  }
  EXPECT_EQ(result.error().kind, kind) << result.error().log;
  if (!result.error().log.empty()) EXPECT_EQ(result.error().log.back(), '\n');
  return result.error().log;
}

/// The program of a build that must succeed.
inline Ref<Program> programOf(const Result<BuildOutput>& result) {
  if (result) return result->program;
  ADD_FAILURE() << result.error().log;
  return {};
}

inline constexpr const char* kOneLine =
    "kernel void one(global int* out) { out[get_global_id(0)] = 42; }\n";

}  // namespace weft::compiler::testing
