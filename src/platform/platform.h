// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/handle.h"
#include "platform/device.h"

namespace weft {

/// The one platform, with its device. What they run on is behind Backend.
///
/// Ownership: made by the first call of instance(), never destroyed. Threads: any.
class Platform final : public Object<Platform, _cl_platform_id, HandleTag::Platform> {
 public:
  static Platform& instance();

  Device& device() const noexcept { return *device_; }

 private:
  Platform();

  const Ref<Device> device_;
};

}  // namespace weft
