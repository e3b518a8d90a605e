; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=drop-components,verify %s -S | FileCheck %s

; A pixel with one channel: a mean of two, scaled, of which 16 bits are stored.
; CHECK-LABEL: @single(
; CHECK-NOT: x float>
; CHECK: fmul nnan float %x, %w
; CHECK: call float @llvm.fmuladd.f32(float %y, float %w
; CHECK: [[BITS:%.*]] = bitcast float {{.*}} to i32
; CHECK-NOT: <
; CHECK: trunc i32 {{.*}} to i16
; CHECK: ret i16
define i16 @single(float %x, float %y, float %w) {
  %a = insertelement <4 x float> <float poison, float 0.0, float 0.0, float 1.0>, float %x, i64 0
  %b = insertelement <4 x float> <float poison, float 0.0, float 0.0, float 1.0>, float %y, i64 0
  %v = insertelement <4 x float> poison, float %w, i64 0
  %s = shufflevector <4 x float> %v, <4 x float> poison, <4 x i32> zeroinitializer
  %p = fmul nnan <4 x float> %a, %s
  %q = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %b, <4 x float> %s, <4 x float> %p)
  %i = bitcast <4 x float> %q to <8 x i16>
  %e = extractelement <8 x i16> %i, i64 0
  ret i16 %e
}

; Two of four, around a loop, and whole again for whoever wants all that there is.
; CHECK-LABEL: @loop(
; CHECK: phi <2 x i32> [ %{{.*}}, %entry ], [ %[[NEXT:[0-9]+]], %loop ]
; CHECK: %[[NEXT]] = add <2 x i32>
; CHECK: ret <2 x i32>
define <2 x i32> @loop(<4 x i32> %v, i32 %n) {
entry:
  br label %loop
loop:
  %sum = phi <4 x i32> [ %v, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %next = add <4 x i32> %sum, <i32 1, i32 2, i32 3, i32 4>
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = shufflevector <4 x i32> %next, <4 x i32> poison, <2 x i32> <i32 3, i32 1>
  ret <2 x i32> %r
}

; Three of four are as many registers; and nobody divides by what was left out.
; CHECK-LABEL: @most(
; CHECK: add <4 x i32>
; CHECK: udiv <4 x i32>
define i32 @most(<4 x i32> %a, <4 x i32> %b) {
  %s = add <4 x i32> %a, %b
  %d = udiv <4 x i32> %a, %b
  %x = extractelement <4 x i32> %s, i64 0
  %y = extractelement <4 x i32> %s, i64 1
  %z = extractelement <4 x i32> %s, i64 2
  %q = extractelement <4 x i32> %d, i64 3
  %t = add i32 %x, %y
  %u = mul i32 %t, %z
  %r = xor i32 %u, %q
  ret i32 %r
}
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
