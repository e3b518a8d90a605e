; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='function(loop-simplify),version-item-loops,verify' %s -S | FileCheck %s
; Groups all of whose ids are within the limits have loops without the conditions.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @product(
; CHECK: %[[LASTX:.*]] = add i64 %base, 15
; CHECK: %[[X:.*]] = icmp slt i64 %[[LASTX]], %
; CHECK: %[[Y:.*]] = icmp slt i64 7, %
; CHECK: br i1 %{{.*}}, label %[[WHOLE:.*]], label %[[SOME:.*]]
; CHECK: rows.some:
; CHECK: br i1 %both.some
; CHECK: rows:
; CHECK-NOT: br i1 %both
; CHECK: ret void
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

; Not where what is asked is no limit on an id, nor where there is no loop inside.
; CHECK-LABEL: @odd(
; CHECK-NOT: .some
define void @odd(ptr addrspace(1) %a, i64 %w) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %row.end ]
  br label %items

items:
  %item = phi i64 [ 0, %rows ], [ %next.item, %item.end ]
  %bit = and i64 %item, 1
  %isodd = icmp ult i64 %bit, %w
  br i1 %isodd, label %inner, label %item.end

inner:
  %k = phi i64 [ 0, %items ], [ %next, %inner ]
  %next = add nuw nsw i64 %k, 1
  %to = getelementptr i64, ptr addrspace(1) %a, i64 %item
  store i64 %k, ptr addrspace(1) %to
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

; CHECK-LABEL: @straight(
; CHECK-NOT: .some
define void @straight(ptr addrspace(1) %a, i64 %w) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %row.end ]
  br label %items

items:
  %item = phi i64 [ 0, %rows ], [ %next.item, %item.end ]
  %isx = icmp ult i64 %item, %w
  br i1 %isx, label %then, label %item.end

then:
  %to = getelementptr i64, ptr addrspace(1) %a, i64 %item
  store i64 %row, ptr addrspace(1) %to
  br label %item.end

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

!0 = distinct !{!0, !2}
!1 = distinct !{!1, !3}
!2 = !{!"weft.items"}
!3 = !{!"weft.rows"}
!9 = !{}
