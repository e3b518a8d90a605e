; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=block-row-loads,verify %s -S | FileCheck %s
; Of rows that each work-item has, four elements are read at once.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; From where the row begins on; what is the same for all work-items is read as it was.
; CHECK-LABEL: @sum(
; CHECK: inner.preheader:
; CHECK: %[[BASE:.*]] = getelementptr float, ptr addrspace(1) %a, i64 %row
; CHECK: inner:
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr addrspace(1) %[[BASE]], i64 %
; CHECK: %[[ROW:.*]] = load <4 x float>, ptr addrspace(1) %[[PLACE]], align 4, !alias.scope
; CHECK: %[[FIRST:.*]] = extractelement <4 x float> %[[ROW]], i64 0
; CHECK: %[[LAST:.*]] = extractelement <4 x float> %[[ROW]], i64 3
; CHECK: load float, ptr addrspace(1) %of.all
; CHECK: fmul float %[[FIRST]], %
; CHECK: fmul float %[[LAST]], %
; CHECK: inner.epil:
; CHECK: load float, ptr addrspace(1) %
; CHECK-NOT: weft.row
define void @sum(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %row = mul nsw i64 %item, %n
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %inner.preheader, label %item.end
inner.preheader:
  br label %inner
inner:
  %j = phi i64 [ 0, %inner.preheader ], [ %next, %inner ]
  %sum = phi float [ 0.0, %inner.preheader ], [ %more, %inner ]
  %at = add nsw i64 %row, %j
  %place = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %place, align 4, !alias.scope !4
  %of.all = getelementptr float, ptr addrspace(1) %b, i64 %j
  %w = load float, ptr addrspace(1) %of.all, align 4
  %product = fmul float %v, %w
  %more = fadd float %sum, %product
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi float [ %more, %inner ]
  br label %item.end
item.end:
  %result = phi float [ 0.0, %items ], [ %all, %inner.end ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %result, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; From the end: the block begins three elements before.
; CHECK-LABEL: @down(
; CHECK: inner:
; CHECK: %[[PLACE:.*]] = getelementptr double, ptr addrspace(1) %{{.*}}, i64 -3
; CHECK: %[[ROW:.*]] = load <4 x double>, ptr addrspace(1) %[[PLACE]], align 8
; CHECK: %[[FIRST:.*]] = extractelement <4 x double> %[[ROW]], i64 3
; CHECK: fsub double %[[FIRST]], %sum
; CHECK-NOT: epil
define void @down(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %row = mul nsw i64 %item, 100
  br label %inner
inner:
  %j = phi i64 [ 7, %items ], [ %next, %inner ]
  %sum = phi double [ 0.0, %items ], [ %more, %inner ]
  %at = add nsw i64 %row, %j
  %place = getelementptr double, ptr addrspace(1) %a, i64 %at
  %v = load double, ptr addrspace(1) %place, align 8
  %more = fsub double %v, %sum
  %next = add nsw i64 %j, -1
  %last = icmp eq i64 %j, 0
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi double [ %more, %inner ]
  %to = getelementptr double, ptr addrspace(1) %out, i64 %item
  store double %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Not where something is written, nor what all work-items read alike, nor rows that overlap.
; CHECK-LABEL: @others(
; CHECK-NOT: <4 x
define void @others(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %third.end ]
  %row = mul nsw i64 %item, %n
  br label %first
first:
  %j = phi i64 [ 0, %items ], [ %next, %first ]
  %at = add nsw i64 %row, %j
  %place = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %place, align 4
  %d = fmul float %v, 2.0
  store float %d, ptr addrspace(1) %place, align 4
  %next = add nuw nsw i64 %j, 1
  %last = icmp eq i64 %next, 100
  br i1 %last, label %second, label %first
second:
  %k = phi i64 [ 0, %first ], [ %k.next, %second ]
  %sum = phi float [ 0.0, %first ], [ %more, %second ]
  %all = getelementptr float, ptr addrspace(1) %a, i64 %k
  %of.all = load float, ptr addrspace(1) %all, align 4
  %more = fsub float %of.all, %sum
  %k.next = add nuw nsw i64 %k, 1
  %k.last = icmp eq i64 %k.next, 100
  br i1 %k.last, label %third, label %second
third:
  %l = phi i64 [ 0, %second ], [ %l.next, %third ]
  %sum3 = phi float [ %more, %second ], [ %more3, %third ]
  %near = add nsw i64 %item, %l
  %beside = getelementptr float, ptr addrspace(1) %a, i64 %near
  %of.near = load float, ptr addrspace(1) %beside, align 4
  %more3 = fsub float %of.near, %sum3
  %l.next = add nuw nsw i64 %l, 1
  %l.last = icmp eq i64 %l.next, 100
  br i1 %l.last, label %third.end, label %third
third.end:
  %result = phi float [ %more3, %third ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %result, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Rows that iterations go on along by two elements, where the program counts in 32 bits and promises
; that nothing wraps: two iterations read one block.
; CHECK-LABEL: @pairs(
; CHECK: inner:
; CHECK: %[[ROW:.*]] = load <4 x float>, ptr addrspace(1) %{{.*}}, align 4
; CHECK-DAG: %[[A:.*]] = extractelement <4 x float> %[[ROW]], i64 0
; CHECK-DAG: %[[B:.*]] = extractelement <4 x float> %[[ROW]], i64 1
; CHECK-DAG: %[[C:.*]] = extractelement <4 x float> %[[ROW]], i64 2
; CHECK-DAG: %[[D:.*]] = extractelement <4 x float> %[[ROW]], i64 3
; CHECK: fsub float %[[A]], %sum
; CHECK: fsub float %[[B]], %
; CHECK: fsub float %[[C]], %
; CHECK: fsub float %[[D]], %
; CHECK-NOT: load
; CHECK: inner.end:
define void @pairs(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %id = trunc i64 %item to i32
  %row = mul nsw i32 %id, %n
  br label %inner
inner:
  %j = phi i32 [ 0, %items ], [ %next, %inner ]
  %sum = phi float [ 0.0, %items ], [ %more, %inner ]
  %at = add nsw i32 %row, %j
  %index = sext i32 %at to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %place, align 4
  %first = fsub float %v, %sum
  %at1 = add nsw i32 %at, 1
  %index1 = sext i32 %at1 to i64
  %place1 = getelementptr float, ptr addrspace(1) %a, i64 %index1
  %v1 = load float, ptr addrspace(1) %place1, align 4
  %more = fsub float %v1, %first
  %next = add nuw nsw i32 %j, 2
  %last = icmp eq i32 %next, 100
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi float [ %more, %inner ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; A short loop inside that goes on along the row is part of the one around it: four times three
; elements are three blocks.
; CHECK-LABEL: @short(
; CHECK: outer:
; CHECK-NOT: load float
; CHECK-COUNT-3: load <4 x float>
; CHECK-NOT: load float
; CHECK-COUNT-12: fsub float
; CHECK: outer.end:
define void @short(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %outer.end ]
  %row = mul nsw i64 %item, %n
  br label %outer
outer:
  %j = phi i64 [ 0, %items ], [ %next.j, %inner.end ]
  %sum = phi float [ 0.0, %items ], [ %lcssa, %inner.end ]
  br label %inner
inner:
  %k = phi i64 [ 0, %outer ], [ %next, %inner ]
  %part = phi float [ %sum, %outer ], [ %more, %inner ]
  %column = add nuw nsw i64 %j, %k
  %at = add nsw i64 %row, %column
  %place = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %place, align 4
  %more = fsub float %v, %part
  %next = add nuw nsw i64 %k, 1
  %last = icmp eq i64 %next, 3
  br i1 %last, label %inner.end, label %inner
inner.end:
  %lcssa = phi float [ %more, %inner ]
  %next.j = add nuw nsw i64 %j, 3
  %last.j = icmp eq i64 %next.j, 120
  br i1 %last.j, label %outer.end, label %outer
outer.end:
  %all = phi float [ %lcssa, %inner.end ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Not every second element of a row, nor one whose second element may lie elsewhere, since its index
; may wrap.
; CHECK-LABEL: @parts(
; CHECK-NOT: <4 x
; CHECK-LABEL: @wraps(
; CHECK-NOT: <4 x
define void @parts(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %row = mul nsw i64 %item, %n
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %sum = phi float [ 0.0, %items ], [ %more, %inner ]
  %at = add nsw i64 %row, %j
  %place = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %place, align 4
  %more = fsub float %v, %sum
  %next = add nuw nsw i64 %j, 2
  %last = icmp eq i64 %next, 100
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi float [ %more, %inner ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

define void @wraps(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %id = trunc i64 %item to i32
  %row = mul i32 %id, %n
  br label %inner
inner:
  %j = phi i32 [ 0, %items ], [ %next, %inner ]
  %sum = phi float [ 0.0, %items ], [ %more, %inner ]
  %at = add i32 %row, %j
  %index = zext i32 %at to i64
  %place = getelementptr float, ptr addrspace(1) %a, i64 %index
  %v = load float, ptr addrspace(1) %place, align 4
  %first = fsub float %v, %sum
  %at1 = add i32 %at, 1
  %index1 = zext i32 %at1 to i64
  %place1 = getelementptr float, ptr addrspace(1) %a, i64 %index1
  %v1 = load float, ptr addrspace(1) %place1, align 4
  %more = fsub float %v1, %first
  %next = add nuw nsw i32 %j, 2
  %last = icmp eq i32 %next, 100
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi float [ %more, %inner ]
  %to = getelementptr float, ptr addrspace(1) %out, i64 %item
  store float %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Nor sums that may be added up in any order, which LLVM makes vectors of for one work-item, nor
; elements that fill a register and have sums of their own. One sum of four, in an order, has them.
; CHECK-LABEL: @integers(
; CHECK-NOT: <4 x
; CHECK-LABEL: @sums(
; CHECK-NOT: <4 x
; CHECK-LABEL: @one.sum(
; CHECK: load <4 x double>
; CHECK-NOT: load double
define void @integers(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %row = mul nsw i64 %item, %n
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %s0 = phi i32 [ 0, %items ], [ %m0, %inner ]
  %c0 = add nuw nsw i64 %j, 0
  %at0 = add nsw i64 %row, %c0
  %p0 = getelementptr i32, ptr addrspace(1) %a, i64 %at0
  %v0 = load i32, ptr addrspace(1) %p0, align 4
  %x0 = add i32 %v0, %s0
  %c1 = add nuw nsw i64 %j, 1
  %at1 = add nsw i64 %row, %c1
  %p1 = getelementptr i32, ptr addrspace(1) %a, i64 %at1
  %v1 = load i32, ptr addrspace(1) %p1, align 4
  %m0 = add i32 %v1, %x0
  %next = add nuw nsw i64 %j, 2
  %last = icmp eq i64 %next, 128
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi i32 [ %m0, %inner ]
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %item
  store i32 %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

define void @sums(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %row = mul nsw i64 %item, %n
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %s0 = phi double [ 0.0, %items ], [ %m0, %inner ]
  %s1 = phi double [ 0.0, %items ], [ %m1, %inner ]
  %s2 = phi double [ 0.0, %items ], [ %m2, %inner ]
  %s3 = phi double [ 0.0, %items ], [ %m3, %inner ]
  %c0 = add nuw nsw i64 %j, 0
  %at0 = add nsw i64 %row, %c0
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %at0
  %v0 = load double, ptr addrspace(1) %p0, align 4
  %m0 = fsub double %v0, %s0
  %c1 = add nuw nsw i64 %j, 1
  %at1 = add nsw i64 %row, %c1
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %at1
  %v1 = load double, ptr addrspace(1) %p1, align 4
  %m1 = fsub double %v1, %s1
  %c2 = add nuw nsw i64 %j, 2
  %at2 = add nsw i64 %row, %c2
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %at2
  %v2 = load double, ptr addrspace(1) %p2, align 4
  %m2 = fsub double %v2, %s2
  %c3 = add nuw nsw i64 %j, 3
  %at3 = add nsw i64 %row, %c3
  %p3 = getelementptr double, ptr addrspace(1) %a, i64 %at3
  %v3 = load double, ptr addrspace(1) %p3, align 4
  %m3 = fsub double %v3, %s3
  %next = add nuw nsw i64 %j, 4
  %last = icmp eq i64 %next, 128
  br i1 %last, label %inner.end, label %inner
inner.end:
  %r0 = phi double [ %m0, %inner ]
  %r1 = phi double [ %m1, %inner ]
  %r2 = phi double [ %m2, %inner ]
  %r3 = phi double [ %m3, %inner ]
  %t0 = fadd double %r0, %r1
  %t1 = fadd double %r2, %r3
  %all = fadd double %t0, %t1
  %to = getelementptr double, ptr addrspace(1) %out, i64 %item
  store double %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

define void @one.sum(ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %inner.end ]
  %row = mul nsw i64 %item, %n
  br label %inner
inner:
  %j = phi i64 [ 0, %items ], [ %next, %inner ]
  %s0 = phi double [ 0.0, %items ], [ %m0, %inner ]
  %c0 = add nuw nsw i64 %j, 0
  %at0 = add nsw i64 %row, %c0
  %p0 = getelementptr double, ptr addrspace(1) %a, i64 %at0
  %v0 = load double, ptr addrspace(1) %p0, align 4
  %x0 = fsub double %v0, %s0
  %c1 = add nuw nsw i64 %j, 1
  %at1 = add nsw i64 %row, %c1
  %p1 = getelementptr double, ptr addrspace(1) %a, i64 %at1
  %v1 = load double, ptr addrspace(1) %p1, align 4
  %x1 = fsub double %v1, %x0
  %c2 = add nuw nsw i64 %j, 2
  %at2 = add nsw i64 %row, %c2
  %p2 = getelementptr double, ptr addrspace(1) %a, i64 %at2
  %v2 = load double, ptr addrspace(1) %p2, align 4
  %x2 = fsub double %v2, %x1
  %c3 = add nuw nsw i64 %j, 3
  %at3 = add nsw i64 %row, %c3
  %p3 = getelementptr double, ptr addrspace(1) %a, i64 %at3
  %v3 = load double, ptr addrspace(1) %p3, align 4
  %m0 = fsub double %v3, %x2
  %next = add nuw nsw i64 %j, 4
  %last = icmp eq i64 %next, 128
  br i1 %last, label %inner.end, label %inner
inner.end:
  %all = phi double [ %m0, %inner ]
  %to = getelementptr double, ptr addrspace(1) %out, i64 %item
  store double %all, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
!4 = !{!5}
!5 = distinct !{!5, !6}
!6 = distinct !{!6}
