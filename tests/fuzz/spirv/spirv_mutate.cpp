// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv_mutate.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace weft::test {
namespace {

using Words = std::vector<uint32_t>;
constexpr size_t kHeaderWords = 5;

Words wordsOf(const std::string& bytes) {
  Words words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

class Mutation {
 public:
  Mutation(Words words, std::mt19937& random) : words_(std::move(words)), random_(random) {}

  const Words& words() const { return words_; }

  void run(const Words& other) {
    if (words_.size() <= kHeaderWords) return;
    const size_t at = place();
    switch (below(10)) {
      case 0:
        words_[at] ^= 1U << below(32);
        break;
      case 1:
        std::swap(words_[at], words_[place()]);
        break;
      case 2:
        words_[at] = words_[place()];
        break;
      case 3:
        words_[at] = (words_[at] & ~0xffU) | below(64);  // another instruction, or another id
        break;
      case 4:
        words_[at] = below(std::max(words_[3], 1U));
        break;
      case 5:
        words_[at] = kEdges[below(kEdges.size())];
        break;
      case 6:
        erase(instruction());
        break;
      case 7:
        move(below(2) != 0);
        break;
      case 8:
        take(other);
        break;
      default:
        if (below(4) == 0) words_.resize(words_.size() - below(words_.size() - kHeaderWords));
        break;
    }
  }

 private:
  static constexpr std::array<uint32_t, 10> kEdges = {
      0, 1, 2, 31, 64, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff};

  struct Range {
    size_t begin, end;
  };

  uint32_t below(size_t limit) { return static_cast<uint32_t>(random_() % limit); }
  size_t place() { return kHeaderWords + below(words_.size() - kHeaderWords); }

  /// One that begins where the ones before it end.
  Range instructionOf(const Words& words) {
    std::vector<Range> all;
    for (size_t at = kHeaderWords; at < words.size();) {
      const size_t length = std::clamp<size_t>(words[at] >> 16, 1, words.size() - at);
      all.push_back({at, at + length});
      at += length;
    }
    return all.empty() ? Range{words.size(), words.size()} : all[below(all.size())];
  }
  Range instruction() { return instructionOf(words_); }

  void erase(Range range) {
    words_.erase(words_.begin() + static_cast<ptrdiff_t>(range.begin),
                 words_.begin() + static_cast<ptrdiff_t>(range.end));
  }

  void insert(const Words& part) {
    const size_t at = instruction().begin;
    words_.insert(words_.begin() + static_cast<ptrdiff_t>(at), part.begin(), part.end());
  }

  void move(bool stays) {
    const Range from = instruction();
    const Words part(words_.begin() + static_cast<ptrdiff_t>(from.begin),
                     words_.begin() + static_cast<ptrdiff_t>(from.end));
    if (!stays) erase(from);
    insert(part);
  }

  void take(const Words& other) {
    const Range from = instructionOf(other);
    insert(Words(other.begin() + static_cast<ptrdiff_t>(from.begin),
                 other.begin() + static_cast<ptrdiff_t>(from.end)));
  }

  Words words_;
  std::mt19937& random_;
};

}  // namespace

std::string mutate(std::span<const std::string> others, std::string words, std::mt19937& random) {
  Mutation mutation(wordsOf(words), random);
  for (size_t n = 1 + random() % 4; n > 0; --n)
    mutation.run(wordsOf(others.empty() ? words : others[random() % others.size()]));
  const Words& result = mutation.words();
  words.assign(reinterpret_cast<const char*>(result.data()), result.size() * 4);
  // Rarely, an end that is no word's.
  if (random() % 64 == 0 && !words.empty()) words.pop_back();
  return words;
}

}  // namespace weft::test
