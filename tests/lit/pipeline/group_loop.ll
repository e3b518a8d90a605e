; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=group --kernel=k %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=group --kernel=k --local-size=64,1,1 %s -S | FileCheck %s --check-prefix=FIXED
; RUN: not weft-opt --prepare --variant=flat --kernel=k %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAT
; RUN: not weft-opt --prepare --variant=loops --kernel=k %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOOPS
; RUN: not weft-opt --prepare --variant=group --kernel=sync %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=SYNC

target triple = "spir64"

; CHECK: define {{.*}}void @k.group.w1.s0.group(ptr {{.*}}%group)
; CHECK: getelementptr inbounds i8, ptr %group, i64 32
; CHECK: {{(loop|next)\.item}}
; CHECK: mul {{.*}}<{{[0-9]+}} x i32>
; CHECK-NOT: alloca
; CHECK: define {{.*}}void @k.group.w1.s0(
; FIXED: define {{.*}}void @k.group.w1.s0.l64.l1.l1(
; FIXED-NOT: weft.local_size
; FIXED-NOT: loop.row
; FIXED: ret void
; FLAT: error: kernel 'k': a kernel that observes its work-group has no flat form
; LOOPS: error: kernel 'k': a kernel without group-uniform barriers has no loop form
; SYNC: error: kernel 'sync': a kernel whose work-items wait for each other has no group-loop form
define spir_kernel void @k(ptr addrspace(1) %a) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %n = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %l32 = trunc i64 %l to i32
  %n32 = trunc i64 %n to i32
  %v = mul i32 %l32, %l32
  %w = add i32 %v, %n32
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 %w, ptr addrspace(1) %p, align 4
  ret void
}
define spir_kernel void @sync(ptr addrspace(1) %a) convergent {
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  ret void
}
declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)
