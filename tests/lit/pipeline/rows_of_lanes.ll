; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=loops --kernel=halve --local-size=16,16,1 --width=0 --cpu=x86-64-v3 %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=loops --kernel=halve --local-size=8,16,1 --width=0 --cpu=x86-64-v3 %s -S | FileCheck %s
;
; A row of a group that fills lanes once or twice is made lanes here: LLVM would unroll it before its
; vectoriser sees it, and make vectors of rows, or masks of a branch that whole rows take.

target triple = "spir64"

; CHECK-LABEL: define {{.*}}void @halve.loops
; CHECK-NOT: masked
; CHECK-NOT: shufflevector
; CHECK: load <8 x float>, ptr addrspace(1)
; CHECK-NOT: masked
; CHECK-NOT: shufflevector
; CHECK: fadd <8 x float>
; CHECK-NOT: shufflevector
; CHECK: store <8 x float> {{.*}}, ptr addrspace(1)
; CHECK-NOT: masked
; CHECK-NOT: shufflevector
; CHECK: ret void

define spir_kernel void @halve(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) %l, i64 %pitch)
    !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2
    !kernel_arg_type_qual !3 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %w = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %row = mul i64 %y, %w
  %p = add i64 %row, %x
  %g = call spir_func i64 @_Z12get_group_idj(i32 0)
  %first = shl i64 %g, 8
  %down = mul i64 %y, %pitch
  %line = add i64 %first, %down
  %i = add i64 %line, %x
  %from = getelementptr inbounds float, ptr addrspace(1) %in, i64 %i
  %v = load float, ptr addrspace(1) %from, align 4
  %cell = getelementptr inbounds float, ptr addrspace(3) %l, i64 %p
  %w2 = fmul float %v, 2.0
  store float %w2, ptr addrspace(3) %cell, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %odd = and i64 %y, 1
  %is.even = icmp eq i64 %odd, 0
  br i1 %is.even, label %even, label %meet
even:
  %q = add i64 %p, %w
  %other = getelementptr inbounds float, ptr addrspace(3) %l, i64 %q
  %a = load float, ptr addrspace(3) %cell, align 4
  %b = load float, ptr addrspace(3) %other, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(3) %cell, align 4
  br label %meet
meet:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %r = load float, ptr addrspace(3) %cell, align 4
  %s = fmul float %r, 3.0
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %i
  store float %s, ptr addrspace(1) %to, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %is.first = icmp eq i64 %g, 0
  %is.top = icmp eq i64 %y, 0
  %is.one = and i1 %is.first, %is.top
  br i1 %is.one, label %one, label %done
one:
  %t = load float, ptr addrspace(3) %cell, align 4
  %place = getelementptr inbounds float, ptr addrspace(1) %out, i64 %x
  store float %t, ptr addrspace(1) %place, align 4
  br label %done
done:
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent

!0 = !{i32 1, i32 1, i32 3, i32 0}
!1 = !{!"none", !"none", !"none", !"none"}
!2 = !{!"float*", !"float*", !"float*", !"long"}
!3 = !{!"", !"", !"", !""}
