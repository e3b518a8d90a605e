; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=relax-local-atomics,verify %s -S | FileCheck %s
; Of local memory only: global memory is shared with other threads, and the generic address space
; may be global.

; CHECK-LABEL: define i32 @local(
; CHECK-NEXT: %[[OLD:.*]] = load i32, ptr addrspace(3) %l
; CHECK-NEXT: %[[NEW:.*]] = add i32 %[[OLD]], 1
; CHECK-NEXT: store i32 %[[NEW]], ptr addrspace(3) %l
; CHECK-NEXT: %[[SEEN:.*]] = load i64, ptr addrspace(3) %l
; CHECK-NEXT: %[[SAME:.*]] = icmp eq i64 %[[SEEN]], 5
; CHECK-NEXT: %[[KEPT:.*]] = select i1 %[[SAME]], i64 6, i64 %[[SEEN]]
; CHECK-NEXT: store i64 %[[KEPT]], ptr addrspace(3) %l
; CHECK-NOT: cmpxchg
; CHECK: select i1 %same, i32 %[[OLD]], i32 7
define i32 @local(ptr addrspace(3) %l) {
  %old = atomicrmw add ptr addrspace(3) %l, i32 1 seq_cst
  %pair = cmpxchg ptr addrspace(3) %l, i64 5, i64 6 seq_cst acquire
  %same = extractvalue { i64, i1 } %pair, 1
  %x = select i1 %same, i32 %old, i32 7
  ret i32 %x
}

; CHECK-LABEL: define i32 @stores(
; CHECK-NEXT: store atomic i32 1, ptr addrspace(3) %l monotonic, align 4
; CHECK-NEXT: store atomic i32 1, ptr addrspace(1) %g seq_cst, align 4
; CHECK-NEXT: load atomic i32, ptr addrspace(3) %l seq_cst, align 4
define i32 @stores(ptr addrspace(3) %l, ptr addrspace(1) %g) {
  store atomic i32 1, ptr addrspace(3) %l seq_cst, align 4
  store atomic i32 1, ptr addrspace(1) %g seq_cst, align 4
  %x = load atomic i32, ptr addrspace(3) %l seq_cst, align 4
  ret i32 %x
}

; CHECK-LABEL: define void @others(
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
; CHECK-NEXT: atomicrmw xchg ptr addrspace(4) %x, i32 1 acq_rel
; CHECK-NEXT: cmpxchg ptr addrspace(1) %g, i32 5, i32 6 seq_cst seq_cst
; CHECK-NEXT: ret void
define void @others(ptr addrspace(1) %g, ptr addrspace(4) %x) {
  %a = atomicrmw add ptr addrspace(1) %g, i32 1 monotonic
  %b = atomicrmw xchg ptr addrspace(4) %x, i32 1 acq_rel
  %c = cmpxchg ptr addrspace(1) %g, i32 5, i32 6 seq_cst seq_cst
  ret void
}
