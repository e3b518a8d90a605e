// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>

#include "lanes/lane_code.h"

namespace weft::compiler {

/// Vectors of equal length; null ones hold nothing that anyone asks for.
using Pieces = llvm::SmallVector<llvm::Value*, 16>;

/// How many elements of vectors of that type, a part of a register's, one instruction shuffles of
/// two registers: all, or with AVX2 those of 128 bits.
unsigned sectionOf(llvm::FixedVectorType& type, const llvm::TargetTransformInfo& target);

/// Takes apart what `pieces` hold one after the other: of `factor` pieces, field k gets every
/// element whose number modulo `factor` is k. Fields that are not in `wanted` are null.
///
/// Shuffles of two registers each: halves by even and odd elements as far as the factor goes, so
/// that fields share them, and no further than a section has elements. Sections (see sectionOf())
/// are shuffled alike, and change places once, before or afterwards.
Pieces takeApart(LaneBuilder& builder, llvm::ArrayRef<llvm::Value*> pieces, uint64_t wanted,
                 unsigned section);

/// The inverse: as many pieces as there are fields, that hold them alternating.
Pieces putTogether(LaneBuilder& builder, llvm::ArrayRef<llvm::Value*> fields, unsigned section);

/// About how many shuffles takeApart() makes of `factor` pieces of `length` elements.
unsigned countShuffles(unsigned factor, uint64_t wanted, unsigned length, unsigned section);

/// The elements of the pieces that are `wanted`, by number: whether each piece has some.
bool hasWanted(unsigned piece, unsigned factor, unsigned length, uint64_t wanted);

}  // namespace weft::compiler
