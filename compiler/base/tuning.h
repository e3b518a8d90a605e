// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

/// Every threshold by which the compiler decides whether something pays, and how launches run, with
/// its unit and where it comes from. What must hold for code to be right is no threshold and stands
/// where it is needed; so do bounds that only keep an analysis from running long. How long launches
/// wait for final code stands in driver/tier_policy.h.
///
/// "Zen 5" is an AMD EPYC with AVX-512, "Zen 4" one with it as well; "host not recorded" means that
/// what was measured is known, and not where. "Guess" means that nobody has measured others; each
/// of these was checked with the benchmark in the tree as it was, and with nothing else.
namespace weft::compiler::tuning {

// Inlining, in instructions of LLVM.

/// A kernel with all that is inlined into it. Optimising 1,000 instructions takes some 20 ms,
/// behind quick code where that is long. Functions out of line are called for each lane: with
/// theirs inlined, hashcat's descrypt, LM, sha512crypt and TrueCrypt are 13, 12, 3.3 and 1.8 times
/// as fast as with 6,000 (Zen 5, AVX-512), and seven others as they were; final code of descrypt
/// takes 0.94 s, not 0.25.
inline constexpr uint64_t kInlineBudget = 20000;
/// Instructions of all copies of a function of the library, from which on lanes call one copy: more
/// do not fit the first cache of instructions, 32 KiB, as they take some 10 bytes each. 110
/// exponentials of doubles, 2,530 instructions, take 0.5 to 0.9 of the time, of floats, 1,980, 0.8;
/// 56 of floats 1.1 to 1.2 times as long (Zen 4, 512-bit registers).
inline constexpr uint64_t kSharedMaths = 1500;
/// Functions that cost no more inlined than called. Guess.
inline constexpr uint64_t kAlwaysInlined = 16;
/// The same for the library's, whose arguments have to be shuffled for a call. Guess.
inline constexpr uint64_t kTinyLibraryFunction = 24;

/// What becomes of a call that reads or writes an image once its format is known. Guess.
inline constexpr uint64_t kImageAccess = 60;

// Functions that are not optimised, since that takes time in the square of what they have.

/// Blocks. Of 20,000, optimisation took minutes (Zen 5).
inline constexpr size_t kMostBlocks = 8192;
/// Instructions in one, without those that access variables. Straight code of 64 variables takes
/// 2.3 s at 32,000 and 18 s at 128,000; where each depends on the one before, the worst there is,
/// 4.3 s at 8,000. What is not optimised is 20 to 40 times as slow (Zen 5).
inline constexpr size_t kMostInBlock = 32768;

/// Instructions in a module up to which code generation asks what had better be in mask registers.
/// A chain of 8,000 scalar operations takes 5.2 s without, 8.5 s with it (Zen 5).
inline constexpr size_t kMostForMaskSearch = 2000;

// Reductions into global memory.

/// Instructions of a launch for each element that a thread has of its own, which takes 0.6 to 0.7
/// ns to clear and to merge, as long as some eight of them. A launch of 2^20 work-items that might
/// update 22,000 elements and never does takes 58 to 63 us with copies, 149 without (Zen 4).
inline constexpr double kInstructionsPerCopiedElement = 40;
/// Instructions of a launch for each such element from which on lanes read minima, maxima, ands and
/// ors first, since few of them change it. Maxima of numbers in no order, 2^21 of eight
/// instructions into 2^6 to 2^15 elements of each of two threads: 16,384 to 256 for each 1.1 to 1.4
/// times as fast with AVX2 code, 128 level, 32 0.6 times; with AVX-512 code 1.3 to 2.9, 1.0 and 1.1
/// times. Ors gain down to 64 and 32 (Intel Xeon).
inline constexpr double kInstructionsPerSettledElement = 2000;
/// Bytes of a thread's elements: what stays in its caches. Guess.
inline constexpr uint64_t kMostReductionBytes = uint64_t{1} << 20;

// Private arrays.

/// Elements that a copy or fill of an array is split into. Guess.
inline constexpr uint64_t kSplitElements = 64;
/// Instructions that a loop may become when it is unrolled to make an array go away: more than LLVM
/// allows for loops in general, since an array that stays costs memory in every access to it.
/// SHOC's sgemm, 16 sums of floats: 1.5 times as fast (Zen 5).
inline constexpr uint64_t kUnrolledForArray = 1024;
/// Rows of a group whose inner loops are run as one where they share loads, at most; instructions
/// of all of them; and vector registers left for what is neither carried round the loop nor shared.
/// Guesses.
inline constexpr unsigned kMostJammedRows = 8, kSpareRegisters = 3;
inline constexpr uint64_t kJammedSize = 1024;
/// Instructions that order-values chooses the next one from, and with how many operands that are
/// still to be computed, at most: limits on its time, in code of any length.
inline constexpr unsigned kOrderedGoals = 64, kOrderedOperands = 16;
/// What a spill that another order spares has to weigh against instructions for that order to be
/// taken: code generation reorders a little by itself. A butterfly of 64 floats that spares 11%
/// runs 1.07 to 1.23 times as fast, a hash that would spare 8% 0.93 times (AVX2, Zen 3).
inline constexpr unsigned kWorkOfSpill = 10;
/// Instructions of an iteration of a loop that groups go through in lockstep, for each value that a
/// work-item keeps until the next: a store and a load are an eighth of them. Guess.
inline constexpr uint64_t kWorkInLockstep = 16;
/// The same of several iterations, where one is less, and what they are at least. Guesses: sums and
/// maxima of products of 1024 x 1024, in turns of 64 iterations, 1.25x to 1.54x in groups of 16 x
/// 16, 32 x 8 and 64 x 4 with AVX-512, 1.5x to 2.35x with AVX2 code, tinygrad's product in turns of
/// 8 1.2x and 1.0x (Intel Xeon).
inline constexpr uint64_t kWorkOfTurn = 64, kLeastTurn = 512;
/// The most iterations of a turn, and the trip count of loops where it is not known, for what they
/// read: those of 4 to 256 iterations that read one line in each take up to twice as long in turns,
/// of 1024 0.4 to 1.3 of the time.
inline constexpr uint64_t kLongLoop = 64;
/// Vector registers that a row of floats fills, at most, where groups are chosen for that: products
/// of matrices in groups of 64 x 4, 32 x 8 and 16 x 16 reach 195, 207 and 195 GFLOP/s with 16
/// floats in each of 32 registers, 28, 76 and 110 with 8 in each of 16, where the flat form has 55
/// and 58 (Zen 4).
inline constexpr uint32_t kSharedRowRegisters = 4;
/// Instructions of a work-item, of a block of its code or of what runs a group, of which there are
/// two versions, one for where all ids are within the limits of the range. Guess.
inline constexpr uint64_t kVersionedItem = 500;
/// The part of a row that has to be between its borders for it to have a loop of its own, as a
/// fraction: what is left runs under masks, and begins and ends where no lanes do. And work-items
/// in a row whose code has inner loops, in many lanes. Five neighbours in a loop, of floats (Zen 4,
/// AVX2 and AVX-512 code): behind conditions rows of 256 and 384 take 0.75 and 0.59, 0.70 and 0.60
/// of the time; clamped 0.90 and 0.75, 0.97 and 0.84, and rows of 192 1.06 and 1.10. Nine
/// neighbours in straight code: rows of 100 to 384 0.70 to 0.77 and 0.80 to 0.88.
inline constexpr std::pair<uint64_t, uint64_t> kMiddle{7, 8};
inline constexpr uint64_t kLeastRowWithLoops = 256;
/// Instructions of a loop that updates a place by compare-and-swap for lanes to run it one after
/// the other: computing in lanes what is written pays once that takes longer than the locked
/// instruction, which costs some 20 cycles. Guess.
inline constexpr uint64_t kUpdateInstructions = 64;
/// Pauses of a thread whose compare-and-swap has failed, some 3 us on Zen 4: two threads that add
/// floats at random to 16 and 256 places take 10 to 12 ns for each as they are, 4 to 7 with 64 and
/// 3 with 256 pauses; to 65,536 places 3 in any case. One thread takes 2.3.
inline constexpr uint32_t kPausesOfLosers = 256;
/// Instructions of an inner loop that there may be twice, for lanes that all go on and for those
/// that leave at different times. Guess.
inline constexpr uint64_t kSplitLoop = 120;
/// Of the first-level cache, on the smallest host.
inline constexpr uint64_t kFirstCacheBytes = uint64_t{32} << 10;
/// Bytes that the private variables of a lane group may take.
inline constexpr uint64_t kPrivateBytes = kFirstCacheBytes;
/// And where the number of lanes is forced: what a frame holds, with room to spare.
inline constexpr uint64_t kForcedPrivateBytes = uint64_t{256} << 20;

// Barrier loops.

/// Instructions that a loop with barriers may become when the steps of a tree are unrolled. A scan
/// of 1024 is larger: 3.9 Gitems/s unrolled where loops have 2.1, for ten times the compile time
/// (Zen 5).
inline constexpr unsigned kUnrolledTree = 1500;
/// The same of a nest of two: a bitonic sort of 1024 keys is 2,100.
inline constexpr unsigned kUnrolledNest = 2500;
/// Instructions of a chain that is computed again rather than kept from barrier to barrier. A cell
/// costs a store and a load for each work-item, and hides from the vectoriser how a value depends
/// on the id: places in padded tiles of matrices take 13 to 20. Guess.
inline constexpr unsigned kRecomputed = 24;
/// Instructions of an entry that is put into a loop over groups whole: beyond, the call does not
/// count. From the first-level cache a group of 64 takes 1.3 ns in a loop, 3.3 ns called (Zen 5).
inline constexpr uint64_t kLoopedEntry = 1000;

/// Trip count of a loop with barriers that is unrolled: the halves that a local size of 65,536 has.
inline constexpr unsigned kTreeTrips = 16;
/// Bytes that one group may keep between its barriers: what is not in a second-level cache any more
/// costs what switching fibers does, which keep the same on their stacks. A Fourier transform whose
/// groups of 4,096 keep 600 KB is 1.6 times as fast in loops as in fibers (VkFFT, Intel Xeon with
/// 2 MiB of that cache), and was as fast with narrower code and 1 MiB (Zen 5).
inline constexpr uint64_t kContextBytes = uint64_t{2} << 20;
/// One part in so many of a range's groups that may be smaller than the rest and share a variant
/// for groups up to a size, which may take ten times as long as one for their own. Guess.
inline constexpr uint64_t kFewEdges = 64;

// How launches run.

/// Work-items in a row of a tile of the flat form, and rows from which on a box is run in tiles,
/// where a kernel has something to gain: reading 64 columns of rows that are not in the cache takes
/// two to four times as long as reading whole rows (host not recorded).
inline constexpr uint64_t kTileItems = 64, kTiledRows = 8;
/// Rows that fill a line of the cache, one below the other, of elements of one byte; of floats a
/// quarter of that does.
inline constexpr uint64_t kRowsOfLine = 64;
/// Tiles where the places that a row touches collide: fewer columns than a set of the first-level
/// cache has lines, and the rows that fill a line of floats. Rows of a multiple of so many elements
/// are taken to collide: transposing 2048 x 2048 floats is 5 times as fast, but other sizes take
/// twice as long (host not recorded).
inline constexpr uint64_t kNarrowItems = 8, kNarrowRows = 16, kCollidingItems = 1024;
/// Work-items in a row that is not along dimension 0, for what a kernel gains by that, and in rows
/// that are along another dimension because there are hardly any along dimension 0. Guesses.
inline constexpr uint64_t kShortRow = 8, kLongRow = 64;
/// Work-items in a group's row below which its rows are run as one, whose ids are vectors. Guess.
inline constexpr uint32_t kTinyRow = 8;

// What a launch will take, in instructions.

/// Division and the like, an atomic access. Guess.
inline constexpr int64_t kSlowOperation = 8;
/// A call of a function that nothing is known of. Guess.
inline constexpr int64_t kUnknownCall = 20;
/// Bits of a register that vectors are counted in: SSE's, which all hosts have.
inline constexpr unsigned kCountedBits = 128;
/// Trip count of a loop that halves or doubles what it counts by. Guess.
inline constexpr int64_t kHalvingTrips = 8;

// How many lanes.

/// Lanes of a lane group.
inline constexpr unsigned kMostLanes = 64;
/// Elements in a value of all lanes together, since shuffles have to stay affordable. Guess.
inline constexpr unsigned kMostComponents = 256;
/// Operations on registers in one iteration from which on narrower lanes are taken where they are
/// fewer (guess), and beyond which there are no lanes, to bound the time that compiling takes. Four
/// blocks of SHA-512 written out are 11,100, an FFT of 128 doubles in registers 4,400: in lanes 5
/// to 10 times as fast, with AVX2 2.6 to 3.7 times, and optimised in 1.1 s and 0.6 s, where one
/// lane takes 10 s and 0.6 s for LLVM's straight-line vectoriser (Zen 4).
inline constexpr uint64_t kManyOperations = 800;
inline constexpr uint64_t kMostOperations = 16000;
/// The latter for vectors of so many elements or more, which give code generation the most to do.
/// An FFT of 32 float8, 5,800 operations, is 2.7 times as fast in lanes and takes 0.21 s rather
/// than 0.07; one of 16 float16, 4,600, 5.7 times and 0.09 s rather than 0.04 (Zen 4).
inline constexpr unsigned kWideVector = 8;
inline constexpr uint64_t kMostOperationsOnWideVectors = 8000;
/// Lanes that code too large for more keeps at least. Guess.
inline constexpr unsigned kFewestLanes = 4;
/// What is in inner loops counts so many times. Guess.
inline constexpr unsigned kLoopWeight = 8;
/// Instructions that have to become vectors to make up for handing a call its operands lane by
/// lane. Few do: the lanes of a loop of calls do not wait for each other.
inline constexpr unsigned kWorkOfCall = 2;
/// Lanes that each load along a row of its own, in a loop: as many as a set of the first-level
/// cache has lines, since rows are often a multiple of 4 KiB apart and all in one set; where such
/// loads are at least one in so many instructions. A matrix of 2048 x 2048 floats times a vector, a
/// row each: 15.7 GB/s in 8 lanes, 1.8 in 64, 3.5 in one (Zen 4). So many lanes load one by one
/// even where there are gathers, which nobody prefetches for: rows of 397 floats, 33 MB in all,
/// take 10.6 ms gathered, 2.4 so (AVX-512 code, Zen 4). Rows whose distance is known have as many
/// lanes, or half as many as their lines find places: 2048 bytes apart, with four sums for each,
/// 8 lanes take 0.55 of the time of 16 and of 32 (AVX-512 code, Zen 4).
inline constexpr unsigned kLanesAlongRows = 8, kWorkOfRow = 8;
/// Elements that are read at once of a row of each lane, in loops of at most so many instructions
/// for each row. A matrix of 4057 x 576 floats times a vector, a row each: 0.23 ms with blocks of
/// 4, 0.24 to 0.28 of 8, 0.53 one by one (AVX2 code, Zen 4). The latter: guess.
inline constexpr unsigned kBlockOfRow = 4, kBlockedBody = 32;
/// Elements of a row that a loop goes on by in an iteration, so that LLVM's vectoriser takes
/// several iterations for one work-item, and takes apart what it loads. And the same of loops that
/// store nothing, but add elements up in different ways: lanes of 9 such sums of bytes, shorts and
/// ints (AVX2, Zen 3) have 0.48 to 1.70 times the speed with two elements, 0.87 to 2.02 with
/// three, 1.43 to 3.18 with four and 1.02 to 3.45 with five to eight.
inline constexpr unsigned kMostInterleaved = 4, kMostInterleavedInSums = 3;
/// Operations from an element to the sum that it is added to, to look at, and elements of which
/// each is compared with all others. Guess.
inline constexpr unsigned kMostOperationsOnTerm = 8, kMostComparedElements = 128;
/// Bits that all work-items of a loop fill together for it not to be left to LLVM, which unrolls it
/// and makes no vectors then; and the same of so many work-items or more. Rows of 8 bytes of a tile
/// are copied in half the time, of two floats in 1.1 times (AVX2, Zen 3).
inline constexpr unsigned kVectorOfAll = 128, kSmallVectorOfAll = 64, kLanesOfSmallVector = 4;
/// Rows of work-items that are run as one where they read or write what lies side by side: so many
/// of numbers of 4 and 8 bytes, and of smaller ones. A transpose of 1344 x 832 floats takes 0.18 ms
/// with four rows, 0.23 with eight (AVX2 code, Zen 4); for smaller ones: guess.
inline constexpr unsigned kRowsAsOne = 4, kSmallRowsAsOne = 8;
/// Instructions of a work-item in such a loop, at most. Guess.
inline constexpr unsigned kTiledBody = 48;
/// Cycles until a value is there that the next iteration needs: from the first-level cache, of sums
/// and products of floats and products of integers, of quotients, of roots (Zen 4 and later,
/// Skylake and later, within a cycle or two); and operations a cycle that lanes' rows are read at:
/// guess. Sums of float rows of 912 in 8 lanes: 4.0 times as fast as one after the other, of
/// 475 2.8 times (AVX2 code, Zen 4).
inline constexpr unsigned kLoadCycles = 5, kSumCycles = 4, kQuotientCycles = 12, kRootCycles = 18;
/// The same of quotients of integers, which are converted to doubles, divided, cut, converted back
/// and multiplied. Guess, from the latencies of these.
inline constexpr unsigned kIntegerQuotientCycles = 32;
/// Of products of integers in lanes where nothing but such chains takes the time: of 32 bits, on
/// Intel's processors since Haswell; AMD's have 3 or 4. clpeak's int of width 1: 1.75 times as fast
/// (AVX2 code, Intel Xeon).
inline constexpr unsigned kLaneProductCycles = 10;
/// And until the next quotient or root of a register can begin (Zen 4, doubles).
inline constexpr unsigned kNextQuotient = 5, kNextRoot = 9;
inline constexpr unsigned kOperationsACycle = 3;
/// A row of the program's own vectors is left to one work-item where they grow this large: uchar4
/// summed in int4 takes 0.35 of the time of 32 lanes, float4 0.52 (AVX2 code, Zen 4). Where two or
/// four work-items' fill a register, rows of float4 from memory take 0.3 to 0.85 of the time, and
/// such that stay in the second-level cache 1.3 to 1.6 times as long, since one chain waits for
/// itself: trials find that (AVX2 and AVX-512 code, Zen 4).
inline constexpr unsigned kOwnVectorBits = 128;
/// Registers that a value of such vectors takes at most, where they stay as they are in memory and
/// a register has one or more: as many as fill the machine's time, and leave some free. Guess.
inline constexpr unsigned kJoinedRegisters = 4;
/// Straight-line code of so many instructions is bound by latency, and the next iteration is beyond
/// the reorder buffer: two vectors at once. Black-Scholes, 190 instructions: 0.7 of the
/// time (Zen 5).
inline constexpr unsigned kLongCode = 80, kTooLongCode = 400;
/// The same of code that reads or writes places that do not follow each other, which takes longer:
/// pixels of one float turned by 30 degrees have 1.3 times the speed (Zen 4).
inline constexpr unsigned kLongGathers = 64;
/// Instructions that a processor looks ahead: 224 (Skylake) to 512 (Golden Cove), 320 on Zen 4.
inline constexpr unsigned kWindow = 256;
/// Shorter code than this takes two vectors as well. Guess.
inline constexpr unsigned kShortCode = 16;
/// Vectors at once in inner loops: registers left free, chains that fill the time of a fused
/// multiplication and addition (4 cycles, two a cycle), instructions of the body (guess).
inline constexpr unsigned kTemporaries = 3, kEnoughChains = 8, kInterleavedBody = 128;
/// Of those, where lanes leave the loop one by one and chains leave no time for more: escape times
/// in floats and doubles take 0.62 to 0.85 of the time that four take (AVX2, Zen 3).
inline constexpr unsigned kDivergentVectors = 2;
/// Instructions in all iterations of a loop through a piece of memory of each work-item's own, so
/// that lanes have all of the piece at once. Guess.
inline constexpr uint64_t kUnrolledPieces = 256;
/// Loops of a group's one work-item that lanes take part of (distribute-loops): iterations below
/// which that is not tried, which fill a register of floats, and how many go into the arrays at
/// once, so that these stay in the first cache. Guess.
inline constexpr uint64_t kFewestDistributed = 16, kDistributedAtATime = 64;
/// Instructions of an iteration for each that stays in order and each array. Of 48 drawn loops
/// with 2.8 and more, 26 take 0.3 to 0.9 of the time and 7 take 1.1 to 1.6 times as long with
/// 512-bit registers, 30 and 4 with 256-bit ones; those with 2.8 to 4 are no worse (Zen 5).
inline constexpr uint64_t kWorkOfDistributed = 3;
/// Trip count, and operations in all iterations, of a loop over lane groups that is unrolled.
/// Guess.
inline constexpr uint64_t kUnrolledTrips = 64, kUnrolledOperations = 256;
/// Lanes of loops of atomic operations: 16 of them count bytes in 0.89 of the time of one, and more
/// in no less (Zen 5).
inline constexpr unsigned kAtomicLanes = 16;
/// One instruction in so many that is an atomic operation makes these what takes the time; and
/// where they count in local memory, in a loop, one in so many of its instructions has lanes load
/// a cache line at once, of so many bits. Guesses.
inline constexpr unsigned kWorkOfAtomic = 8, kWorkOfCount = 16, kLineBits = 512;
/// Straight code that follows so many rows of memory takes a cache line of each at a time: less has
/// lines come twice where rows compete for places in the caches, and more has lines fetched ahead
/// that are gone before their turn. 24 to 64 rows read and as many written, 512-bit registers: one
/// line has 1.3 to 1.9 times the speed of two from 38 rows on, and the same at 24; 256-bit
/// registers: one line has 1.4 to 2.7 times the speed of half of one (Zen 4).
inline constexpr unsigned kManyStreams = 32;
/// Rows that lie closer, in bytes, share what they compete for.
inline constexpr int64_t kPageBytes = 4096;
/// One access to scattered places in so many instructions keeps a kernel from lanes: in its inner
/// loops, and where it has none. Guesses.
inline constexpr unsigned kWorkOfScatteredInLoops = 5, kWorkOfScattered = 8;
/// Instructions that a division of integers counts as there: what lanes save by it. One of 64 bits
/// takes 3.2 ns in one lane and 0.7 to 0.9 in lanes (Intel Xeon, SSE4.2 to AVX-512 code), a
/// gather 0.3 to 0.4; so this is on the careful side.
inline constexpr unsigned kWorkOfDivision = 16;
/// The same of a branch on what was read, which one work-item guesses wrong every other time: half
/// of the 16 cycles or so that this takes, at kOperationsACycle. A bitonic sort in local memory
/// takes 0.2 of the time of one lane in 16 lanes with all its gathers and scatters (AVX-512 code,
/// Intel Xeon).
inline constexpr unsigned kWorkOfBranch = 24;

// Masks and blocks.

/// A masked block below this cost, without accesses to buffers, is run without a branch around it
/// for an empty mask. Guess.
inline constexpr unsigned kGuardCost = 10;
/// Instructions of a block that is written for all lanes active too: larger ones compute so much
/// that masks on their accesses hardly count, unless one instruction in kWorkOfMasked is such an
/// access. Sobel on bytes: 0.55 of the time (Zen 5, from memory); 25 neighbours of floats, each
/// times a number: 0.62 (AVX2 code, Zen 4).
inline constexpr unsigned kWholeBlock = 80, kWorkOfMasked = 10;
/// Instructions that are copied in a function whose loops have several entries. Guess.
inline constexpr size_t kCopiedForEntries = 400;
/// Lanes for which code that runs lane by lane is unrolled, and where each takes an instruction or
/// two. Guess.
inline constexpr unsigned kUnrolledLanes = 16, kUnrolledCounts = 64;
/// The same for updates of local memory at places that come out of vectors one by one: what the
/// processor has learnt of stores and the loads after them does not reach for more. 5.5 million
/// counts in bins at random: 1.4 to 1.9 ms in 8 lanes, 7 to 16 ms in 16 to 64, 1.2 at one (Zen 4).
/// So kernels that mostly do that have no more lanes: 15 drawn ones take 0.4 to 1.06 of the time
/// that they take in 16 to 64 lanes in a loop, one of them 1.16 with AVX2 code (AVX-512 and AVX2
/// code, Intel Xeon).
inline constexpr unsigned kUnrolledLocalAtomics = 8;
/// Loads or stores of single lanes that an access is scalarised into without a loop.
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
/// Bytes below which a wide access to structures, or to those of a block of lanes, fills no
/// register.
inline constexpr unsigned kSmallestPiece = 16;
/// Elements from lane to lane beyond which wide accesses are not worth it. Guess.
inline constexpr unsigned kMostStride = 16;
/// Accesses for which rows are guessed: each is written twice. Guess.
inline constexpr size_t kGuessedAccesses = 48;
/// What an index is multiplied by, or bits that it is shifted by, for a row to be looked for in it:
/// bytes of a pixel or a structure. Guess.
inline constexpr uint64_t kMostScale = 32;
/// Operations for each access to another cache line, those for addresses included, from which on it
/// hardly counts in which order rows run. Guess.
inline constexpr unsigned kOperationsForEachLine = 24;
/// What an access costs where neighbours' places are far apart, in accesses to what lies side by
/// side; and how many times as much the accesses along dimension 0 have to cost for rows to be
/// along another one. Guesses; a matrix of 2048 x 2048 floats scaled by its transposed ids takes a
/// thirtieth of the time (Zen 4).
inline constexpr uint64_t kScatteredAccess = 8;
/// Bytes from neighbour to neighbour beyond which they share no cache line.
inline constexpr int64_t kFarBytes = 64;
/// Bytes from group to group, or row to row, beyond which threads that run them do not meet in
/// lines that they write: those of a tile of 32 doubles (decision 0044).
inline constexpr int64_t kNeighbourBytes = 256;
inline constexpr uint64_t kGainOfOtherRows = 2;
/// Operations in an inner loop's body for each cache line that is prefetched of what other rows of
/// work-items read as well: prefetches that are a quarter of a product of matrices in the
/// second-level cache cost it a fifth. What one row alone reads is prefetched in any case: sums of
/// volumes' neighbours 1.1 to 2 times as fast, maxima along columns 1.5 to 2.3 (AVX2 code, Zen 4;
/// AVX-512 1.0 to 1.2), other families level. And the
/// distance in lane groups: sums of `entry[j * rows + i] * x[column[j * rows + i]]`, 15 MB of
/// doubles in 16 lanes, take 9.8 ns for each term with none, 2.5 at one, 1.9 at two, 2.1 at four;
/// asked for some iterations ahead in their place, 6.2 (AVX2 code, Zen 4). Under masks an operation
/// counts for several, which make masks fit registers and select by them: searches of `in[j * n +
/// i]` that each lane leaves on its own are 3 to 8 times as fast (AVX2 code, Zen 4; AVX-512 1.4 to
/// 8), where for products of matrices eight operations are too few.
inline constexpr uint64_t kOperationsForEachPrefetch = 16;
inline constexpr uint64_t kPrefetchDistance = 2;
inline constexpr uint64_t kMaskedOperation = 4;
/// Bytes of a row of each lane's own from which on that of the next lane group is prefetched, if
/// the rows of both find places in the first-level cache by where they begin. Sums of rows of
/// floats, 23 MB in all: of 200 bytes 0.8 to 1.0 of the time, of 400 to 4,000 0.33 to 0.8, of 92 to
/// 132 1.3 to 1.7; of 4,096 in 8 lanes, all in one set, 1.3; 800 KB as long as without, of doubles
/// 0.75 to 1.3 (AVX2 and AVX-512 code, Zen 4).
inline constexpr int64_t kPrefetchedRow = 192;
/// Lane groups from one that reads pixels along a slanted line to the one whose pixels it asks for,
/// and bytes from the first lane's pixel to the last one's beyond which that is no guess. Pixels of
/// four floats turned by 30 degrees, larger than the cache of the last level: 1.6 to 2 times as
/// fast (Zen 4).
inline constexpr uint64_t kPixelsAhead = 4, kFarthestPixel = uint64_t{1} << 20;
/// Work-items of a group for which addresses are looked up one by one, with 33 distances: a kernel
/// of so many builds no more slowly than without (15 ms, Zen 4). And instructions of a branch
/// beside stores that all work-items make.
inline constexpr uint64_t kMostTabled = 1024;
inline constexpr unsigned kSpeculated = 8;
/// Loops over the work-items of a group that are divided in a kernel: a scan of 1024 has two in
/// each of its ten steps.
inline constexpr unsigned kMostDivisions = 24;
/// Work-items of which one has something to do, from which on lanes are those that do, though what
/// they store is apart. A register of AVX2 has as many lanes of 32 bits. Guess.
inline constexpr uint64_t kLeastStep = 8;
/// Vectors of local memory that a load is put together from. Guess.
inline constexpr unsigned kForwardedSources = 4;

}  // namespace weft::compiler::tuning

/// When a kernel is tried at other widths, and for how long. Of 110 kernels drawn by a seed (Zen 4,
/// half of them AVX2 code) the best of five widths is 1.3 times as fast as the chosen one in the
/// geometric mean, and for half of them more than 1.1 times (docs/decisions/0026). Where nothing is
/// said of a number it is a guess, checked with these kernels.
namespace weft::compiler::tuning::trials {

/// Making code for one more width may take this part of the processor time that the kernel has
/// used, and running slower code this part of it as well.
inline constexpr int kWorthOfCost = 20;
inline constexpr int kWorthOfLoss = 40;
/// How many times as slow a rival is taken to be before it is run.
inline constexpr int kCaution = 10;
/// What making it is taken to cost at least, and where the first code came from the disk cache.
inline constexpr std::chrono::milliseconds kUsualCost{15};
/// What each of two codes runs at a time: a hundred times as long as what changing costs.
inline constexpr std::chrono::microseconds kTurn{100};

/// Of the kernel's processor time, from one pair to the next: those that decide come from many
/// launches, and are alike to what the kernel is mostly launched for.
inline constexpr std::chrono::milliseconds kBetweenPairs{5};

/// A rival that is so much slower in each of the first pairs is given up.
inline constexpr double kHopeless = 1.5;
inline constexpr size_t kHopelessPairs = 2;
/// Pairs from which on a rival loses, and wins; the signs of their differences are then one-sided
/// by more than kDeviations standard deviations, which happens to equals once in some hundred
/// times. What is open after so many is as good as equal.
inline constexpr size_t kLeastPairs = 12, kWinningPairs = 32, kMostPairs = 64;
inline constexpr double kDeviations = 3;
/// A pair in which one takes more than so many times as long again as the other says no more than
/// that: it may have been disturbed.
inline constexpr double kMostWeight = 3;
/// A winner must be faster by this factor: what is as good stays.
inline constexpr double kWinning = 0.96;
/// The widths to try by the width of the host's registers, in an order that makes the most of the
/// first ones, of the 110 kernels above; SSE's is AVX2's for registers half as wide.
inline constexpr std::array<uint32_t, 5> kWidths512{16, 1, 64, 8, 32};
inline constexpr std::array<uint32_t, 5> kWidths256{8, 1, 32, 16, 64};
inline constexpr std::array<uint32_t, 5> kWidths128{4, 1, 16, 8, 32};
/// Compiling for a width is given up, until that is worth it, after so many times what it should
/// have cost.
inline constexpr int kMostCost = 3;
/// In trials that begin at once, to test what they change: pairs, after which the rival has won.
inline constexpr size_t kEagerPairs = 1;

}  // namespace weft::compiler::tuning::trials
