// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include "weft/support/once.h"

namespace weft {

Platform& Platform::instance() {
  static constinit Once<Platform> platform;
  return platform.get([] { return new Platform; });
}

Platform::Platform() : Object(nullptr), device_(makeRef<Device>(*this)) {}

void Platform::setDispatchData(void* data) noexcept {
  dispatchData = data;
  device_->dispatchData = data;
}

}  // namespace weft
