; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=narrow-integers,verify %s -S | FileCheck %s

; Sums of bytes that fill 16 bits without a sign.
; CHECK-LABEL: @luma(
; CHECK: zext i8 %r to i16
; CHECK: mul i16
; CHECK: add i16
; CHECK: lshr i16
; CHECK: trunc i16 {{.*}} to i8
; CHECK-NOT: i32
define i8 @luma(i8 %r, i8 %g, i8 %b) {
  %wr = zext i8 %r to i32
  %wg = zext i8 %g to i32
  %wb = zext i8 %b to i32
  %mr = mul nsw i32 %wr, 77
  %mg = mul nsw i32 %wg, 150
  %mb = mul nsw i32 %wb, 29
  %s = add nsw i32 %mr, %mg
  %t = add nsw i32 %s, %mb
  %h = lshr i32 %t, 8
  %l = trunc i32 %h to i8
  ret i8 %l
}

; A shift needs the sign of what does not fit with it.
; CHECK-LABEL: @large(
; CHECK: mul nsw i32
; CHECK: ashr i32
define i8 @large(i8 %a, i8 %b) {
  %wa = sext i8 %a to i32
  %wb = zext i8 %b to i32
  %m = mul nsw i32 %wa, 300
  %s = add nsw i32 %m, %wb
  %t = add nsw i32 %s, %wa
  %h = ashr i32 %t, 3
  %l = trunc i32 %h to i8
  ret i8 %l
}

; A difference of bytes doubled by a shift, as optimisers have it, keeps its sign.
; CHECK-LABEL: @doubled(
; CHECK: shl i16
; CHECK: @llvm.abs.i16
; CHECK: trunc i16
define i8 @doubled(i8 %a, i8 %b, i8 %c) {
  %wa = zext i8 %a to i32
  %wb = zext i8 %b to i32
  %wc = zext i8 %c to i32
  %d = sub nsw i32 %wa, %wb
  %twice = shl nsw i32 %d, 1
  %s = add nsw i32 %twice, %wc
  %abs = call i32 @llvm.abs.i32(i32 %s, i1 false)
  %m = call i32 @llvm.umin.i32(i32 %abs, i32 255)
  %l = trunc i32 %m to i8
  ret i8 %l
}

; What leaves in 32 bits costs an extension, which few operations do not make up for.
; CHECK-LABEL: @sum(
; CHECK: add nsw i32
define i32 @sum(i8 %a, i8 %b) {
  %wa = zext i8 %a to i32
  %wb = zext i8 %b to i32
  %s = add nsw i32 %wa, %wb
  ret i32 %s
}

; A leaf that is both operands of its only user goes away once.
; CHECK-LABEL: @square(
; CHECK: [[N:%.*]] = sext i8 %a to i16
; CHECK: mul i16 [[N]], [[N]]
define i8 @square(i8 %a) {
  %wide = sext i8 %a to i32
  %product = mul nsw i32 %wide, %wide
  %above = call i32 @llvm.smax.i32(i32 %product, i32 -128)
  %below = call i32 @llvm.smin.i32(i32 %above, i32 127)
  %result = trunc i32 %below to i8
  ret i8 %result
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)
