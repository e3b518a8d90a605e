// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/pipe.h"

#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "platform/limits.h"

namespace weft {

static_assert(limits::kMemoryAlignment % abi::kPipeAlignment == 0);
static_assert(limits::kMaxPipePacketSize <= UINT32_MAX);

Pipe::Pipe(Context& context, size_t bytes, HostBlock block)
    : Memory(context, CL_MEM_OBJECT_PIPE, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, bytes, {}),
      block_(std::move(block)) {
  data_ = block_.data();
}

Result<Ref<Pipe>> Pipe::create(Context& context, cl_uint packetBytes, cl_uint packets) {
  const size_t bytes = abi::pipeBytes(packets, packetBytes);
  HostBlock block;
  if (packets <= abi::kMaxPipePackets) block = HostBlock::allocate(bytes);
  if (!block) {
    context.notify("no memory for a pipe of " + std::to_string(bytes) + " bytes");
    return clError(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
  // All places are empty.
  std::memset(block.data(), 0, abi::pipePackets(packets));
  auto* header = new (block.data()) abi::Pipe{};
  header->capacity = packets;
  header->packetBytes = packetBytes;
  header->packets = abi::pipePackets(packets);
  return makeRef<Pipe>(context, bytes, std::move(block));
}

}  // namespace weft
