// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "support/objects.h"

/// Extensions as an application finds them.
namespace weft::test {

/// A function of an extension. `Function` is a pointer to it.
template <class Function>
Function extensionFunction(const char* name) {
  void* const address = clGetExtensionFunctionAddressForPlatform(platform(), name);
  EXPECT_NE(address, nullptr) << name;
  return reinterpret_cast<Function>(address);
}

/// The version that the device reports of an extension; 0 when it has none.
inline cl_version extensionVersion(const char* name) {
  size_t size = 0;
  EXPECT_EQ(clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, 0, nullptr, &size),
            CL_SUCCESS);
  std::vector<cl_name_version> rows(size / sizeof(cl_name_version));
  EXPECT_EQ(
      clGetDeviceInfo(device(), CL_DEVICE_EXTENSIONS_WITH_VERSION, size, rows.data(), nullptr),
      CL_SUCCESS);
  for (const cl_name_version& row : rows)
    if (std::strcmp(row.name, name) == 0) return row.version;
  return 0;
}

}  // namespace weft::test
