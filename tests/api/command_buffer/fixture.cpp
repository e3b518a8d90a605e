// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

namespace weft::test {

CommandBufferApi::CommandBufferApi() {
#define WEFT_FUNCTION(name)                                         \
  name = reinterpret_cast<decltype(name)>(                          \
      clGetExtensionFunctionAddressForPlatform(platform(), #name)); \
  EXPECT_NE(name, nullptr) << #name
  WEFT_FUNCTION(clCreateCommandBufferKHR);
  WEFT_FUNCTION(clRetainCommandBufferKHR);
  WEFT_FUNCTION(clReleaseCommandBufferKHR);
  WEFT_FUNCTION(clFinalizeCommandBufferKHR);
  WEFT_FUNCTION(clEnqueueCommandBufferKHR);
  WEFT_FUNCTION(clGetCommandBufferInfoKHR);
  WEFT_FUNCTION(clCommandBarrierWithWaitListKHR);
  WEFT_FUNCTION(clCommandCopyBufferKHR);
  WEFT_FUNCTION(clCommandCopyBufferRectKHR);
  WEFT_FUNCTION(clCommandCopyBufferToImageKHR);
  WEFT_FUNCTION(clCommandCopyImageKHR);
  WEFT_FUNCTION(clCommandCopyImageToBufferKHR);
  WEFT_FUNCTION(clCommandFillBufferKHR);
  WEFT_FUNCTION(clCommandFillImageKHR);
  WEFT_FUNCTION(clCommandNDRangeKernelKHR);
  WEFT_FUNCTION(clCommandSVMMemcpyKHR);
  WEFT_FUNCTION(clCommandSVMMemFillKHR);
  WEFT_FUNCTION(clUpdateMutableCommandsKHR);
  WEFT_FUNCTION(clGetMutableCommandInfoKHR);
#undef WEFT_FUNCTION
}

}  // namespace weft::test
