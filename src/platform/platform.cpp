// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include "weft/support/once.h"

namespace weft {

Platform& Platform::instance() {
  static constinit Once<Platform> platform;
  return platform.get([] { return new Platform; });
}

Platform::Platform() : device_(makeRef<Device>(*this)) {}

}  // namespace weft
