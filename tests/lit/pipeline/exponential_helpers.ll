; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare %s -S | FileCheck %s
; Helpers that each call the level below four times, seven deep: full inlining would make 16,384 copies
; of the leaf. What is built stays small: a leaf occurs at most a few hundred times.

; CHECK: define {{.*}}void @k(
; CHECK: call float @f{{[3-7]}}.fn(
; CHECK-COUNT-1: define internal float @f{{[3-7]}}.fn(
; CHECK-NOT: alwaysinline

target triple = "spir64"
define spir_kernel void @k(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %r = call spir_func float @f7(float %x)
  store float %r, ptr addrspace(1) %p
  ret void
}
define spir_func float @f0(float %x) alwaysinline {
  %a = fmul float %x, %x
  %b = fadd float %a, 1.0
  %c = fmul float %b, %x
  %d = fadd float %c, %a
  ret float %d
}
define spir_func float @f1(float %x) alwaysinline {
  %a = call spir_func float @f0(float %x)
  %b = call spir_func float @f0(float %a)
  %c = call spir_func float @f0(float %b)
  %d = call spir_func float @f0(float %c)
  ret float %d
}
define spir_func float @f2(float %x) alwaysinline {
  %a = call spir_func float @f1(float %x)
  %b = call spir_func float @f1(float %a)
  %c = call spir_func float @f1(float %b)
  %d = call spir_func float @f1(float %c)
  ret float %d
}
define spir_func float @f3(float %x) alwaysinline {
  %a = call spir_func float @f2(float %x)
  %b = call spir_func float @f2(float %a)
  %c = call spir_func float @f2(float %b)
  %d = call spir_func float @f2(float %c)
  ret float %d
}
define spir_func float @f4(float %x) alwaysinline {
  %a = call spir_func float @f3(float %x)
  %b = call spir_func float @f3(float %a)
  %c = call spir_func float @f3(float %b)
  %d = call spir_func float @f3(float %c)
  ret float %d
}
define spir_func float @f5(float %x) alwaysinline {
  %a = call spir_func float @f4(float %x)
  %b = call spir_func float @f4(float %a)
  %c = call spir_func float @f4(float %b)
  %d = call spir_func float @f4(float %c)
  ret float %d
}
define spir_func float @f6(float %x) alwaysinline {
  %a = call spir_func float @f5(float %x)
  %b = call spir_func float @f5(float %a)
  %c = call spir_func float @f5(float %b)
  %d = call spir_func float @f5(float %c)
  ret float %d
}
define spir_func float @f7(float %x) alwaysinline {
  %a = call spir_func float @f6(float %x)
  %b = call spir_func float @f6(float %a)
  %c = call spir_func float @f6(float %b)
  %d = call spir_func float @f6(float %c)
  ret float %d
}
