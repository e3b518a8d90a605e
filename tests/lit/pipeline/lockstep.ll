; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s --check-prefix=INFO
; RUN: weft-opt --prepare --variant=loops --local-size=16,4,1 --kernel=product --width=0 --explain %s 2>&1 | FileCheck %s --check-prefix=EXPLAIN
; RUN: weft-opt --prepare --variant=loops --local-size=16,4,1 --kernel=product %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=group --local-size=16,4,1 --kernel=product %s -S | FileCheck %s --check-prefix=GROUP
; Rows of work-items read the same column of the first matrix. In lockstep its sums are kept from
; turn to turn; otherwise each work-item has them in registers.

target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)

; INFO: kernel product {{.*}}barrier=0 {{.*}}lockstep=1 context={{[1-9]}}
; INFO: kernel unknown {{.*}}barrier=0 {{.*}}lockstep=0 context=0
; EXPLAIN: kernel 'product': barrier-loops form, work-groups of 16 x 4 x 1
; EXPLAIN: kernel 'product': lockstep: rows of work-items read the same in a long loop
; CHECK: define {{.*}}void @product.loops.
; CHECK: alloca [64 x float]
; CHECK-NOT: weft_barrier
; CHECK: ret void
; GROUP: define {{.*}}void @product.group.
; GROUP-NOT: alloca [64 x float]
; GROUP: ret void
define spir_kernel void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %m) {
entry:
  %lx = call spir_func i64 @_Z12get_local_idj(i32 0)
  %ly = call spir_func i64 @_Z12get_local_idj(i32 1)
  %gx = call spir_func i64 @_Z12get_group_idj(i32 0)
  %gy = call spir_func i64 @_Z12get_group_idj(i32 1)
  %bx = mul i64 %gx, 16
  %x = add i64 %bx, %lx
  %by = mul i64 %gy, 4
  %y = add i64 %by, %ly
  %columns = sext i32 %m to i64
  br label %header
header:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %goes.on = icmp ult i64 %k, 1000
  br i1 %goes.on, label %body, label %done
body:
  %row = mul i64 %k, %columns
  %ia = add i64 %row, %x
  %ib = add i64 %row, %y
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %ia
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %ib
  %va = load float, ptr addrspace(1) %pa, align 4
  %vb = load float, ptr addrspace(1) %pb, align 4
  %product = fmul float %va, %vb
  %more = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  br label %header
done:
  %to = mul i64 %y, %columns
  %ic = add i64 %to, %x
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %ic
  store float %sum, ptr addrspace(1) %pc, align 4
  ret void
}

define spir_kernel void @unknown(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %m, i64 %n) {
entry:
  %lx = call spir_func i64 @_Z12get_local_idj(i32 0)
  %ly = call spir_func i64 @_Z12get_local_idj(i32 1)
  %columns = sext i32 %m to i64
  br label %header
header:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %goes.on = icmp ult i64 %k, %n
  br i1 %goes.on, label %body, label %done
body:
  %row = mul i64 %k, %columns
  %ia = add i64 %row, %lx
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %ia
  %va = load float, ptr addrspace(1) %pa, align 4
  %more = fadd float %sum, %va
  %next = add nuw nsw i64 %k, 1
  br label %header
done:
  %to = mul i64 %ly, %columns
  %ic = add i64 %to, %lx
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %ic
  store float %sum, ptr addrspace(1) %pc, align 4
  ret void
}
