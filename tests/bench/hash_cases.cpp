// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <bit>
#include <cmath>

#include "compute.h"

// The references take their constants from where the algorithms have them.
namespace weft::bench {
namespace {

/// The first 32 bits behind the point.
cl_uint fraction(long double x) {
  return static_cast<cl_uint>((x - std::floor(x)) * 4294967296.0L);
}

std::array<cl_uint, 64> firstPrimes() {
  std::array<cl_uint, 64> primes{};
  size_t count = 0;
  for (cl_uint n = 2; count < primes.size(); ++n) {
    const auto divides = [n](cl_uint prime) { return n % prime == 0; };
    if (std::none_of(primes.begin(), primes.begin() + static_cast<long>(count), divides))
      primes[count++] = n;
  }
  return primes;
}

using Digest = std::array<cl_uint, 8>;

void sha256Block(Digest& state, const std::array<cl_uint, 16>& block) {
  static const std::array<cl_uint, 64> primes = firstPrimes();
  std::array<cl_uint, 64> w{};
  std::ranges::copy(block, w.begin());
  for (size_t i = 16; i < 64; ++i) {
    const cl_uint early = w[i - 15], late = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3)) +
           (std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10));
  }
  Digest s = state;
  for (size_t i = 0; i < 64; ++i) {
    const cl_uint t1 = s[7] + (std::rotr(s[4], 6) ^ std::rotr(s[4], 11) ^ std::rotr(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                       fraction(std::cbrt(static_cast<long double>(primes[i]))) + w[i];
    const cl_uint t2 = (std::rotr(s[0], 2) ^ std::rotr(s[0], 13) ^ std::rotr(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s = {t1 + t2, s[0], s[1], s[2], s[3] + t1, s[4], s[5], s[6]};
  }
  for (size_t i = 0; i < 8; ++i) state[i] += s[i];
}

Digest sha256Of(const cl_uint* words) {
  Digest state{};
  for (size_t i = 0; i < 8; ++i)
    state[i] = fraction(std::sqrt(static_cast<long double>(firstPrimes()[i])));
  std::array<cl_uint, 16> block{};
  std::copy_n(words, 16, block.begin());
  sha256Block(state, block);
  block = {0x80000000};
  block[15] = 512;
  sha256Block(state, block);
  return state;
}

double sha256(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 16;
  const auto messages = randoms<cl_uint>(kCount * 16, 0, 4e9);
  std::vector<cl_uint> digests(kCount * 8);
  const double seconds = ComputeKernel(platform, "hash.cl", "sha256")
                             .in(messages)
                             .out(digests)
                             .seconds({{kCount}, {64}});
  expect(digests, [&](size_t i) { return sha256Of(&messages[i / 8 * 16])[i % 8]; }, 0, 123);
  return 1e-6 * kCount / seconds;
}

std::array<cl_uint, 4> md5Of(cl_uint number, cl_uint salt) {
  constexpr int kTurns[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  constexpr std::array<cl_uint, 4> kStart = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const std::array<cl_uint, 16> words = {number, salt, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64};
  std::array<cl_uint, 4> s = kStart;
  for (cl_uint n = 0; n < 64; ++n) {
    const auto [a, b, c, d] = s;
    const std::array<cl_uint, 4> mixed = {(b & c) | (~b & d), (d & b) | (~d & c), b ^ c ^ d,
                                          c ^ (b | ~d)};
    const std::array<cl_uint, 4> word = {n, 5 * n + 1, 3 * n + 5, 7 * n};
    const auto constant =
        static_cast<cl_uint>(std::abs(std::sin(static_cast<double>(n) + 1)) * 4294967296.0);
    const cl_uint sum = a + mixed[n / 16] + constant + words[word[n / 16] % 16];
    s = {d, b + std::rotl(sum, kTurns[n / 16][n % 4]), b, c};
  }
  for (size_t i = 0; i < 4; ++i) s[i] += kStart[i];
  return s;
}

double md5(const std::string& platform) {
  constexpr size_t kCount = size_t{1} << 18;
  constexpr cl_uint kSalt = 0x74666557;
  std::vector<cl_uint> digests(kCount * 4);
  const double seconds =
      ComputeKernel(platform, "hash.cl", "md5").out(digests).value(kSalt).seconds({{kCount}, {64}});
  expect(
      digests, [&](size_t i) { return md5Of(static_cast<cl_uint>(i / 4), kSalt)[i % 4]; }, 0, 123);
  return 1e-6 * kCount / seconds;
}

constexpr Case kCases[] = {
    {"sha256", "Mhash/s", true, sha256, "compute"},
    {"md5", "Mhash/s", true, md5, "compute"},
};

}  // namespace

std::span<const Case> hashCases() { return kCases; }

}  // namespace weft::bench
