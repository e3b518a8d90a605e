// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl.h>

#include "base/error.h"
#include "platform/device.h"
#include "platform/partition.h"

/// Rules of clCreateSubDevices.
namespace weft::validate {

/// The property list, for dividing `device`. Whether there is a division remains to be seen.
///   CL_INVALID_VALUE                   no list, not exactly one scheme, a scheme or value that
///                                      is unknown or that the host does not have
///   CL_INVALID_DEVICE_PARTITION_COUNT  more units, in all or of one sub-device, than the device
///                                      has, or fewer than none
[[nodiscard]] Result<PartitionRequest> partition(const Device& device,
                                                 const cl_device_partition_property* list);

}  // namespace weft::validate
