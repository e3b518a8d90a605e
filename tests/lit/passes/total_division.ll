; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=total-division,verify %s -S | FileCheck %s

; CHECK-LABEL: @unsigned(
; CHECK: %[[D:.*]] = freeze i32 %b
; CHECK: %[[ZERO:.*]] = icmp eq i32 %[[D]], 0
; CHECK: %[[ONE:.*]] = zext i1 %[[ZERO]] to i32
; CHECK: %[[SAFE:.*]] = add i32 %[[D]], %[[ONE]]
; CHECK: udiv i32 %a, %[[SAFE]]
define i32 @unsigned(i32 %a, i32 %b) {
  %r = udiv exact i32 %a, %b
  ret i32 %r
}

; CHECK-LABEL: @remainder(
; CHECK: %[[ZERO:.*]] = icmp eq i8 %b, 0
; CHECK: %[[ONE:.*]] = zext i1 %[[ZERO]] to i8
; CHECK: %[[SOME:.*]] = add i8 %b, %[[ONE]]
; CHECK: icmp eq i8 %a, -128
; CHECK: icmp eq i8 %b, -1
; CHECK: %[[OVER:.*]] = zext i1 %{{.*}} to i8
; CHECK: %[[TWO:.*]] = shl i8 %[[OVER]], 1
; CHECK: %[[SAFE:.*]] = add i8 %[[SOME]], %[[TWO]]
; CHECK: srem i8 %a, %[[SAFE]]
define i8 @remainder(i8 noundef %a, i8 noundef %b) {
  %r = srem i8 %a, %b
  ret i8 %r
}

; CHECK-LABEL: @vector(
; CHECK: icmp eq <4 x i64> %b, zeroinitializer
; CHECK-NOT: select
; CHECK: add <4 x i64> %b,
; CHECK: sdiv <4 x i64>
define <4 x i64> @vector(<4 x i64> noundef %a, <4 x i64> noundef %b) {
  %r = sdiv <4 x i64> %a, %b
  ret <4 x i64> %r
}

; Good constants are left alone: -1 is one only for unsigned division.
; CHECK-LABEL: @constants(
; CHECK-NEXT: %r = sdiv i32 %a, 3
; CHECK-NEXT: %s = urem i32 %r, -1
; CHECK-NEXT: %v = sdiv <2 x i32> %w, <i32 2, i32 7>
; CHECK-NEXT: ret
define i32 @constants(i32 %a, <2 x i32> %w) {
  %r = sdiv i32 %a, 3
  %s = urem i32 %r, -1
  %v = sdiv <2 x i32> %w, <i32 2, i32 7>
  ret i32 %s
}

; CHECK-LABEL: @bad_constants(
; CHECK: %[[SAFE:.*]] = add i32 -1,
; CHECK: %r = sdiv i32 %{{.*}}, %[[SAFE]]
; CHECK: %v = udiv <2 x i32> %w, <i32 2, i32 1>
define i32 @bad_constants(i32 %a, <2 x i32> %w) {
  %r = sdiv i32 %a, -1
  %v = udiv <2 x i32> %w, <i32 2, i32 0>
  ret i32 %r
}
