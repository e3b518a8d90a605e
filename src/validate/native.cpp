// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "validate/native.h"

#include <cstdint>
#include <cstring>

#include "validate/memory.h"
#include "weft/support/checked.h"

namespace weft::validate {

Result<NativeArguments> nativeArguments(const Queue& queue, const void* arguments, size_t size,
                                        cl_uint count, const cl_mem* objects, const void** places) {
  const bool hasObjects = count != 0;
  if ((arguments == nullptr) != (size == 0)) return clError(CL_INVALID_VALUE);
  if (hasObjects && arguments == nullptr) return clError(CL_INVALID_VALUE);
  if (hasObjects != (objects != nullptr) || hasObjects != (places != nullptr))
    return clError(CL_INVALID_VALUE);

  NativeArguments result;
  const auto* const first = static_cast<const std::byte*>(arguments);
  result.bytes.assign(first, first + size);
  for (cl_uint i = 0; i < count; ++i) {
    const size_t offset =
        reinterpret_cast<uintptr_t>(places[i]) - reinterpret_cast<uintptr_t>(arguments);
    if (!rangeFits(offset, sizeof(void*), size)) return clError(CL_INVALID_VALUE);
    void* address = nullptr;
    if (objects[i] != nullptr) {
      WEFT_TRY(Buffer * memory, bufferOf(queue, objects[i]));
      address = memory->data();
      result.memory.emplace_back(memory);
    }
    std::memcpy(result.bytes.data() + offset, &address, sizeof address);
  }
  return result;
}

}  // namespace weft::validate
