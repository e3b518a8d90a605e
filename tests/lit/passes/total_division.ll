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

; What the front end made of 0 % 0.
; CHECK-LABEL: @folded(
; CHECK: switch i32 0, label
define i32 @folded() {
  switch i32 poison, label %other [ i32 0, label %zero ]
zero:
  ret i32 1
other:
  ret i32 2
}

; CHECK-LABEL: @foldedElement(
; CHECK: add <2 x i32> %a, <i32 3, i32 0>
; CHECK: insertelement <2 x i32> poison, i32 0, i32 1
; CHECK: shufflevector <2 x i32> %{{.*}}, <2 x i32> poison,
define <2 x i32> @foldedElement(<2 x i32> %a) {
  %b = add <2 x i32> %a, <i32 3, i32 poison>
  %c = insertelement <2 x i32> poison, i32 poison, i32 1
  %d = shufflevector <2 x i32> %c, <2 x i32> poison, <2 x i32> <i32 1, i32 1>
  %e = add <2 x i32> %b, %d
  ret <2 x i32> %e
}
