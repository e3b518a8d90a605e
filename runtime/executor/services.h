// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "weft/abi/services.h"

namespace weft::runtime {

/// The functions that compiled code may call. The table lives as long as the process.
abi::ServiceTable serviceTable() noexcept;

}  // namespace weft::runtime
