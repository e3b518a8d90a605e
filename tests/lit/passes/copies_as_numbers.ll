; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=copies-as-numbers,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=transpose --explain %s | FileCheck %s --check-prefix=LANES
; Small vectors that are only copied are numbers.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64"

; CHECK-LABEL: @transpose(
; CHECK: %v = load i32, ptr addrspace(1) %p, align 4, !tbaa
; CHECK: store i32 %v, ptr addrspace(1) %q, align 4, !tbaa
; LANES: kernel 'transpose': flat form{{.*}} vectorised
define spir_kernel void @transpose(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul nuw nsw i64 %y, 1024
  %from = add nuw nsw i64 %row, %x
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %in, i64 %from
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4, !tbaa !0
  %column = mul nuw nsw i64 %x, 2048
  %to = add nuw nsw i64 %column, %y
  %q = getelementptr inbounds <4 x i8>, ptr addrspace(1) %out, i64 %to
  store <4 x i8> %v, ptr addrspace(1) %q, align 4, !tbaa !0
  ret void
}

; To two places, one of them in local memory.
; CHECK-LABEL: @both(
; CHECK: %v = load i64, ptr addrspace(2) %p, align 8
; CHECK-NEXT: store i64 %v, ptr addrspace(1) %q, align 4
; CHECK-NEXT: store i64 %v, ptr addrspace(3) %l, align 8
define void @both(ptr addrspace(2) %p, ptr addrspace(1) %q, ptr addrspace(3) %l) {
  %v = load <2 x float>, ptr addrspace(2) %p, align 8
  store <2 x float> %v, ptr addrspace(1) %q, align 4
  store <2 x float> %v, ptr addrspace(3) %l, align 8
  ret void
}

; Not from where vectors are stored, of which an element may be poison, nor on from there; but from where numbers are.
; CHECK-LABEL: @through(
; CHECK: store <4 x i8> %made, ptr addrspace(3) %l
; CHECK: %a = load <4 x i8>, ptr addrspace(3) %{{.*}}
; CHECK: store <4 x i8> %a, ptr addrspace(3) %m
; CHECK: %b = load <4 x i8>, ptr addrspace(3) %m
; CHECK: store <4 x i8> %b, ptr addrspace(1) %q
; CHECK: %c = load i32, ptr addrspace(1) %p
; CHECK: store i32 %c, ptr addrspace(3) %n
; CHECK: %d = load i32, ptr addrspace(3) %n
; CHECK: store i32 %d, ptr addrspace(1) %q
define void @through(<4 x i8> %made, ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(3) %l, ptr addrspace(3) %m,
                     ptr addrspace(3) %n) {
  store <4 x i8> %made, ptr addrspace(3) %l, align 4
  %next = getelementptr i8, ptr addrspace(3) %l, i64 4
  %a = load <4 x i8>, ptr addrspace(3) %next, align 4
  store <4 x i8> %a, ptr addrspace(3) %m, align 4
  %b = load <4 x i8>, ptr addrspace(3) %m, align 4
  store <4 x i8> %b, ptr addrspace(1) %q, align 4
  %c = load <4 x i8>, ptr addrspace(1) %p, align 4
  store <4 x i8> %c, ptr addrspace(3) %n, align 4
  %d = load <4 x i8>, ptr addrspace(3) %n, align 4
  store <4 x i8> %d, ptr addrspace(1) %q, align 4
  ret void
}

; Not what is computed with, nor three elements, which are four in memory; nor what is volatile, private,
; larger, or an address.
; CHECK-LABEL: @others(
; CHECK-NOT: load i
; CHECK-NOT: store i
; CHECK: ret void
define void @others(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr %r) {
  %a = load <4 x i8>, ptr addrspace(1) %p, align 4
  %b = xor <4 x i8> %a, <i8 1, i8 2, i8 3, i8 4>
  store <4 x i8> %a, ptr addrspace(1) %q, align 4
  store <4 x i8> %b, ptr addrspace(1) %q, align 4
  %c = load <3 x i8>, ptr addrspace(1) %p, align 4
  store <3 x i8> %c, ptr addrspace(1) %q, align 4
  %d = load volatile <4 x i8>, ptr addrspace(1) %p, align 4
  store <4 x i8> %d, ptr addrspace(1) %q, align 4
  %e = load <4 x i8>, ptr addrspace(1) %p, align 4
  store volatile <4 x i8> %e, ptr addrspace(1) %q, align 4
  %f = load <4 x i8>, ptr addrspace(1) %p, align 4
  store <4 x i8> %f, ptr %r, align 4
  %g = load <4 x i8>, ptr %r, align 4
  store <4 x i8> %g, ptr addrspace(1) %q, align 4
  %h = load <4 x float>, ptr addrspace(1) %p, align 16
  store <4 x float> %h, ptr addrspace(1) %q, align 16
  %i = load <1 x ptr>, ptr addrspace(1) %p, align 8
  store <1 x ptr> %i, ptr addrspace(1) %q, align 8
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)

!0 = !{!1, !1, i64 0}
!1 = !{!"omnipotent char", !2, i64 0}
!2 = !{!"Simple C/C++ TBAA"}
