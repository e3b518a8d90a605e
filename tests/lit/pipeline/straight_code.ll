; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --kernel=k %s -S | FileCheck %s
; A loop that stays scalar has its parallel statements made wide, also when another loop of the
; kernel is vectorised.

target triple = "spir64"

; CHECK: define {{.*}}void @k.flat.w1.s0(
; CHECK: phi <2 x float>
; CHECK: fmul <2 x float>
; CHECK: llvm.loop.isvectorized
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %counts,
                           i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %chains

chains:
  %i = phi i64 [ 0, %entry ], [ %i.next, %chains ]
  %s0 = phi float [ 0.0, %entry ], [ %s0.next, %chains ]
  %s1 = phi float [ 1.0, %entry ], [ %s1.next, %chains ]
  %j = shl i64 %i, 1
  %p0 = getelementptr inbounds float, ptr addrspace(1) %in, i64 %j
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 4
  %x0 = load float, ptr addrspace(1) %p0, align 4
  %x1 = load float, ptr addrspace(1) %p1, align 4
  %m0 = fmul float %s0, %s0
  %m1 = fmul float %s1, %s1
  %s0.next = fadd float %m0, %x0
  %s1.next = fadd float %m1, %x1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %chains, label %store

store:
  %o0 = getelementptr inbounds <2 x float>, ptr addrspace(1) %out, i64 %g
  %o1 = getelementptr inbounds i8, ptr addrspace(1) %o0, i64 4
  store float %s0.next, ptr addrspace(1) %o0, align 4
  store float %s1.next, ptr addrspace(1) %o1, align 4
  br label %count

count:
  %c = phi i64 [ 0, %store ], [ %c.next, %count ]
  %pc = getelementptr inbounds i32, ptr addrspace(1) %counts, i64 %c
  %old = load i32, ptr addrspace(1) %pc, align 4
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %pc, align 4
  %c.next = add nuw nsw i64 %c, 1
  %again = icmp slt i64 %c.next, %n
  br i1 %again, label %count, label %end

end:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
