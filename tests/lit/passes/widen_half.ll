; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=widen-half,verify %s -S | FileCheck %s

; CHECK-LABEL: define half @scalar
; CHECK: %[[A:.*]] = fpext half %a to float
; CHECK: %[[B:.*]] = fpext half %b to float
; CHECK: %[[R:.*]] = call nnan float @llvm.minnum.f32(float %[[A]], float %[[B]])
; CHECK: fptrunc float %[[R]] to half
define half @scalar(half %a, half %b) {
  %r = call nnan half @llvm.minnum.f16(half %a, half %b)
  ret half %r
}

; CHECK-LABEL: define <4 x half> @vector
; CHECK: call <4 x float> @llvm.maxnum.v4f32(
; CHECK-NOT: llvm.maxnum.v4f16(
define <4 x half> @vector(<4 x half> %a, <4 x half> %b) {
  %r = call <4 x half> @llvm.maxnum.v4f16(<4 x half> %a, <4 x half> %b)
  ret <4 x half> %r
}

; CHECK-LABEL: define float @wider
; CHECK-NEXT: call float @llvm.minnum.f32(float %a, float %b)
define float @wider(float %a, float %b) {
  %r = call float @llvm.minnum.f32(float %a, float %b)
  ret float %r
}

; CHECK-LABEL: define half @choice
; CHECK: %[[A:.*]] = fpext half %a to float
; CHECK: fcmp ogt float %[[A]], 2.125000e+01
; CHECK: select i1 {{.*}}, half %a, half
define half @choice(half %a) {
  %c = fcmp ogt half %a, 0xH4D50
  %r = select i1 %c, half %a, half 0xH4D50
  ret half %r
}

; CHECK-LABEL: define half @other
; CHECK: %[[A:.*]] = fpext half %a to float
; CHECK: %[[B:.*]] = fpext half %b to float
; CHECK: fcmp ogt float %[[A]], %[[B]]
define half @other(half %a, half %b, half %x) {
  %c = fcmp ogt half %a, %b
  %r = select i1 %c, half %a, half %x
  ret half %r
}

; CHECK-LABEL: define <4 x i1> @equal
; CHECK-NEXT: fcmp une <4 x half> %a, %b
define <4 x i1> @equal(<4 x half> %a, <4 x half> %b) {
  %c = fcmp une <4 x half> %a, %b
  ret <4 x i1> %c
}
