; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='function(loop-simplify),interchange-item-loops,verify' %s -S | FileCheck %s
; Loops in which work-items take turns go around those over work-items.

target triple = "x86_64-unknown-linux-gnu"

; 64 work-items fill 66 places: all of them one, and two of them another one.
; CHECK-LABEL: @fill(
; CHECK: turn:
; CHECK: %first = phi i32 [ 0, %turns.begin ]
; CHECK: items:
; CHECK: %[[I:.*]] = add nsw i32 %first, %
; CHECK: icmp eq i64 %next.item, 64
; CHECK: turn.next:
; CHECK: %[[LEFT:.*]] = sub i32 64, %first
; CHECK: icmp ugt i32 %[[LEFT]], 64
; CHECK: items.rest:
; CHECK: add nsw i32 64, %
; CHECK: icmp eq i64 %next.item.rest, 2
define void @fill(ptr %group, ptr addrspace(3) %a) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %i = phi i32 [ %id, %items ], [ %next, %body ]
  %more = icmp slt i32 %i, 66
  br i1 %more, label %body, label %item.end

body:
  %to = getelementptr i32, ptr addrspace(3) %a, i32 %i
  store i32 %i, ptr addrspace(3) %to
  %next = add nsw i32 %i, 64
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 64
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; A range walks through what is larger than it is: a limit and a step that are not known are asked
; whether a sum of both would wrap.
; CHECK-LABEL: @walk(
; CHECK: %[[TOP:.*]] = sub i32 -1, %step
; CHECK: %[[POSITIVE:.*]] = icmp sgt i32 %step, 0
; CHECK: %[[BELOW:.*]] = icmp ule i32 %n, %[[TOP]]
; CHECK: %[[BOTH:.*]] = and i1 %[[POSITIVE]], %[[BELOW]]
; CHECK: %[[FROZEN:.*]] = freeze i1 %[[BOTH]]
; CHECK: br i1 %[[FROZEN]]
; CHECK: head.wrapping:
; CHECK: %i.wrapping = phi i32
; CHECK: turn:
; CHECK: %[[LEFT:.*]] = sub i32 %n, %first
; CHECK: %[[WIDE:.*]] = zext i32 %[[LEFT]] to i64
; CHECK: %[[COUNT:.*]] = call i64 @llvm.umin.i64(i64 %[[WIDE]], i64 %count)
; CHECK: icmp eq i64 %next.item, %[[COUNT]]
define void @walk(ptr %group, ptr addrspace(1) %a, i32 %n, i32 %step, i64 %count) {
entry:
  %place = getelementptr i8, ptr %group, i64 56
  %base = load i64, ptr %place, !invariant.load !9
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %sum = add nuw i64 %item, %base
  %id = trunc i64 %sum to i32
  br label %head

head:
  %i = phi i32 [ %id, %items ], [ %next, %body ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %body, label %item.end

body:
  %to = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store i32 %i, ptr addrspace(1) %to
  %next = add i32 %i, %step
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; Not where a sum is handed on.
; CHECK-LABEL: @sums(
; CHECK-NOT: turn
; CHECK: ret void
define void @sums(ptr %group, ptr addrspace(1) %a) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %i = phi i32 [ %id, %items ], [ %next, %body ]
  %s = phi i32 [ 0, %items ], [ %t, %body ]
  %more = icmp slt i32 %i, 66
  br i1 %more, label %body, label %item.end

body:
  %t = add i32 %s, %i
  %next = add nsw i32 %i, 64
  br label %head

item.end:
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %item
  store i32 %s, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 64
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; Nor where work-items do something else before, or do not all come to the loop.
; CHECK-LABEL: @others(
; CHECK-NOT: turn
; CHECK: ret void
define void @others(ptr %group, ptr addrspace(1) %a, i1 %c) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br i1 %c, label %start, label %item.end

start:
  br label %head

head:
  %i = phi i32 [ %id, %start ], [ %next, %body ]
  %more = icmp slt i32 %i, 66
  br i1 %more, label %body, label %item.end

body:
  %to = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store i32 %i, ptr addrspace(1) %to
  %next = add nsw i32 %i, 64
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, 64
  br i1 %last.item, label %items2, label %items, !llvm.loop !0

items2:
  %item2 = phi i64 [ 0, %item.end ], [ %next.item2, %item.end2 ]
  %id2 = trunc i64 %item2 to i32
  store i32 %id2, ptr addrspace(1) %a
  br label %head2

head2:
  %j = phi i32 [ %id2, %items2 ], [ %next2, %body2 ]
  %more2 = icmp slt i32 %j, 66
  br i1 %more2, label %body2, label %item.end2

body2:
  %to2 = getelementptr i32, ptr addrspace(1) %a, i32 %j
  store i32 %j, ptr addrspace(1) %to2
  %next2 = add nsw i32 %j, 64
  br label %head2

item.end2:
  %next.item2 = add nuw nsw i64 %item2, 1
  %last.item2 = icmp eq i64 %next.item2, 64
  br i1 %last.item2, label %exit, label %items2, !llvm.loop !3

exit:
  ret void
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"weft.items"}
!2 = !{!"llvm.loop.parallel_accesses", !9}
!3 = distinct !{!3, !1, !2}
!9 = distinct !{}
