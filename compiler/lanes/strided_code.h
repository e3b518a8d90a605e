// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallVector.h>

#include "lanes/lane_code.h"

namespace weft::compiler {

/// Vectors of equal length; null ones hold nothing that anyone asks for.
using Pieces = llvm::SmallVector<llvm::Value*, 16>;

/// Takes apart what `pieces` hold one after the other: of `factor` pieces, field k gets every
/// element whose number modulo `factor` is k. Fields that are not in `wanted` are null.
///
/// Shuffles of two registers each: halves by even and odd elements as far as the factor goes, so
/// that fields share them.
Pieces takeApart(LaneBuilder& builder, llvm::ArrayRef<llvm::Value*> pieces, uint64_t wanted);

/// The inverse: as many pieces as there are fields, that hold them alternating.
Pieces putTogether(LaneBuilder& builder, llvm::ArrayRef<llvm::Value*> fields);

/// Shuffles that takeApart() makes of `factor` pieces.
unsigned countShuffles(unsigned factor, uint64_t wanted);

/// The elements of the pieces that are `wanted`, by number: whether each piece has some.
bool hasWanted(unsigned piece, unsigned factor, unsigned length, uint64_t wanted);

}  // namespace weft::compiler
