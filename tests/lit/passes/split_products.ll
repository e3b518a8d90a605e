; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=split-products,verify %s -S | FileCheck %s

; Four products of halves, and nothing of 128 bits.
; CHECK-LABEL: @unsigned(
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <4 x i64>
; CHECK-NOT: icmp
; CHECK: ret <4 x i64>
define <4 x i64> @unsigned(<4 x i64> %x, <4 x i64> %y) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %product = mul nuw <4 x i128> %a, %b
  %high = lshr <4 x i128> %product, splat (i128 64)
  %result = trunc nuw <4 x i128> %high to <4 x i64>
  ret <4 x i64> %result
}

; Factors with signs take away what their bits without one have added.
; CHECK-LABEL: @signed(
; CHECK-NOT: i128
; CHECK-COUNT-4: mul <4 x i64>
; CHECK-COUNT-2: icmp slt
; CHECK: ret <4 x i64>
define <4 x i64> @signed(<4 x i64> %x, <4 x i32> %y) {
  %a = sext <4 x i64> %x to <4 x i128>
  %b = sext <4 x i32> %y to <4 x i128>
  %product = mul nsw <4 x i128> %a, %b
  %high = lshr <4 x i128> %product, splat (i128 64)
  %result = trunc <4 x i128> %high to <4 x i64>
  ret <4 x i64> %result
}

; Further shifts, and a constant factor.
; CHECK-LABEL: @shifted(
; CHECK-NOT: i128
; CHECK: [[UPPER:%.*]] = lshr <4 x i64> {{.*}}, {{(splat \(i64 5\)|<i64 5,.*)}}
; CHECK: trunc <4 x i64> [[UPPER]] to <4 x i32>
define <4 x i32> @shifted(<4 x i64> %x) {
  %a = zext <4 x i64> %x to <4 x i128>
  %product = mul nuw <4 x i128> %a, splat (i128 11400714819323198485)
  %high = lshr <4 x i128> %product, splat (i128 69)
  %result = trunc <4 x i128> %high to <4 x i32>
  ret <4 x i32> %result
}

; Bits of both halves, and products of one work-item, stay.
; CHECK-LABEL: @both(
; CHECK: mul nuw <4 x i128>
define <4 x i64> @both(<4 x i64> %x, <4 x i64> %y) {
  %a = zext <4 x i64> %x to <4 x i128>
  %b = zext <4 x i64> %y to <4 x i128>
  %product = mul nuw <4 x i128> %a, %b
  %high = lshr <4 x i128> %product, splat (i128 60)
  %result = trunc <4 x i128> %high to <4 x i64>
  ret <4 x i64> %result
}

; CHECK-LABEL: @one(
; CHECK: mul nuw i128
define i64 @one(i64 %x, i64 %y) {
  %a = zext i64 %x to i128
  %b = zext i64 %y to i128
  %product = mul nuw i128 %a, %b
  %high = lshr i128 %product, 64
  %result = trunc i128 %high to i64
  ret i64 %result
}
