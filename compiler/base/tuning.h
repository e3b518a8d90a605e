// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// Every threshold by which the compiler decides whether something pays, with its unit and where it
/// comes from. What must hold for code to be right is no threshold and stands where it is needed;
/// so do bounds that only keep an analysis from running long. How long launches wait for final code
/// stands in driver/tier_policy.h.
///
/// "Zen 5" is an AMD EPYC with AVX-512. "Guess" means that nobody has measured others; each of
/// these was checked with the benchmark in the tree as it was, and with nothing else.
namespace weft::compiler::tuning {

// Inlining, in instructions of LLVM.

/// A kernel with all that is inlined into it. Optimising 1,000 instructions takes some 20 ms.
inline constexpr uint64_t kInlineBudget = 6000;
/// Functions that cost no more inlined than called. Guess.
inline constexpr uint64_t kAlwaysInlined = 16;
/// The same for the library's, whose arguments have to be shuffled for a call. Guess.
inline constexpr uint64_t kTinyLibraryFunction = 24;

/// What becomes of a call that reads or writes an image once its format is known. Guess.
inline constexpr uint64_t kImageAccess = 60;

// Private arrays.

/// Elements that a copy or fill of an array is split into. Guess.
inline constexpr uint64_t kSplitElements = 64;
/// Instructions that a loop may become when it is unrolled to make an array go away: more than LLVM
/// allows for loops in general, since an array that stays costs memory in every access to it.
/// SHOC's sgemm, 16 sums of floats: 1.5 times as fast (Zen 5).
inline constexpr uint64_t kUnrolledForArray = 1024;
/// Bytes that the private variables of a lane group may take: the first-level cache.
inline constexpr uint64_t kPrivateBytes = uint64_t{32} << 10;
/// And where the number of lanes is forced: what a frame holds, with room to spare.
inline constexpr uint64_t kForcedPrivateBytes = uint64_t{256} << 20;

// Barrier loops.

/// Instructions that a loop with barriers may become when the steps of a tree are unrolled. A scan
/// of 1024 is larger: 3.9 Gitems/s unrolled where loops have 2.1, for ten times the compile time
/// (Zen 5).
inline constexpr unsigned kUnrolledTree = 1500;
/// Instructions of a chain that is computed again rather than kept from barrier to barrier. A cell
/// costs a store and a load for each work-item, and hides from the vectoriser how a value depends
/// on the id. Guess.
inline constexpr unsigned kRecomputed = 12;
/// Instructions of an entry that is put into a loop over groups whole: beyond, the call does not
/// count. From the first-level cache a group of 64 takes 1.3 ns in a loop, 3.3 ns called (Zen 5).
inline constexpr uint64_t kLoopedEntry = 1000;

// How many lanes.

/// Lanes of a lane group.
inline constexpr unsigned kMostLanes = 64;
/// Elements in a value of all lanes together, since shuffles have to stay affordable. Guess.
inline constexpr unsigned kMostComponents = 256;
/// Operations on registers in one iteration from which on narrower lanes are taken where they are
/// fewer, and beyond which compiling takes longer than lanes save. Guesses: bcrypt and sha512crypt
/// are beyond, and lose for it.
inline constexpr uint64_t kManyOperations = 800;
inline constexpr uint64_t kMostOperations = 4000;
/// The latter for vectors of so many elements or more, which need the fewest lanes and give code
/// generation the most to do. Guess.
inline constexpr unsigned kWideVector = 8;
inline constexpr uint64_t kMostOperationsOnWideVectors = 600;
/// What is in inner loops counts so many times. Guess.
inline constexpr unsigned kLoopWeight = 8;
/// Instructions that have to become vectors to make up for handing a call its operands lane by
/// lane. Few do: the lanes of a loop of calls do not wait for each other.
inline constexpr unsigned kWorkOfCall = 2;
/// Lanes that each load along a row of its own, in a loop: as many as a set of the first-level
/// cache has lines, since rows are often a multiple of 4 KiB apart and all in one set; where such
/// loads are at least one in so many instructions. A matrix of 2048 x 2048 floats times a vector, a
/// row each: 15.7 GB/s in 8 lanes, 1.8 in 64, 3.5 in one (Zen 4). So many lanes load one by one
/// even where there are gathers, which nobody fetches ahead for: rows of 397 floats, 33 MB in all,
/// take 10.6 ms gathered, 2.4 so (AVX-512 code, Zen 4).
inline constexpr unsigned kLanesAlongRows = 8, kWorkOfRow = 8;
/// Cycles until a value is there that the next iteration needs: from the first-level cache, of sums
/// and products of floats and products of integers, of quotients (Zen 4 and later, Skylake and
/// later, within a cycle or two); and operations a cycle that lanes' rows are read at: guess. Sums
/// of float rows of 912 in 8 lanes: 4.0 times as fast as one after the other, of 475 2.8 times
/// (AVX2 code, Zen 4).
inline constexpr unsigned kLoadCycles = 5, kSumCycles = 4, kQuotientCycles = 12;
inline constexpr unsigned kOperationsACycle = 3;
/// A row of the program's own vectors is left to one work-item where they grow this large: uchar4
/// summed in int4 takes 0.35 of the time of 32 lanes, float4 0.52 (AVX2 code, Zen 4).
inline constexpr unsigned kOwnVectorBits = 128;
/// Straight-line code of so many instructions is bound by latency, and the next iteration is beyond
/// the reorder buffer: two vectors at once. Black-Scholes, 190 instructions: 0.7 of the
/// time (Zen 5).
inline constexpr unsigned kLongCode = 80, kTooLongCode = 400;
/// Shorter code than this takes two vectors as well. Guess.
inline constexpr unsigned kShortCode = 16;
/// Vectors at once in inner loops: registers left free, chains that fill the time of a fused
/// multiplication and addition (4 cycles, two a cycle), instructions of the body (guess).
inline constexpr unsigned kTemporaries = 3, kEnoughChains = 8, kInterleavedBody = 128;
/// Trip count, and operations in all iterations, of a loop over lane groups that is unrolled.
/// Guess.
inline constexpr uint64_t kUnrolledTrips = 64, kUnrolledOperations = 256;
/// Lanes of loops of atomic operations: 16 of them count bytes in 0.89 of the time of one, and more
/// in no less (Zen 5).
inline constexpr unsigned kAtomicLanes = 16;
/// Bits that lanes which count in local memory load at once: a cache line.
inline constexpr unsigned kLineBits = 512;

// Masks and blocks.

/// A masked block below this cost is run without a branch around it for an empty mask. Guess.
inline constexpr unsigned kGuardCost = 10;
/// Instructions of a block that is written for all lanes active too: larger ones compute so much
/// that masks on their accesses hardly count. Sobel on bytes: 0.55 of the time (Zen 5, from
/// memory).
inline constexpr unsigned kWholeBlock = 80;
/// Instructions that are copied in a function whose loops have several entries. Guess.
inline constexpr size_t kCopiedForEntries = 400;
/// Lanes for which code that runs lane by lane is unrolled, and where each takes an instruction or
/// two. Guess.
inline constexpr unsigned kUnrolledLanes = 16, kUnrolledCounts = 64;
/// The same for updates of local memory at places that come out of vectors one by one: what the
/// processor has learnt of stores and the loads after them does not reach for more. 5.5 million
/// counts in bins at random: 1.4 to 1.9 ms in 8 lanes, 7 to 16 ms in 16 to 64, 1.2 at one (Zen 4).
inline constexpr unsigned kUnrolledLocalAtomics = 8;
/// Loads or stores of single lanes that an access is written out as.
inline constexpr unsigned kUnrolledCells = 64;
/// Bytes of the largest vector of the language.
inline constexpr unsigned kLargestVector = 128;

// Memory.

/// What a gather or scatter takes for each lane, in units of a wide access or a shuffle: 0.27 ns
/// for vgatherdps from the first-level cache, 0.41 for scalar loads and insertions, 0.3 to 0.36 for
/// scatters and extractions (Zen 5).
inline constexpr unsigned kGatheredLane = 2;
/// The same where it is a loop over the lanes. Guess.
inline constexpr unsigned kLoopedLane = 4;
/// What a mask for a piece takes besides: of structures of 8 elements gathers and scatters for half
/// of the lanes are as fast (Zen 5).
inline constexpr unsigned kMaskedPiece = 8;
/// The same of a store with gaps where masks are no registers: vpmaskmov takes 8 cycles on Zen 4,
/// so floats 20 bytes apart are stored in 0.24 of the time one by one (AVX2 code).
inline constexpr unsigned kStoreWithGaps = 8;
/// Elements from lane to lane beyond which wide accesses are not worth it. Guess.
inline constexpr unsigned kMostStride = 16;
/// Accesses for which rows are guessed: each is written twice. Guess.
inline constexpr size_t kGuessedAccesses = 48;
/// Operations for each access to another cache line, those for addresses included, from which on it
/// hardly counts in which order rows run. Guess.
inline constexpr unsigned kOperationsForEachLine = 24;
/// What an access costs where neighbours' places are far apart, in accesses to what lies side by
/// side; and how many times as much the accesses along dimension 0 have to cost for rows to be
/// along another one. Guesses; a matrix of 2048 x 2048 floats scaled by its transposed ids takes a
/// thirtieth of the time (Zen 4).
inline constexpr uint64_t kScatteredAccess = 8;
inline constexpr uint64_t kDearerRows = 2;
/// Operations in an inner loop's body for each cache line that is fetched ahead: fetches that are a
/// quarter of a product of matrices in the second-level cache cost it a fifth. And how many lane
/// groups ahead: sums of `entry[j * rows + i] * x[column[j * rows + i]]`, 15 MB of doubles in 16
/// lanes, take 9.8 ns for each term with none, 2.5 at one, 1.9 at two, 2.1 at four; asked for some
/// iterations ahead in their place, 6.2 (AVX2 code, Zen 4).
/// Under masks an operation counts for several, which make masks fit registers and select by them:
/// searches of `in[j * n + i]` that each lane leaves on its own are 3 to 8 times as fast (AVX2
/// code, Zen 4; AVX-512 1.4 to 8), where for products of matrices eight operations are too few.
inline constexpr uint64_t kOperationsForEachFetch = 16;
inline constexpr uint64_t kGroupsAhead = 2;
inline constexpr uint64_t kMaskedOperation = 4;
/// Vectors of local memory that a load is put together from. Guess.
inline constexpr unsigned kForwardedSources = 4;

}  // namespace weft::compiler::tuning
