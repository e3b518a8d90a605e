// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// The identifiers of cl_khr_device_uuid.
namespace weft {

using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;

/// Of the host's processors: the same in every process and with every version of the library,
/// another on every installed system. The system's own identifier cannot be found out from it.
/// `root` is put before the paths of files, for tests.
Uuid deviceUuid(const std::string& root = "");

/// Of this build of the library.
Uuid driverUuid();

/// A UUID of version 8 (RFC 9562) that stands for a text.
Uuid uuidOf(std::string_view text);

/// SHA-256 (FIPS 180-4).
std::array<uint8_t, 32> sha256(std::string_view text);

}  // namespace weft
