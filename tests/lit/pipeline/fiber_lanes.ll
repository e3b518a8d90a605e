; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=uniform %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=guarded %s -S | FileCheck %s --check-prefix=GUARDED
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=data %s -S | FileCheck %s --check-prefix=DATA
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=deep --inline-budget=1 %s -S | FileCheck %s --check-prefix=DEEP
; RUN: weft-opt --prepare --variant=fibers --width=8 --local-size=16,1,1 --kernel=uniform %s -S | FileCheck %s --check-prefix=WHOLE
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=data --explain %s | FileCheck %s --check-prefix=LANES
; RUN: weft-opt --prepare --variant=fibers --width=8 --kernel=deep --inline-budget=1 --explain %s | FileCheck %s --check-prefix=ONE
; One fiber runs eight work-items of a row, and waits once for all of them.

target triple = "spir64"
declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)

; The object says how many they are; what is left of a row is masked.
; CHECK: @uniform.fibers.w8.s0.separate.lanes8 = alias void (ptr), ptr @uniform.fibers.w8.s0.separate
; CHECK-NOT: weft.lane_count
; CHECK: define {{.*}}void @uniform.fibers.w8.s0.separate(ptr {{.*}}%lanes)
; CHECK-NOT: weft_divergence
; CHECK-COUNT-2: call void @weft_barrier(ptr {{.*}}%lanes, i32 0)
; CHECK-NOT: call void @weft_barrier

; Rows of groups of this size fill all lanes.
; WHOLE: call void @weft_barrier
; WHOLE-NOT: call void @weft_barrier
define spir_kernel void @uniform(ptr addrspace(1) %a, ptr addrspace(3) %l) convergent {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(3) %l, i64 %i
  store i32 7, ptr addrspace(3) %p, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %v = load i32, ptr addrspace(3) %l, align 4
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %q = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 %v, ptr addrspace(1) %q, align 4
  ret void
}

; A limit on the ids ends the row: nobody asks who is at the barrier.
; GUARDED: define {{.*}}void @guarded.fibers.w8.s0.separate(
; GUARDED-NOT: weft_divergence
; GUARDED: ret void
define spir_kernel void @guarded(ptr addrspace(1) %a, i32 %n) convergent {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %wide = zext i32 %n to i64
  %in = icmp ult i64 %g, %wide
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 1, ptr addrspace(1) %p, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %v = load i32, ptr addrspace(1) %a, align 4
  store i32 %v, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; Data decide: the barrier is met by some lane or by none, and nobody comes who has missed one.
; DATA: define {{.*}}void @data.fibers.w8.s0.separate(
; DATA: call void @weft_barrier(ptr {{.*}}%lanes, i32 2)
; DATA: call void @weft_divergence(ptr {{.*}}%lanes, i32 {{.*}}, i32 3)
; DATA-NEXT: unreachable
; DATA: call void @weft_barrier(ptr {{.*}}%lanes, i32 3)
; LANES: remark: kernel 'data': fibers, vectorised (8)
; LANES-NEXT: remark: kernel 'data': fibers: work-items may disagree on the way to a barrier
define spir_kernel void @data(ptr addrspace(1) %a) convergent {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %some = icmp sgt i32 %v, 5
  br i1 %some, label %wait, label %exit
wait:
  call spir_func void @__weft_barrier(i32 2, i32 1) convergent
  store i32 1, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  call spir_func void @__weft_barrier(i32 2, i32 1) convergent
  store i32 2, ptr addrspace(1) %p, align 4
  ret void
}

; A barrier out of line is waited at by each work-item.
; DEEP: @deep.fibers.w8.s0.separate.lanes1 = alias
; DEEP: define {{.*}}void @deep.fibers.w8.s0.separate(
; DEEP-NOT: br label
; DEEP: call {{.*}}void @inner.fn(
; DEEP-NEXT: ret void
; ONE: remark: kernel 'deep': fibers, not vectorised: a function that is not inlined reaches a barrier
define spir_kernel void @deep(ptr addrspace(1) %a) convergent {
  call spir_func void @inner(ptr addrspace(1) %a) convergent
  ret void
}
define spir_func void @inner(ptr addrspace(1) %a) convergent noinline {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 2, ptr addrspace(1) %p
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  ret void
}
