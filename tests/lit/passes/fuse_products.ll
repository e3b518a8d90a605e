; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=fuse-products,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v2 --passes=fuse-products %s -S | FileCheck %s --check-prefix=TWICE
; TWICE-NOT: llvm.fma.

; Rounded once, whether the factors are known or not.
; CHECK-LABEL: define float @one(
; CHECK: call nsz float @llvm.fma.f32(float %x, float %y, float %z)
define float @one(float %x, float %y, float %z) {
  %sum = call nsz float @llvm.fmuladd.f32(float %x, float %y, float %z)
  ret float %sum
}

; CHECK-LABEL: define <4 x double> @several(
; CHECK: call <4 x double> @llvm.fma.v4f64(
define <4 x double> @several(<4 x double> %x, <4 x double> %y) {
  %sum = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %x, <4 x double> %x, <4 x double> %y)
  ret <4 x double> %sum
}

; No host has it for halves; and of sums in any order nobody asks how they are rounded.
; CHECK-LABEL: define void @others(
; CHECK: call half @llvm.fmuladd.f16(
; CHECK: call reassoc float @llvm.fmuladd.f32(
define void @others(half %h, float %x, ptr %p, ptr %q) {
  %a = call half @llvm.fmuladd.f16(half %h, half %h, half %h)
  %b = call reassoc float @llvm.fmuladd.f32(float %x, float %x, float %x)
  store half %a, ptr %p
  store float %b, ptr %q
  ret void
}
