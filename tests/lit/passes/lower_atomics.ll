; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=lower-atomics,verify %s -S | FileCheck %s

; CHECK-LABEL: define i32 @integers(
; CHECK: load atomic i32, ptr addrspace(1) %p acquire, align 4
; CHECK: store atomic i32 1, ptr addrspace(1) %p release, align 4
; CHECK: atomicrmw add ptr addrspace(1) %p, i32 2 monotonic, align 4
; CHECK: atomicrmw umax ptr addrspace(3) %l, i32 3 seq_cst, align 4
; CHECK: atomicrmw xchg ptr addrspace(4) %g, i64 4 acq_rel, align 8
; CHECK: %[[PAIR:.*]] = cmpxchg ptr addrspace(1) %p, i32 5, i32 6 acq_rel acquire, align 4
; CHECK: %[[OLD:.*]] = extractvalue { i32, i1 } %[[PAIR]], 0
; CHECK: ret i32 %[[OLD]]
define i32 @integers(ptr addrspace(1) %p, ptr addrspace(3) %l, ptr addrspace(4) %g) {
  %a = call i32 @__weft_atomic_load_i32_as1(ptr addrspace(1) %p, i32 4, i32 2)
  call void @__weft_atomic_store_i32_as1(ptr addrspace(1) %p, i32 1, i32 4, i32 2)
  %b = call i32 @__weft_atomic_add_i32_as1(ptr addrspace(1) %p, i32 2, i32 0, i32 2)
  %c = call i32 @__weft_atomic_umax_i32_as3(ptr addrspace(3) %l, i32 3, i32 5, i32 1)
  %d = call i64 @__weft_atomic_exchange_i64_as4(ptr addrspace(4) %g, i64 4, i32 4, i32 3)
  %e = call i32 @__weft_atomic_cmpxchg_i32_as1(ptr addrspace(1) %p, i32 5, i32 6, i32 4, i32 4, i32 1)
  ret i32 %e
}

; CHECK-LABEL: define float @floats(
; CHECK: atomicrmw fadd ptr addrspace(1) %p, float 1.000000e+00 monotonic, align 4
; CHECK: atomicrmw fmin ptr addrspace(3) %l, double 2.000000e+00 seq_cst, align 8
; CHECK: atomicrmw xchg ptr addrspace(1) %p, float 3.000000e+00 monotonic, align 4
define float @floats(ptr addrspace(1) %p, ptr addrspace(3) %l) {
  %a = call float @__weft_atomic_fadd_f32_as1(ptr addrspace(1) %p, float 1.0, i32 0, i32 2)
  %b = call double @__weft_atomic_fmin_f64_as3(ptr addrspace(3) %l, double 2.0, i32 5, i32 1)
  %c = call float @__weft_atomic_exchange_f32_as1(ptr addrspace(1) %p, float 3.0, i32 0, i32 2)
  ret float %c
}
; CHECK-NOT: @__weft


declare i32 @__weft_atomic_load_i32_as1(ptr addrspace(1), i32, i32)
declare void @__weft_atomic_store_i32_as1(ptr addrspace(1), i32, i32, i32)
declare i32 @__weft_atomic_add_i32_as1(ptr addrspace(1), i32, i32, i32)
declare i32 @__weft_atomic_umax_i32_as3(ptr addrspace(3), i32, i32, i32)
declare i64 @__weft_atomic_exchange_i64_as4(ptr addrspace(4), i64, i32, i32)
declare i32 @__weft_atomic_cmpxchg_i32_as1(ptr addrspace(1), i32, i32, i32, i32, i32)
declare float @__weft_atomic_fadd_f32_as1(ptr addrspace(1), float, i32, i32)
declare double @__weft_atomic_fmin_f64_as3(ptr addrspace(3), double, i32, i32)
declare float @__weft_atomic_exchange_f32_as1(ptr addrspace(1), float, i32, i32)
