// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/transfer.h"

#include <cstring>

#include "validate/memory.h"

namespace weft::validate {

Result<CheckedTransfer> copyBuffer(const Context& context, cl_mem source, cl_mem target,
                                   size_t sourceOffset, size_t targetOffset, size_t size) noexcept {
  WEFT_TRY(Buffer * from, bufferOf(context, source));
  WEFT_TRY(Buffer * to, bufferOf(context, target));
  WEFT_TRY_VOID(range(*from, sourceOffset, size));
  WEFT_TRY_VOID(range(*to, targetOffset, size));
  WEFT_TRY_VOID(commandWrites(*to));
  WEFT_TRY_VOID(noOverlap(*from, sourceOffset, *to, targetOffset, size));
  const LinearCopy copy{from->data() + sourceOffset, to->data() + targetOffset, size};
  return CheckedTransfer{copy, from, to};
}

Result<CheckedTransfer> copyBufferRect(const Context& context, const RectSide& source,
                                       const RectSide& target, const size_t* region) noexcept {
  WEFT_TRY(Buffer * from, bufferOf(context, source.buffer));
  WEFT_TRY(Buffer * to, bufferOf(context, target.buffer));
  WEFT_TRY(const RectRegion box, rectRegion(region));
  WEFT_TRY(const RectLayout fromLayout,
           rectLayout(*from, source.origin, box, source.rowPitch, source.slicePitch));
  WEFT_TRY(const RectLayout toLayout,
           rectLayout(*to, target.origin, box, target.rowPitch, target.slicePitch));
  WEFT_TRY_VOID(commandWrites(*to));
  WEFT_TRY_VOID(rectCopy(*from, fromLayout, *to, toLayout, box));
  return CheckedTransfer{rectCopyOf(from->data(), fromLayout, to->data(), toLayout, box), from, to};
}

Result<CheckedTransfer> fillBuffer(const Context& context, cl_mem target, const void* pattern,
                                   size_t patternSize, size_t offset, size_t size) noexcept {
  WEFT_TRY(Buffer * to, bufferOf(context, target));
  WEFT_TRY_VOID(fillPattern(pattern, patternSize, offset, size));
  WEFT_TRY_VOID(range(*to, offset, size));
  WEFT_TRY_VOID(commandWrites(*to));
  Fill fill{to->data() + offset, size, {}, patternSize};
  std::memcpy(fill.pattern.data(), pattern, patternSize);
  return CheckedTransfer{fill, to};
}

}  // namespace weft::validate
