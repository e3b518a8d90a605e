; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --kernel=vecadd %s -S | FileCheck %s --check-prefix=VECADD
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --kernel=guarded %s -S | FileCheck %s --check-prefix=GUARDED
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --kernel=guarded %s -S | FileCheck %s --check-prefix=GUARDED
; Straight-line kernels become wide operations in the loop over dimension 0, with no check whether
; buffers overlap; an `if (i < n)` and 32-bit ids do not stop that.

target triple = "spir64"

; VECADD: define {{.*}}void @vecadd.flat.w1.s0(ptr {{.*}}%group)
; VECADD-NOT: memcheck
; VECADD: load <{{[0-9]+}} x float>, ptr addrspace(1)
; VECADD: fadd <{{[0-9]+}} x float>
; VECADD: store <{{[0-9]+}} x float> %{{.*}}, ptr addrspace(1)
; VECADD-NOT: @_Z13get_global_idj
define spir_kernel void @vecadd(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  %x = load float, ptr addrspace(1) %pa, align 4
  %y = load float, ptr addrspace(1) %pb, align 4
  %s = fadd float %x, %y
  store float %s, ptr addrspace(1) %pc, align 4
  ret void
}

; GUARDED: define {{.*}}void @guarded.flat.w1.s0(
; GUARDED-NOT: memcheck
; GUARDED: fmul <{{[0-9]+}} x float>
define spir_kernel void @guarded(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %g to i32
  %in = icmp slt i32 %i, %n
  br i1 %in, label %then, label %done
then:
  %at = sext i32 %i to i64
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %at
  %x = load float, ptr addrspace(1) %pa, align 4
  %y = fmul float %x, 2.0
  store float %y, ptr addrspace(1) %pc, align 4
  br label %done
done:
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
