; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='function(loop-simplify),version-groups,verify' %s -S | FileCheck %s
; Groups all of whose ids are within the limits have code of their own, without the conditions.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @product(
; CHECK: %[[BASE:.*]] = sext i32 %{{.*}} to i64
; CHECK: %[[TOP:.*]] = add i64 %[[BASE]], 15
; CHECK-NEXT: icmp sle i64 %[[TOP]], 2147483647
; CHECK: %[[LASTX:.*]] = add i64 %[[BASE]], 15
; CHECK-NEXT: icmp slt i64 %[[LASTX]], %
; CHECK: icmp slt i64 7, %
; CHECK: br i1 %{{.*}}, label %[[WITHIN:.*]], label %[[BORDER:.*]], !prof
; CHECK: [[WITHIN]]:
; CHECK-NOT: br i1 %both
; CHECK: ret void
; CHECK: [[BORDER]]:
; CHECK: br i1 %both.border
define void @product(ptr %group, ptr addrspace(1) %a, i32 %w, i32 %h) {
entry:
  %place = getelementptr i8, ptr %group, i64 56
  %base = load i64, ptr %place, !invariant.load !9
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %row.end ]
  br label %items

items:
  %item = phi i64 [ 0, %rows ], [ %next.item, %item.end ]
  %id = add nuw i64 %item, %base
  %x = trunc i64 %id to i32
  %y = trunc i64 %row to i32
  %isx = icmp slt i32 %x, %w
  %isy = icmp slt i32 %y, %h
  %both = select i1 %isx, i1 %isy, i1 false
  br i1 %both, label %inner, label %item.end

inner:
  %k = phi i64 [ 0, %items ], [ %next, %inner ]
  %next = add nuw nsw i64 %k, 1
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %id
  store i32 %y, ptr addrspace(1) %to
  %done = icmp eq i64 %next, 16
  br i1 %done, label %item.end, label %inner

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 16
  br i1 %last.item, label %row.end, label %items, !llvm.loop !0

row.end:
  %next.row = add nuw nsw i64 %row, 1
  %last.row = icmp eq i64 %next.row, 8
  br i1 %last.row, label %exit, label %rows, !llvm.loop !1

exit:
  ret void
}

; Clamped sums are the sums: from 3 below the first id to 3 below the last, and none wraps. What is
; asked of the first work-item of the range is asked on both sides of it.
; CHECK-LABEL: @clamped(
; CHECK: %[[LOW:.*]] = add i64 %[[ID:.*]], -3
; CHECK-NEXT: icmp sge i64 %[[LOW]], -2147483648
; CHECK-NEXT: %[[TOP:.*]] = add i64 %[[ID]], 15
; CHECK-NEXT: icmp sle i64 %[[TOP]], 2147483647
; CHECK: %[[FIRST:.*]] = add i64 %[[ID]], -3
; CHECK-NEXT: icmp sge i64 %[[FIRST]], 0
; CHECK: %[[LAST:.*]] = add i64 %[[ID]], 12
; CHECK-NEXT: %[[LIMIT:.*]] = add i64 %{{.*}}, 1
; CHECK-NEXT: icmp slt i64 %[[LAST]], %[[LIMIT]]
; CHECK: %[[BEFORE:.*]] = add i64 %[[ID]], 15
; CHECK-NEXT: icmp slt i64 %[[BEFORE]], 0
; CHECK-NEXT: icmp sge i64 %[[ID]], 1
; CHECK: br i1 %{{.*}}, label %[[WITHIN:.*]], label %[[BORDER:.*]], !prof
; CHECK: [[WITHIN]]:
; CHECK-NOT: call i32
; CHECK-NOT: icmp eq i32
; CHECK: getelementptr i32, ptr addrspace(1) %a, i32 %from
; CHECK: ret void
; CHECK: [[BORDER]]:
; CHECK: call i32 @llvm.smax
; CHECK: call i32 @llvm.smin
; CHECK: icmp eq i32
define void @clamped(ptr %group, ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %w) {
entry:
  %place = getelementptr i8, ptr %group, i64 56
  %base = load i64, ptr %place, !invariant.load !9
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = add nuw i64 %item, %base
  %x = trunc i64 %id to i32
  %from = sub nsw i32 %x, 3
  %low = call i32 @llvm.smax.i32(i32 %from, i32 0)
  %last = sub nsw i32 %w, 1
  %both = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %at = getelementptr i32, ptr addrspace(1) %a, i32 %both
  %value = load i32, ptr addrspace(1) %at
  %isfirst = icmp eq i32 %x, 0
  br i1 %isfirst, label %item.end, label %then

then:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %value, ptr addrspace(1) %to
  br label %item.end

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 16
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; Not where what is asked is no limit on a sum of an id, nor where the answer is the same for all
; groups, nor how often an inner loop runs.
; CHECK-LABEL: @odd(
; CHECK-NOT: .border
; CHECK: ret void
define void @odd(ptr addrspace(1) %a, i64 %w, i32 %n) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %bit = and i64 %item, 1
  %isodd = icmp ult i64 %bit, %w
  %small = icmp ult i64 %item, 5
  %either = or i1 %isodd, %small
  br i1 %either, label %inner, label %item.end

inner:
  %k = phi i32 [ 0, %items ], [ %next, %inner ]
  %next = add nuw nsw i32 %k, 1
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %item
  store i32 %k, ptr addrspace(1) %to
  %goes = icmp slt i32 %next, %n
  br i1 %goes, label %inner, label %item.end

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 16
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !3}
!2 = !{!"weft.items"}
!3 = !{!"weft.rows"}
!9 = !{}
