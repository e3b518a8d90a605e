; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=back-off,verify %s -S | FileCheck %s
; Threads whose compare-and-swap has failed wait before they try again.

; CHECK-LABEL: define void @raise(
; CHECK: br i1 %done, label %end, label %[[WAIT:.*]]
; CHECK: [[WAIT]]:
; CHECK: call void @llvm.x86.sse2.pause()
; CHECK: br i1 %{{.*}}, label %[[ONWARD:.*]], label %[[WAIT]]
; CHECK: [[ONWARD]]:
; CHECK: br label %again
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

; An operation on floats is such a loop.
; CHECK-LABEL: define float @add(
; CHECK: load float, ptr addrspace(1) %p
; CHECK: cmpxchg ptr addrspace(1) %p, i32 %{{.*}}, i32 %{{.*}} monotonic monotonic
; CHECK: call void @llvm.x86.sse2.pause()
; CHECK: ret float
define float @add(ptr addrspace(1) %p, float %v) {
  %old = atomicrmw fadd ptr addrspace(1) %p, float %v monotonic, align 4
  ret float %old
}

; Whoever waits for a lock wants to know at once.
; CHECK-LABEL: define void @lock(
; CHECK-NOT: pause
; CHECK: ret void
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

declare i32 @llvm.umax.i32(i32, i32)
