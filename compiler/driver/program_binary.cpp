// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/program_binary.h"

#include <llvm/Support/xxhash.h>

#include <cstring>

#include "base/byte_stream.h"
#include "driver/build_identity.h"
#include "driver/kernel_info_codec.h"
#include "pipeline/pipeline.h"
#include "weft/abi/work_group.h"
#include "weft/compiler/binary_tag.h"
#include "weft/support/checked.h"
#include "weft/support/once.h"

namespace weft::compiler {
namespace {

constexpr char kMagic[8] = {'W', 'E', 'F', 'T', 'P', 'R', 'G', '\n'};
/// Raised whenever the layout of the payload or the meaning of program IR changes.
constexpr uint32_t kFormatVersion = 12;
constexpr std::string_view kLibraryVersion = WEFT_VERSION;

struct Header {
  char magic[8];
  uint32_t formatVersion;
  uint32_t abiVersion;
  uint64_t payloadBytes;
  uint64_t checksum[2];  ///< of the fields above and of the payload
};
static_assert(sizeof(Header) == 40);
constexpr size_t kCheckedHeaderBytes = offsetof(Header, checksum);

/// xxh3 of the payload, seeded with the header's other fields by hashing them in front of it.
void computeChecksum(const Header& header, std::string_view payload, uint64_t (&out)[2]) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(payload.data());
  const llvm::XXH128_hash_t body = llvm::xxh3_128bits({bytes, payload.size()});
  uint8_t all[kCheckedHeaderBytes + 2 * sizeof(uint64_t)];
  std::memcpy(all, &header, kCheckedHeaderBytes);
  std::memcpy(all + kCheckedHeaderBytes, &body.low64, sizeof body.low64);
  std::memcpy(all + kCheckedHeaderBytes + sizeof body.low64, &body.high64, sizeof body.high64);
  const llvm::XXH128_hash_t sum = llvm::xxh3_128bits(all);
  out[0] = sum.low64;
  out[1] = sum.high64;
}

void encodeScope(ByteWriter& stream, const ProgramScope& scope) {
  stream(scope.bytes);
  stream(std::string_view(scope.image));
  stream(uint64_t{scope.pointers.size()});
  for (const ProgramScope::Pointer& pointer : scope.pointers) {
    stream(pointer.at);
    stream(pointer.target);
  }
}

/// False when something lies outside of the block, or the block is no size for one. An address
/// past its end is only ever computed.
bool decodeScope(ByteReader& stream, ProgramScope& scope) {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 40;
  stream(scope.bytes);
  stream(scope.image);
  scope.pointers.resize(stream.count(sizeof(ProgramScope::Pointer)));
  bool inside = scope.bytes <= kMaxBytes && scope.image.size() <= scope.bytes;
  for (ProgramScope::Pointer& pointer : scope.pointers) {
    stream(pointer.at);
    stream(pointer.target);
    inside = inside && rangeFits(pointer.at, sizeof(void*), scope.bytes);
  }
  return stream.good() && inside;
}

Expected<ProgramImage, std::string> decodePayload(std::string_view payload,
                                                  std::string_view hostTag) {
  ByteReader stream(std::as_bytes(std::span(payload.data(), payload.size())));
  ProgramImage image;
  if (stream.view() != kLibraryVersion || stream.view() != buildIdentity()) {
    return fail(std::string("the binary is from another version of the library\n"));
  }
  if (stream.view() != hostTag) return fail(std::string("the binary is for another host\n"));
  stream(image.kind);
  stream(image.optimize);
  stream(image.debugInfo);
  stream(image.linkOptionsEnabled);
  stream(image.privateMemory);
  stream(image.options);
  const std::string_view kernels = stream.view();
  const std::string_view blocks = stream.view();
  const std::string_view constructors = stream.view();
  const bool scopeValid = decodeScope(stream, image.programScope);
  image.bitcode = stream.view();
  if (!stream.atEnd() || !scopeValid || image.kind > ProgramKind::Executable ||
      image.privateMemory > PrivateMemory::Zeroed) {
    return fail(std::string("the binary is malformed\n"));
  }
  for (auto [bytes, table] : {std::pair(kernels, &image.kernels), std::pair(blocks, &image.blocks),
                              std::pair(constructors, &image.constructors)}) {
    auto decoded = decodeKernels(std::as_bytes(std::span(bytes.data(), bytes.size())));
    if (!decoded) return fail(std::string("the binary's table of kernels is malformed\n"));
    *table = std::move(*decoded);
  }
  return image;
}

}  // namespace

const std::string& binaryTag(CpuLevel cpu) {
  // Never destroyed: a build may still be under way when the process ends.
  static constinit Once<const std::string> tag;
  return tag.get([cpu] {
    limitHost(cpu);
    DigestBuilder digest;
    digest.add(kLibraryVersion).add(buildIdentity()).add(hostTarget().tag);
    return new std::string(digest.finish().hex().substr(0, 8));
  });
}

void identify(ProgramImage& image) {
  std::string kernels;
  encodeKernels(image.kernels, kernels);
  encodeKernels(image.blocks, kernels);
  image.identity = DigestBuilder()
                       .add(static_cast<uint64_t>(image.kind))
                       .add(uint64_t{image.optimize})
                       .add(uint64_t{image.debugInfo})
                       .add(uint64_t{image.linkOptionsEnabled})
                       .add(static_cast<uint64_t>(image.privateMemory))
                       .add(kernels)
                       .add(image.bitcode)
                       .finish();
}

std::string encodeProgram(const ProgramImage& image, std::string_view hostTag) {
  std::string kernels;
  encodeKernels(image.kernels, kernels);
  std::string blocks;
  encodeKernels(image.blocks, blocks);
  std::string constructors;
  encodeKernels(image.constructors, constructors);
  std::string out(sizeof(Header), '\0');
  out.reserve(sizeof(Header) + kernels.size() + image.bitcode.size() + 512);
  ByteWriter stream(out);
  stream(kLibraryVersion);
  stream(std::string_view(buildIdentity()));
  stream(hostTag);
  stream(image.kind);
  stream(image.optimize);
  stream(image.debugInfo);
  stream(image.linkOptionsEnabled);
  stream(image.privateMemory);
  stream(std::string_view(image.options));
  stream(std::string_view(kernels));
  stream(std::string_view(blocks));
  stream(std::string_view(constructors));
  encodeScope(stream, image.programScope);
  stream(image.bitcode);

  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.formatVersion = kFormatVersion;
  header.abiVersion = abi::kAbiVersion;
  header.payloadBytes = out.size() - sizeof header;
  computeChecksum(header, std::string_view(out).substr(sizeof header), header.checksum);
  std::memcpy(out.data(), &header, sizeof header);
  return out;
}

Expected<ProgramImage, std::string> decodeProgram(std::span<const std::byte> bytes,
                                                  std::string_view hostTag,
                                                  std::shared_ptr<const void> storage) {
  Header header;
  if (bytes.size() < sizeof header) return fail(std::string("the binary is truncated\n"));
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
    return fail(std::string("the binary is not one of this implementation\n"));
  }
  if (header.payloadBytes != bytes.size() - sizeof header) {
    return fail(std::string("the binary has the wrong size\n"));
  }
  const std::string_view payload(reinterpret_cast<const char*>(bytes.data()) + sizeof header,
                                 header.payloadBytes);
  uint64_t checksum[2];
  computeChecksum(header, payload, checksum);
  if (std::memcmp(checksum, header.checksum, sizeof checksum) != 0) {
    return fail(std::string("the binary is corrupted\n"));
  }
  if (header.formatVersion != kFormatVersion || header.abiVersion != abi::kAbiVersion) {
    return fail(std::string("the binary is from another version of the library\n"));
  }
  WEFT_TRY(ProgramImage image, decodePayload(payload, hostTag));
  image.storage = std::move(storage);
  identify(image);
  return image;
}

}  // namespace weft::compiler
