; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Places that are known within blocks of lanes, because the first lane is a multiple of their number.
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=loops --width=32 --local-size=256,1,1 --kernel=tile %s -S | FileCheck %s --check-prefix=TILE
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=loops --width=16 --local-size=256,1,1 --kernel=padded %s -S | FileCheck %s --check-prefix=PADDED
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=loops --width=16 --local-size=256,1,1 --kernel=rows %s -S | FileCheck %s --check-prefix=ROWS
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=loops --width=16 --local-size=256,1,1 --kernel=pairs %s -S | FileCheck %s --check-prefix=PAIRS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=8 --local-size=8,16,1 --kernel=wide %s -S | FileCheck %s --check-prefix=WIDE
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=anywhere %s -S | FileCheck %s --check-prefix=ANYWHERE

target triple = "spir64"

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
declare void @__weft_barrier(i32, i32) convergent
@tile.s = internal addrspace(3) global [272 x float] undef
@padded.s = internal addrspace(3) global [544 x float] undef
@rows.s = internal addrspace(3) global [1088 x <2 x float>] undef

; Two numbers of each work-item, of which those of four work-items are a row of a tile: one store for
; each row.
; PAIRS-NOT: masked.scatter
; PAIRS: store <8 x float> {{.*}}, ptr addrspace(3)
; PAIRS: store <8 x float> {{.*}}, ptr addrspace(3)
; PAIRS: store <8 x float> {{.*}}, ptr addrspace(3)
; PAIRS: store <8 x float> {{.*}}, ptr addrspace(3)
; PAIRS-NOT: store <{{[0-9]+}} x float> {{.*}}, ptr addrspace(3)
; PAIRS-NOT: masked.scatter
; PAIRS: ret void
@pairs.s = internal addrspace(3) global [4096 x float] undef
define spir_kernel void @pairs(ptr addrspace(1) %a) {
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %lid = trunc i64 %id to i32
  %twice = shl i32 %lid, 1
  %row = lshr i32 %twice, 3
  %start = shl i32 %row, 6
  %column = and i32 %twice, 6
  %at = add i32 %start, %column
  %i = zext i32 %at to i64
  %p = getelementptr inbounds [4096 x float], ptr addrspace(3) @pairs.s, i64 0, i64 %i
  %q = getelementptr inbounds float, ptr addrspace(3) %p, i64 1
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %id
  %v = load float, ptr addrspace(1) %pa, align 4
  %w = fmul float %v, %v
  store float %v, ptr addrspace(3) %p, align 4
  store float %w, ptr addrspace(3) %q, align 4
  call void @__weft_barrier(i32 1, i32 1)
  %back = sub i64 300, %id
  %r = getelementptr inbounds [4096 x float], ptr addrspace(3) @pairs.s, i64 0, i64 %back
  %x = load float, ptr addrspace(3) %r, align 4
  store float %x, ptr addrspace(1) %pa, align 4
  ret void
}

; The program's own vectors, which stay as they are in memory, from rows of a matrix into a tile, by
; an id that is an int: one load and one store for all lanes.
; WIDE: load <32 x float>, ptr addrspace(1)
; WIDE: store <32 x float> {{.*}}, ptr addrspace(3)
; WIDE: ret void
@wide.s = internal addrspace(3) global [128 x <4 x float>] undef
define spir_kernel void @wide(ptr addrspace(1) %a, i32 %n) {
  %x.long = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y.long = call spir_func i64 @_Z12get_local_idj(i32 1)
  %x = trunc i64 %x.long to i32
  %y = trunc i64 %y.long to i32
  %first = mul nsw i32 %y, 8
  %lid = add nsw i32 %first, %x
  %row = sdiv i32 %lid, 8
  %column = srem i32 %lid, 8
  %start = mul nsw i32 %row, %n
  %from = add nsw i32 %start, %column
  %from.long = sext i32 %from to i64
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %from.long
  %v = load <4 x float>, ptr addrspace(1) %pa, align 16
  %start.s = mul nsw i32 %row, 8
  %to = add nsw i32 %start.s, %column
  %to.long = sext i32 %to to i64
  %ps = getelementptr inbounds [128 x <4 x float>], ptr addrspace(3) @wide.s, i64 0, i64 %to.long
  store <4 x float> %v, ptr addrspace(3) %ps, align 16
  call void @__weft_barrier(i32 1, i32 1)
  %back = sub i32 127, %lid
  %back.long = sext i32 %back to i64
  %r = getelementptr inbounds [128 x <4 x float>], ptr addrspace(3) @wide.s, i64 0, i64 %back.long
  %w = load <4 x float>, ptr addrspace(3) %r, align 16
  store <4 x float> %w, ptr addrspace(1) %pa, align 16
  ret void
}

; Groups of one dimension that are 16 x 16: a row of a tile is one load, an element of a column one
; number for all.
; TILE-NOT: masked.scatter
; TILE-NOT: masked.gather
; TILE: load float, ptr addrspace(3)
; TILE: load float, ptr addrspace(3)
; TILE: load <16 x float>, ptr addrspace(3)
; TILE-NOT: masked.gather
; TILE: ret void
define spir_kernel void @tile(ptr addrspace(1) %a) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %lid = trunc i64 %id to i32
  %x = srem i32 %lid, 16
  %y = sdiv i32 %lid, 16
  %row = mul nsw i32 %y, 17
  %at = add nsw i32 %row, %x
  %i = sext i32 %at to i64
  %p = getelementptr inbounds [272 x float], ptr addrspace(3) @tile.s, i64 0, i64 %i
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %id
  %v = load float, ptr addrspace(1) %pa, align 4
  store float %v, ptr addrspace(3) %p, align 4
  call void @__weft_barrier(i32 1, i32 1)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %left = add nsw i32 %row, %k
  %left.i = sext i32 %left to i64
  %pl = getelementptr inbounds [272 x float], ptr addrspace(3) @tile.s, i64 0, i64 %left.i
  %below = mul nsw i32 %k, 17
  %right = add nsw i32 %below, %x
  %right.i = sext i32 %right to i64
  %pr = getelementptr inbounds [272 x float], ptr addrspace(3) @tile.s, i64 0, i64 %right.i
  %l = load float, ptr addrspace(3) %pl, align 4
  %r = load float, ptr addrspace(3) %pr, align 4
  %more = call float @llvm.fmuladd.f32(float %l, float %r, float %sum)
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, 16
  br i1 %done, label %exit, label %loop
exit:
  store float %more, ptr addrspace(1) %pa, align 4
  ret void
}

; Rows that are padded.
; PADDED-NOT: masked.scatter
; PADDED: store <16 x float> {{.*}}, ptr addrspace(3)
; PADDED: load <16 x float>, ptr addrspace(3)
; PADDED: ret void
define spir_kernel void @padded(ptr addrspace(1) %a) {
entry:
  %lid = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %lid
  %v = load float, ptr addrspace(1) %pa, align 4
  %pad = lshr i64 %lid, 5
  %at = add i64 %lid, %pad
  %p = getelementptr inbounds [544 x float], ptr addrspace(3) @padded.s, i64 0, i64 %at
  store float %v, ptr addrspace(3) %p, align 4
  call void @__weft_barrier(i32 1, i32 1)
  %far = add i64 %lid, 256
  %far.pad = lshr i64 %far, 5
  %far.at = add i64 %far, %far.pad
  %q = getelementptr inbounds [544 x float], ptr addrspace(3) @padded.s, i64 0, i64 %far.at
  %w = load float, ptr addrspace(3) %q, align 4
  store float %w, ptr addrspace(1) %pa, align 4
  ret void
}

; Each work-item writes a row of its own, and those of eight work-items lie one behind the other: half of
; them in a store.
; ROWS-NOT: masked.scatter
; ROWS: store <8 x float> {{.*}}, ptr addrspace(3)
; ROWS-NOT: masked.scatter
; ROWS: ret void
define spir_kernel void @rows(ptr addrspace(1) %a) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %lid = trunc i64 %id to i32
  %pa = getelementptr inbounds <2 x float>, ptr addrspace(1) %a, i64 %id
  %v = load <2 x float>, ptr addrspace(1) %pa, align 8
  %two = fadd <2 x float> %v, %v
  %i = mul i32 %lid, 2
  %y0 = udiv i32 %i, 16
  %x0 = urem i32 %i, 16
  %r0 = mul i32 %y0, 17
  %a0 = add i32 %x0, %r0
  %i0 = zext i32 %a0 to i64
  %p0 = getelementptr inbounds [1088 x <2 x float>], ptr addrspace(3) @rows.s, i64 0, i64 %i0
  store <2 x float> %v, ptr addrspace(3) %p0, align 8
  %j = add i32 %i, 1
  %y1 = udiv i32 %j, 16
  %x1 = urem i32 %j, 16
  %r1 = mul i32 %y1, 17
  %a1 = add i32 %x1, %r1
  %i1 = zext i32 %a1 to i64
  %p1 = getelementptr inbounds [1088 x <2 x float>], ptr addrspace(3) @rows.s, i64 0, i64 %i1
  store <2 x float> %two, ptr addrspace(3) %p1, align 8
  call void @__weft_barrier(i32 1, i32 1)
  %other = xor i32 %lid, 511
  %k = zext i32 %other to i64
  %q = getelementptr inbounds [1088 x <2 x float>], ptr addrspace(3) @rows.s, i64 0, i64 %k
  %w = load <2 x float>, ptr addrspace(3) %q, align 8
  store <2 x float> %w, ptr addrspace(1) %pa, align 8
  ret void
}

; Global ids begin anywhere.
; ANYWHERE: masked.gather
define spir_kernel void @anywhere(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = lshr i64 %id, 4
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %y
  %v = load float, ptr addrspace(1) %pa, align 4
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  %t = fdiv float %u, %v
  %s = fmul float %t, %u
  %r = fsub float %s, %v
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %id
  store float %r, ptr addrspace(1) %pb, align 4
  ret void
}
declare float @llvm.fmuladd.f32(float, float, float)
