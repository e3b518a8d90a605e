; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=fibers --kernel=reduce %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=fibers --kernel=ids %s -S | FileCheck %s --check-prefix=IDS
; RUN: weft-opt --prepare --variant=fibers --kernel=deep --inline-budget=1 %s -S | FileCheck %s --check-prefix=DEEP
; A local reduction waits at the service by its barriers' ids, between fences; out-of-line
; functions pass the item on at any depth.

target triple = "spir64"
@reduce.t = internal addrspace(3) global [64 x float] undef, align 4

; CHECK-NOT: addrspace(3) global
; CHECK: declare void @weft_barrier(ptr nocapture readonly, i32) {{.*}}#[[SERVICE:[0-9]+]]
; CHECK: define {{.*}}void @reduce.fibers.w1.s0(ptr {{.*}}%item)
; CHECK: fence syncscope("singlethread") release
; CHECK-NEXT: call void @weft_barrier(ptr nonnull readonly %item, i32 0)
; CHECK-NEXT: fence syncscope("singlethread") acquire
; CHECK: fence syncscope("singlethread") release
; CHECK-NEXT: call void @weft_barrier(ptr nonnull readonly %item, i32 1)
; CHECK-NEXT: fence syncscope("singlethread") acquire
; CHECK: attributes #[[SERVICE]] = { convergent nounwind }
define spir_kernel void @reduce(ptr addrspace(1) %a) convergent {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @reduce.t, i64 0, i64 %l
  store float 1.0, ptr addrspace(3) %p, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %loop
loop:
  %s = phi i64 [ 32, %entry ], [ %half, %next ]
  %in = icmp ult i64 %l, %s
  br i1 %in, label %add, label %next
add:
  %at = add i64 %l, %s
  %q = getelementptr inbounds [64 x float], ptr addrspace(3) @reduce.t, i64 0, i64 %at
  %x = load float, ptr addrspace(3) %q, align 4
  %y = load float, ptr addrspace(3) %p, align 4
  %z = fadd float %x, %y
  store float %z, ptr addrspace(3) %p, align 4
  br label %next
next:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %half = lshr i64 %s, 1
  %more = icmp ne i64 %half, 0
  br i1 %more, label %loop, label %done
done:
  %r = load float, ptr addrspace(3) @reduce.t, align 4
  store float %r, ptr addrspace(1) %a, align 4
  ret void
}

; The id is loaded once: barriers do not change it.
; IDS: define {{.*}}void @ids.fibers.w1.s0(
; IDS: load i64, ptr %{{.*}}!invariant.load
; IDS: call void @weft_barrier
; IDS-NOT: load
; IDS: ret void
define spir_kernel void @ids(ptr addrspace(1) %a) convergent {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %l
  store i64 1, ptr addrspace(1) %p
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %m = call spir_func i64 @_Z12get_local_idj(i32 0)
  %q = getelementptr inbounds i64, ptr addrspace(1) %p, i64 %m
  store i64 %m, ptr addrspace(1) %q
  ret void
}

; DEEP: define internal {{.*}}void @middle.fn(ptr {{.*}}%item
; DEEP: call {{.*}}void @inner.fn(ptr {{.*}}%item
; DEEP: define internal {{.*}}void @inner.fn(ptr {{.*}}%item
; DEEP: call void @weft_barrier(ptr {{.*}}%item, i32 3)
; DEEP: define {{.*}}void @deep.fibers.w1.s0(ptr {{.*}}%item)
; DEEP: call {{.*}}void @middle.fn(ptr {{.*}}%item
define spir_kernel void @deep(ptr addrspace(1) %a) convergent {
  call spir_func void @middle(ptr addrspace(1) %a) convergent
  ret void
}
define spir_func void @middle(ptr addrspace(1) %a) convergent noinline {
  call spir_func void @inner(ptr addrspace(1) %a) convergent
  store i32 1, ptr addrspace(1) %a
  ret void
}
define spir_func void @inner(ptr addrspace(1) %a) convergent noinline {
  store i32 2, ptr addrspace(1) %a
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  ret void
}
declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func i64 @_Z12get_local_idj(i32)
