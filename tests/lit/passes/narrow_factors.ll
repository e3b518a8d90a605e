; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=narrow-factors,verify %s -S | FileCheck %s

; What stays the same in the loop is extended beside the product.
; CHECK-LABEL: @upper(
; CHECK: loop:
; CHECK: %[[B:.*]] = zext <8 x i32> %b to <8 x i64>
; CHECK: mul <8 x i64> %x, %[[B]]
define <8 x i32> @upper(<8 x i32> %a, <8 x i32> %b, i32 %n) {
entry:
  %y = zext <8 x i32> %b to <8 x i64>
  br label %loop
loop:
  %v = phi <8 x i32> [ %a, %entry ], [ %r, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = zext <8 x i32> %v to <8 x i64>
  %m = mul <8 x i64> %x, %y
  %h = lshr <8 x i64> %m, splat (i64 32)
  %r = trunc <8 x i64> %h to <8 x i32>
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret <8 x i32> %r
}

; So is a number that is the same for all lanes, of which the lower half is taken outside.
; CHECK-LABEL: @splat(
; CHECK: %[[HALF:.*]] = trunc <8 x i64> %y to <8 x i32>
; CHECK: loop:
; CHECK: sext <8 x i32> %[[HALF]] to <8 x i64>
define <8 x i32> @splat(<8 x i32> %a, i32 %b, i32 %n) {
entry:
  %wide = sext i32 %b to i64
  %first = insertelement <8 x i64> poison, i64 %wide, i64 0
  %y = shufflevector <8 x i64> %first, <8 x i64> poison, <8 x i32> zeroinitializer
  br label %loop
loop:
  %v = phi <8 x i32> [ %a, %entry ], [ %r, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = sext <8 x i32> %v to <8 x i64>
  %m = mul <8 x i64> %x, %y
  %h = lshr <8 x i64> %m, splat (i64 32)
  %r = trunc <8 x i64> %h to <8 x i32>
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret <8 x i32> %r
}

; Where the whole product is asked for, the factor is masked.
; CHECK-LABEL: @whole(
; CHECK: %[[Y:.*]] = and <4 x i64> %y, <i64 4294967295, {{.*}}>
; CHECK: mul <4 x i64> %x, %[[Y]]
define <4 x i64> @whole(<4 x i32> %a, <4 x i32> %b, i1 %c) {
entry:
  %y = zext <4 x i32> %b to <4 x i64>
  br i1 %c, label %then, label %exit
then:
  %x = zext <4 x i32> %a to <4 x i64>
  %m = mul <4 x i64> %x, %y
  br label %exit
exit:
  %r = phi <4 x i64> [ %y, %entry ], [ %m, %then ]
  ret <4 x i64> %r
}

; CHECK-LABEL: @signed(
; CHECK: %[[UP:.*]] = shl <4 x i64> %y, <i64 32, {{.*}}>
; CHECK: %[[Y:.*]] = ashr <4 x i64> %[[UP]], <i64 32, {{.*}}>
; CHECK: mul <4 x i64> %x, %[[Y]]
define <4 x i64> @signed(<4 x i32> %a, <4 x i32> %b, i1 %c) {
entry:
  %y = sext <4 x i32> %b to <4 x i64>
  br i1 %c, label %then, label %exit
then:
  %x = sext <4 x i32> %a to <4 x i64>
  %m = mul <4 x i64> %x, %y
  br label %exit
exit:
  %r = phi <4 x i64> [ %y, %entry ], [ %m, %then ]
  ret <4 x i64> %r
}

; A quotient: the upper half, and three bits less.
; CHECK-LABEL: @quotient(
; CHECK: %[[H:.*]] = lshr <8 x i64> %m, <i64 32, {{.*}}>
; CHECK: %[[N:.*]] = trunc <8 x i64> %[[H]] to <8 x i32>
; CHECK: %[[Q:.*]] = lshr <8 x i32> %[[N]], <i32 3, {{.*}}>
; CHECK: ret <8 x i32> %[[Q]]
define <8 x i32> @quotient(<8 x i32> %a) {
  %x = zext <8 x i32> %a to <8 x i64>
  %m = mul nuw <8 x i64> %x, splat (i64 3435973837)
  %h = lshr <8 x i64> %m, splat (i64 35)
  %r = trunc <8 x i64> %h to <8 x i32>
  ret <8 x i32> %r
}

; CHECK-LABEL: @narrower(
; CHECK: %[[H:.*]] = ashr <16 x i32> %m, <i32 16, {{.*}}>
; CHECK: %[[N:.*]] = trunc <16 x i32> %[[H]] to <16 x i16>
; CHECK: %[[Q:.*]] = ashr <16 x i16> %[[N]], <i16 2, {{.*}}>
; CHECK: trunc <16 x i16> %[[Q]] to <16 x i8>
define <16 x i8> @narrower(<16 x i16> %a, <16 x i16> %b) {
  %x = sext <16 x i16> %a to <16 x i32>
  %y = sext <16 x i16> %b to <16 x i32>
  %m = mul nsw <16 x i32> %x, %y
  %h = ashr <16 x i32> %m, splat (i32 18)
  %r = trunc <16 x i32> %h to <16 x i8>
  ret <16 x i8> %r
}

; Factors that fill their bits, one with a sign and one without, and shifts that leave bits of the
; lower half.
; CHECK-LABEL: @other(
; CHECK: then:
; CHECK-NEXT: %x = zext
; CHECK-NEXT: %m = mul <4 x i64> %x, %y
; CHECK-NEXT: %s = sext
; CHECK-NEXT: %p = mul <4 x i64> %x, %s
; CHECK-NEXT: %h = lshr <4 x i64> %q, <i64 31, {{.*}}>
define <4 x i64> @other(<4 x i32> %a, <4 x i64> %y, <4 x i64> %q, i1 %c) {
entry:
  br i1 %c, label %then, label %exit
then:
  %x = zext <4 x i32> %a to <4 x i64>
  %m = mul <4 x i64> %x, %y
  %s = sext <4 x i32> %a to <4 x i64>
  %p = mul <4 x i64> %x, %s
  %h = lshr <4 x i64> %q, splat (i64 31)
  %sum = add <4 x i64> %m, %p
  %all = add <4 x i64> %sum, %h
  br label %exit
exit:
  %r = phi <4 x i64> [ %y, %entry ], [ %all, %then ]
  ret <4 x i64> %r
}
