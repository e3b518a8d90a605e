// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <string>

namespace weft::bench {

struct Platform {
  std::string name;     ///< a part of its name
  std::string vendors;  ///< OCL_ICD_VENDORS for it; empty for what the environment says
};

/// Has this process, which is about to become another program, find the platform and keep compiled
/// programs below `cacheDirectory`.
inline void enter(const Platform& platform, const std::string& cacheDirectory) {
  if (!platform.vendors.empty()) setenv("OCL_ICD_VENDORS", platform.vendors.c_str(), 1);
  setenv("WEFT_CACHE_DIR", (cacheDirectory + "/weft").c_str(), 1);
  setenv("POCL_CACHE_DIR", (cacheDirectory + "/pocl").c_str(), 1);
}

}  // namespace weft::bench
