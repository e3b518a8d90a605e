; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=split-offsets,adce,verify %s -S | FileCheck %s
; Constants leave quotients and remainders that they do not change, or only add to.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @padded(
; CHECK-NEXT: %base = shl i32 %i, 3
; CHECK-NEXT: %[[REST:.*]] = and i32 %base, 15
; CHECK-NEXT: %[[ROW:.*]] = lshr i32 %base, 4
; CHECK-NEXT: %[[COLUMN:.*]] = add nuw nsw i32 %[[REST]], 5
; CHECK-NEXT: mul i32 %[[ROW]], 17
; CHECK-NEXT: add i32 %[[COLUMN]],
; CHECK-NEXT: mul i32 %[[ROW]], 17
; CHECK-NEXT: add i32 %[[REST]],
define i32 @padded(i32 %i) {
  %base = shl i32 %i, 3
  %fifth = add i32 %base, 5
  %row = udiv i32 %fifth, 16
  %column = urem i32 %fifth, 16
  %start = mul i32 %row, 17
  %place = add i32 %column, %start
  %row.first = udiv i32 %base, 16
  %column.first = urem i32 %base, 16
  %start.first = mul i32 %row.first, 17
  %first = add i32 %column.first, %start.first
  %both = sub i32 %place, %first
  ret i32 %both
}

; As shifts and masks of disjoint bits, too.
; CHECK-LABEL: @shifts(
; CHECK: %[[REST:.*]] = and i64 %base, 31
; CHECK: %[[ROW:.*]] = lshr i64 %base, 5
; CHECK: add nuw nsw i64 %[[REST]], 3
; CHECK-NOT: or disjoint
define i64 @shifts(i64 %i) {
  %base = mul i64 %i, 4
  %third = or disjoint i64 %base, 3
  %row = lshr i64 %third, 5
  %column = and i64 %third, 31
  %sum = xor i64 %row, %column
  ret i64 %sum
}

; Where the constant reaches a bit that the number may have, or divides by less, nothing is done; nor
; with signed numbers, which round towards zero.
; CHECK-LABEL: @others(
; CHECK: udiv i32 %far, 16
; CHECK: urem i32 %far, 16
; CHECK: udiv i32 %near, 4
; CHECK: sdiv i32 %near, 16
define i32 @others(i32 %i) {
  %base = shl i32 %i, 3
  %far = add i32 %base, 8
  %near = add i32 %base, 5
  %a = udiv i32 %far, 16
  %b = urem i32 %far, 16
  %c = udiv i32 %near, 4
  %d = sdiv i32 %near, 16
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %sum = add i32 %ab, %cd
  ret i32 %sum
}

; The remainder of the largest power of two leaves the sign alone; a mask of all bits does not.
; CHECK-LABEL: @sign(
; CHECK: add nuw nsw i8
define i8 @sign(i8 %i) {
  %base = shl i8 %i, 2
  %third = add i8 %base, 3
  %rest = urem i8 %third, 128
  ret i8 %rest
}
; CHECK-LABEL: @all(
; CHECK: add nuw i8
define i8 @all(i8 %i) {
  %base = shl i8 %i, 2
  %third = add i8 %base, 3
  %rest = and i8 %third, -1
  ret i8 %rest
}
