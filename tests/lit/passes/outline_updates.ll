; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=outline-update-loops,verify %s -S | FileCheck %s
; RUN: weft-opt --passes=outline-update-loops,inline-update-loops,verify %s -S | FileCheck %s --check-prefix=INLINED
; Loops that end when a compare-and-swap succeeds become functions, and loops again.

; INLINED-NOT: call
; INLINED-NOT: define internal
; INLINED: cmpxchg

; The place is computed before, and what was there is the function's result.
; CHECK-LABEL: define i32 @sum(
; CHECK: %[[PLACE:.*]] = getelementptr float, ptr addrspace(1) %p, i64 %i
; CHECK: %[[OLD:.*]] = call i32 @compare-and-swap(ptr addrspace(1) %[[PLACE]], float %v)
; CHECK-NOT: cmpxchg
; CHECK: ret i32 %[[OLD]]
define i32 @sum(ptr addrspace(1) %p, i64 %i, float %v) {
entry:
  br label %again
again:
  %place = getelementptr float, ptr addrspace(1) %p, i64 %i
  %old = load volatile i32, ptr addrspace(1) %place, align 4
  %number = bitcast i32 %old to float
  %sum = fadd float %number, %v
  %next = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %place, i32 %old, i32 %next monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %failed = icmp ne i32 %seen, %old
  br i1 %failed, label %again, label %end
end:
  ret i32 %old
}

; What failed has been read: the loop begins with a value from outside.
; CHECK-LABEL: define void @raise(
; CHECK: call void @compare-and-swap.1(ptr addrspace(1) %p, i32 %first, i32 %v)
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @raise(ptr addrspace(1) %p, i32 %v) {
entry:
  %first = load i32, ptr addrspace(1) %p, align 4
  br label %again
again:
  %old = phi i32 [ %first, %entry ], [ %seen, %again ]
  %next = call i32 @llvm.umax.i32(i32 %old, i32 %v)
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %next monotonic monotonic, align 4
  %seen = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

; A lock is waited for; what is stored is seen by others; two values are used outside.
; CHECK-LABEL: define void @lock(
; CHECK: cmpxchg
; CHECK-LABEL: define void @stores(
; CHECK: cmpxchg
; CHECK-LABEL: define i32 @two(
; CHECK: cmpxchg
define void @lock(ptr addrspace(1) %p) {
entry:
  br label %again
again:
  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

define void @stores(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  br label %again
again:
  %old = load volatile i32, ptr addrspace(1) %p, align 4
  %next = add i32 %old, 1
  store i32 %next, ptr addrspace(1) %q, align 4
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %next monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  ret void
}

define i32 @two(ptr addrspace(1) %p) {
entry:
  br label %again
again:
  %old = load volatile i32, ptr addrspace(1) %p, align 4
  %next = add i32 %old, 1
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %next monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %again
end:
  %both = add i32 %old, %next
  ret i32 %both
}

; CHECK: define internal i32 @compare-and-swap(
; CHECK: cmpxchg
; CHECK: ret i32
; CHECK: define internal void @compare-and-swap.1(
; CHECK: ret void
declare i32 @llvm.umax.i32(i32, i32)
