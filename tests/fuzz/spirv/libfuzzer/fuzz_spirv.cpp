// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// libFuzzer's program for modules of SPIR-V: all that comes before LLVM's passes. What it is given
// first are the modules of the tests; half of the changes are those of tests/fuzz/spirv, which know
// where words and instructions begin.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>

#include "frontend/spirv/binary.h"
#include "frontend/spirv/read_module.h"
#include "spirv_mutate.h"
#include "support/spirv_samples.h"

extern "C" {
[[gnu::visibility("default")]] int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
[[gnu::visibility("default")]] size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                                              size_t maxSize, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maxSize);
}

namespace {

const std::vector<std::string>& samples() {
  static const auto* const all = new std::vector<std::string>(weft::test::samples::all());
  return *all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace weft::compiler;
  const std::string words(reinterpret_cast<const char*>(data), size);
  (void)spirv::readModule({words, {}}, {}, false);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  std::string words(reinterpret_cast<const char*>(data), size);
  if (!weft::compiler::spirv::Binary::isModule(std::as_bytes(std::span(words))) ||
      words.size() < 24)
    words = samples()[random() % samples().size()];
  else if (random() % 2 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  words = weft::test::mutate(samples(), words, random);
  if (words.size() > maxSize) words.resize(maxSize);
  std::memcpy(data, words.data(), words.size());
  return words.size();
}
