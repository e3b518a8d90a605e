; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=sums --variant=flat --width=8 --cpu=x86-64-v3 %s -S | FileCheck %s
;
; The fields of a structure that an inner loop adds to in memory are sums in registers, one of all lanes
; for each field: they are shuffled where they are read and written, behind and before that loop, though
; that is in a loop, too.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define {{.*}}void @sums.
; CHECK: inner.i.iteration.v:
; CHECK-COUNT-4: phi <8 x float>
; CHECK-NOT: shufflevector{{.*}}i32 0, i32 8
; CHECK-COUNT-4: fma.v8f32
; CHECK-NOT: shufflevector{{.*}}i32 0, i32 8
; CHECK: br i1
define spir_kernel void @sums(ptr addrspace(1) %f, ptr addrspace(1) %in, i32 %n) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %outer

outer:
  %w = phi i64 [ %id, %entry ], [ %next.w, %outer.end ]
  %a = getelementptr inbounds { float, float, float, float }, ptr addrspace(1) %f, i64 %w
  %b = getelementptr inbounds float, ptr addrspace(1) %a, i64 1
  %c = getelementptr inbounds float, ptr addrspace(1) %a, i64 2
  %d = getelementptr inbounds float, ptr addrspace(1) %a, i64 3
  %own = getelementptr inbounds float, ptr addrspace(1) %in, i64 %w
  %x = load float, ptr addrspace(1) %own, align 4
  br label %inner

inner:
  %j = phi i32 [ 0, %outer ], [ %next, %inner ]
  %at = zext i32 %j to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %in, i64 %at
  %t = load float, ptr addrspace(1) %element, align 4
  %p = fsub float %t, %x
  %q = fmul float %p, %p
  %r = fadd float %t, %x
  %s = fmul float %r, %p
  %a.old = load float, ptr addrspace(1) %a, align 4
  %a.new = call float @llvm.fmuladd.f32(float %p, float %t, float %a.old)
  store float %a.new, ptr addrspace(1) %a, align 4
  %b.old = load float, ptr addrspace(1) %b, align 4
  %b.new = call float @llvm.fmuladd.f32(float %q, float %t, float %b.old)
  store float %b.new, ptr addrspace(1) %b, align 4
  %c.old = load float, ptr addrspace(1) %c, align 4
  %c.new = call float @llvm.fmuladd.f32(float %r, float %t, float %c.old)
  store float %c.new, ptr addrspace(1) %c, align 4
  %d.old = load float, ptr addrspace(1) %d, align 4
  %d.new = call float @llvm.fmuladd.f32(float %s, float %t, float %d.old)
  store float %d.new, ptr addrspace(1) %d, align 4
  %next = add nuw nsw i32 %j, 1
  %again = icmp slt i32 %next, 100
  br i1 %again, label %inner, label %outer.end

outer.end:
  %next.w = add nuw nsw i64 %w, 1024
  %more = icmp slt i64 %next.w, 4096
  br i1 %more, label %outer, label %exit

exit:
  ret void
}

!0 = !{i32 1, i32 1, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"struct*", !"float*", !"int"}
!3 = !{!"", !"", !""}
