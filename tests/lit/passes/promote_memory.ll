; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=promote-memory,verify %s -S | FileCheck %s
; What each iteration of an inner loop adds to in memory is read before the loop, and written
; behind it.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @sum(
; CHECK: items:
; CHECK: %[[BEFORE:.*]] = load float, ptr addrspace(1) %place, align 4, !llvm.access.group
; CHECK: inner:
; CHECK: %[[SUM:.*]] = phi float [ %[[BEFORE]], %items ], [ %more, %inner ]
; CHECK: %more = fadd float %[[SUM]], %v
; CHECK-NOT: store
; CHECK: inner.end:
; CHECK-NEXT: store float %more, ptr addrspace(1) %place, align 4, !llvm.access.group
define void @sum(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %place = getelementptr float, ptr addrspace(1) %out, i64 %item
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %at = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %at, align 4
  %old = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !3
  %more = fadd float %old, %v
  store float %more, ptr addrspace(1) %place, align 4, !llvm.access.group !3
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %inner.end, label %inner
inner.end:
  %next.item = add nuw nsw i64 %item, 1
  %all = icmp eq i64 %next.item, %count
  br i1 %all, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Where an inner loop leaves the sum to one around it, that one keeps it.
; CHECK-LABEL: @outer.sum(
; CHECK: items:
; CHECK: %[[BEFORE:.*]] = load float, ptr addrspace(1) %place
; CHECK: outer:
; CHECK: %[[SUM:.*]] = phi float [ %[[BEFORE]], %items ], [ %more, %outer.latch ]
; CHECK-NOT: store
; CHECK-NOT: load float, ptr addrspace(1) %place
; CHECK: outer.end:
; CHECK-NEXT: store float %more, ptr addrspace(1) %place
define void @outer.sum(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %outer.end ]
  %place = getelementptr float, ptr addrspace(1) %out, i64 %item
  br label %outer
outer:
  %i = phi i64 [ 0, %items ], [ %next.i, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ %i, %outer ], [ %next, %inner ]
  %largest = phi float [ 0.0, %outer ], [ %larger, %inner ]
  %at = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %at, align 4
  %larger = call float @llvm.maxnum.f32(float %v, float %largest)
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %outer.latch, label %inner
outer.latch:
  %old = load float, ptr addrspace(1) %place, align 4, !llvm.access.group !3
  %more = fadd float %old, %larger
  store float %more, ptr addrspace(1) %place, align 4, !llvm.access.group !3
  %next.i = add nuw nsw i64 %i, 1
  %last.i = icmp eq i64 %next.i, 10
  br i1 %last.i, label %outer.end, label %outer
outer.end:
  %next.item = add nuw nsw i64 %item, 1
  %all = icmp eq i64 %next.item, %count
  br i1 %all, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; The other pointer may be to the same place: it stays as it is.
; CHECK-LABEL: @may.meet(
; CHECK: inner:
; CHECK: load float, ptr addrspace(1) %place
; CHECK: store float
; CHECK: inner.end:
; CHECK-NOT: store
; CHECK: ret void
define void @may.meet(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %place = getelementptr float, ptr addrspace(1) %out, i64 %item
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %at = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %at, align 4
  %old = load float, ptr addrspace(1) %place, align 4
  %more = fadd float %old, %v
  store float %more, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %inner.end, label %inner
inner.end:
  %next.item = add nuw nsw i64 %item, 1
  %all = icmp eq i64 %next.item, %count
  br i1 %all, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; An iteration that does not write: the place may be one that nobody may write to.
; CHECK-LABEL: @not.always(
; CHECK: write:
; CHECK-NEXT: store float
; CHECK: inner.end:
; CHECK-NOT: store
; CHECK: ret void
define void @not.always(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %place = getelementptr float, ptr addrspace(1) %out, i64 %item
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %latch ]
  %at = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %at, align 4
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %write, label %latch
write:
  store float %v, ptr addrspace(1) %place, align 4
  br label %latch
latch:
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %inner.end, label %inner
inner.end:
  %next.item = add nuw nsw i64 %item, 1
  %all = icmp eq i64 %next.item, %count
  br i1 %all, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; The loop over work-items itself has no such places, nor has a loop outside of one.
; CHECK-LABEL: @outside(
; CHECK: inner:
; CHECK: load float, ptr addrspace(1) %out
; CHECK: store float
; CHECK: ret void
define void @outside(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i64 %n) {
entry:
  br label %inner
inner:
  %j = phi i64 [ 0, %entry ], [ %next, %inner ]
  %at = getelementptr float, ptr addrspace(1) %in, i64 %j
  %v = load float, ptr addrspace(1) %at, align 4
  %old = load float, ptr addrspace(1) %out, align 4
  %more = fadd float %old, %v
  store float %more, ptr addrspace(1) %out, align 4
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %inner
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
!3 = distinct !{}
