// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Versions, extensions and language features that the platform and the device report; the
/// compiler's macros come from the same tables.
namespace weft {

/// e.g. "0.1.0"
std::string_view libraryVersion() noexcept;

/// What CL_DRIVER_VERSION says: libraryVersion() and what binaries of the device depend on.
std::string driverVersion();

/// What CL_PLATFORM_NUMERIC_VERSION and CL_DEVICE_NUMERIC_VERSION say: 3.0.0 or 3.1.0
/// (WEFT_OPENCL).
cl_version openClVersion() noexcept;
/// "OpenCL 3.1 Weft 0.1.0"
const std::string& versionText();

/// Extensions with their versions, in the order they are reported.
std::span<const cl_name_version> platformExtensions() noexcept;
std::span<const cl_name_version> deviceExtensions() noexcept;
/// Versions of OpenCL C that the compiler takes.
std::span<const cl_name_version> languageVersions() noexcept;
/// The __opencl_c_* features of the device.
std::span<const cl_name_version> languageFeatures() noexcept;

/// Whether programs may be made from SPIR-V, and of which versions. (WEFT_SPIRV)
bool takesIl() noexcept;
std::span<const cl_name_version> ilVersions() noexcept;

/// The names of a table, separated by blanks.
std::string joinNames(std::span<const cl_name_version> table);

/// What CompilerOptions::extensions and ::features are made from.
std::vector<std::string> extensionMacros();
std::vector<std::string> featureMacros();

}  // namespace weft
