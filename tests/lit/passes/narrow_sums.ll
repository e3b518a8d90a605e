; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=narrow-sums,verify %s -S | FileCheck %s

; An int that a size_t is added to, and that is an index beside.
; CHECK-LABEL: @step(
; CHECK: [[SIZE:%.*]] = trunc i64 %size to i32
; CHECK: [[NEXT:%.*]] = add i32 %i, [[SIZE]]
; CHECK: ret i32 [[NEXT]]
define i32 @step(ptr %p, i32 %i, i64 %size) {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  store i32 0, ptr %at
  %sum = add nsw i64 %wide, %size
  %next = trunc i64 %sum to i32
  ret i32 %next
}

; Sums of sums and products.
; CHECK-LABEL: @nested(
; CHECK-NOT: i64
; CHECK: mul i32 %i,
; CHECK: sub i32
; CHECK: add i32 {{.*}}, 7
; CHECK-NOT: i64
; CHECK: ret i32
define i32 @nested(i32 %i, i32 %b) {
  %wide = zext i32 %i to i64
  %other = sext i32 %b to i64
  %product = mul i64 %wide, 12884901891
  %difference = sub i64 %product, %other
  %sum = add i64 %difference, 7
  %cut = trunc i64 %sum to i32
  ret i32 %cut
}

; Somebody else wants the sum, or nothing in it was narrow: nothing would go away.
; CHECK-LABEL: @kept(
; CHECK: %sum = add i64
; CHECK: %other = add i64
define i64 @kept(ptr %p, i32 %i, i64 %size) {
  %wide = sext i32 %i to i64
  %sum = add i64 %wide, %size
  %next = trunc i64 %sum to i32
  store i32 %next, ptr %p
  %other = add i64 %size, 3
  %cut = trunc i64 %other to i32
  store i32 %cut, ptr %p
  ret i64 %sum
}

; A shift needs the bits that are cut off.
; CHECK-LABEL: @shifted(
; CHECK: lshr i64
define i32 @shifted(i32 %i, i64 %size) {
  %wide = sext i32 %i to i64
  %sum = add i64 %wide, %size
  %half = lshr i64 %sum, 1
  %cut = trunc i64 %half to i32
  ret i32 %cut
}
