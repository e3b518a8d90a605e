// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

#include "api/info.h"
#include "platform/device.h"

namespace weft::api {

/// Every parameter of clGetDeviceInfo.
std::span<const InfoRow<Device>> deviceInfoTable() noexcept;

}  // namespace weft::api
