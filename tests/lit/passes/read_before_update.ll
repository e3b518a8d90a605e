; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=read-before-update,verify %s -S | FileCheck %s
; Updates that would change nothing become reads.

; CHECK-LABEL: define i32 @old(
; CHECK: %[[SEEN:.*]] = load atomic i32, ptr addrspace(1) %p syncscope("workgroup") monotonic, align 4
; CHECK: %[[CHANGES:.*]] = icmp ne i32 %{{.*}}, %[[SEEN]]
; CHECK: br i1 %[[CHANGES]], label %[[CHANGE:.*]], label %[[AFTER:.*]]
; CHECK: [[CHANGE]]:
; CHECK: %[[OLD:.*]] = atomicrmw umax ptr addrspace(1) %p, i32 %v syncscope("workgroup") monotonic, align 4
; CHECK: [[AFTER]]:
; CHECK: phi i32 [ %[[SEEN]], %{{.*}} ], [ %[[OLD]], %[[CHANGE]] ]
define i32 @old(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw umax ptr addrspace(1) %p, i32 %v syncscope("workgroup") monotonic, align 4
  ret i32 %old
}

; CHECK-LABEL: define void @twice(
; CHECK: load atomic i64, ptr addrspace(4) %p monotonic
; CHECK: atomicrmw min ptr addrspace(4) %p
; CHECK: load atomic i32, ptr addrspace(1) %q monotonic
; CHECK: atomicrmw umin ptr addrspace(1) %q
define void @twice(ptr addrspace(4) %p, ptr addrspace(1) %q) {
  atomicrmw min ptr addrspace(4) %p, i64 3 monotonic, align 8
  atomicrmw umin ptr addrspace(1) %q, i32 1 monotonic, align 4
  ret void
}

; What orders other accesses, and what always changes something, stays.
; CHECK-LABEL: define void @kept(
; CHECK-NOT: load
; CHECK: ret void
define void @kept(ptr addrspace(1) %p) {
  atomicrmw max ptr addrspace(1) %p, i32 1 acquire, align 4
  atomicrmw max ptr addrspace(1) %p, i32 1 release, align 4
  atomicrmw umin ptr addrspace(1) %p, i32 1 seq_cst, align 4
  atomicrmw or ptr addrspace(1) %p, i32 1 monotonic, align 4
  atomicrmw volatile umin ptr addrspace(1) %p, i32 1 monotonic, align 4
  atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  atomicrmw xchg ptr addrspace(1) %p, i32 1 monotonic, align 4
  ret void
}

; Fences of other orders, or of one thread, do not matter.
; CHECK-LABEL: define i32 @near(
; CHECK: load atomic i32, ptr addrspace(1) %p monotonic
define i32 @near(ptr addrspace(1) %p, i32 %v) {
  fence syncscope("singlethread") seq_cst
  fence acquire
  %old = atomicrmw max ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %old
}
