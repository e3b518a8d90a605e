; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=forward-lanes,verify %s -S | FileCheck %s

; A vector across two that were written is put together from both.
; CHECK-LABEL: define <4 x i32> @across
; CHECK-NOT: load
; CHECK: [[V:%.*]] = shufflevector <4 x i32> %a, <4 x i32> %b, <4 x i32> <i32 3, i32 4, i32 5, i32 6>
; CHECK: ret <4 x i32> [[V]]
define <4 x i32> @across(ptr addrspace(3) %p, <4 x i32> %a, <4 x i32> %b, ptr addrspace(1) %g) {
  store <4 x i32> %a, ptr addrspace(3) %p
  %q = getelementptr i8, ptr addrspace(3) %p, i64 16
  store <4 x i32> %b, ptr addrspace(3) %q
  store i32 0, ptr addrspace(1) %g
  %r = getelementptr i8, ptr addrspace(3) %p, i64 12
  %v = load <4 x i32>, ptr addrspace(3) %r
  ret <4 x i32> %v
}

; Only what is read has to be known, and what is not read stays what it was.
; CHECK-LABEL: define <4 x i32> @masked
; CHECK-NOT: @llvm.masked.load
; CHECK: [[V:%.*]] = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 poison, i32 0, i32 1, i32 2>
; CHECK: select <4 x i1> <i1 false, i1 true, i1 true, i1 true>, <4 x i32> [[V]], <4 x i32> zeroinitializer
define <4 x i32> @masked(ptr addrspace(3) %p, <4 x i32> %a) {
  store <4 x i32> %a, ptr addrspace(3) %p
  %q = getelementptr i8, ptr addrspace(3) %p, i64 -4
  %v = call <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3) %q, i32 4, <4 x i1> <i1 false, i1 true, i1 true, i1 true>, <4 x i32> zeroinitializer)
  ret <4 x i32> %v
}

; A masked store writes only some; a scalar is read out of a vector of another type.
; CHECK-LABEL: define float @overwritten
; CHECK-NOT: load
; CHECK: extractelement <2 x float>
; CHECK: extractelement <4 x float>
; CHECK: ret float
define float @overwritten(ptr addrspace(3) %p, <4 x i32> %a, <2 x float> %b) {
  store <4 x i32> %a, ptr addrspace(3) %p
  call void @llvm.masked.store.v2f32.p3(<2 x float> %b, ptr addrspace(3) %p, i32 4, <2 x i1> <i1 true, i1 false>)
  %x = load float, ptr addrspace(3) %p
  %q = getelementptr i8, ptr addrspace(3) %p, i64 4
  %y = load float, ptr addrspace(3) %q
  %z = fadd float %x, %y
  ret float %z
}

; CHECK-LABEL: define i32 @unknown
; CHECK: %v = load i32
; CHECK: %w = load i32
; CHECK: %x = load i32
define i32 @unknown(ptr addrspace(3) %p, ptr addrspace(4) %generic, i64 %i, <4 x i32> %a) {
  store <4 x i32> %a, ptr addrspace(3) %p
  store i32 1, ptr addrspace(4) %generic
  %v = load i32, ptr addrspace(3) %p
  store <4 x i32> %a, ptr addrspace(3) %p
  %q = getelementptr i32, ptr addrspace(3) %p, i64 %i
  store i32 2, ptr addrspace(3) %q
  %w = load i32, ptr addrspace(3) %p
  store <4 x i32> %a, ptr addrspace(3) %p
  %r = getelementptr i8, ptr addrspace(3) %p, i64 2
  store i32 3, ptr addrspace(3) %r
  %x = load i32, ptr addrspace(3) %p
  %s = add i32 %v, %w
  %t = add i32 %s, %x
  ret i32 %t
}

; CHECK-LABEL: define i32 @others
; CHECK: %v = load i32
; CHECK: %w = load i32
define i32 @others(ptr addrspace(3) %p, <4 x i32> %a) {
  store <4 x i32> %a, ptr addrspace(3) %p
  call void @somebody()
  %v = load i32, ptr addrspace(3) %p
  store <4 x i32> %a, ptr addrspace(3) %p
  %old = atomicrmw add ptr addrspace(3) %p, i32 1 monotonic
  %w = load i32, ptr addrspace(3) %p
  %s = add i32 %v, %w
  ret i32 %s
}

declare void @somebody()
declare <4 x i32> @llvm.masked.load.v4i32.p3(ptr addrspace(3), i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v2f32.p3(<2 x float>, ptr addrspace(3), i32, <2 x i1>)
