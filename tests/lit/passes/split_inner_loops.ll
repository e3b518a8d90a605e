; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='function(loop-simplify),split-inner-loops,verify' %s -S | FileCheck %s
; Loops that neighbours leave one after the other go on for all of a lane group first.

target triple = "x86_64-unknown-linux-gnu"

; The last of 64 work-items has the fewest iterations.
; CHECK-LABEL: @above(
; CHECK: items:
; CHECK: %[[LAST:.*]] = or i64 %item, 63
; CHECK: freeze i32 %n
; CHECK: %[[LIMIT:.*]] = select i1 %{{.*}}, i64 %{{.*}}, i64 %[[START:.*]]
; CHECK: head.all:
; CHECK: %ends = phi i64 [ %[[START]], %items ], [ %[[NEXT:.*]], %body.all ]
; CHECK: %[[MORE:.*]] = icmp slt i64 %ends, %[[LIMIT]]
; CHECK: br i1 %[[MORE]], label %body.all, label %rest
; CHECK: body.all:
; CHECK: %[[NEXT]] = select
; CHECK: head:
; CHECK: %j = phi i32 [ %j.all, %rest ], [ %next, %body ]
; CHECK: %sum = phi i32 [ %sum.all, %rest ], [ %more.sum, %body ]
define void @above(ptr %group, ptr addrspace(1) %a, i32 %n, i64 %count) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %j = phi i32 [ %id, %items ], [ %next, %body ]
  %sum = phi i32 [ 0, %items ], [ %more.sum, %body ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %item.end

body:
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %j
  %v = load i32, ptr addrspace(1) %from
  %more.sum = add i32 %sum, %v
  %next = add nsw i32 %j, 1
  br label %head

item.end:
  %to = getelementptr i32, ptr addrspace(1) %a, i64 %item
  store i32 %sum, ptr addrspace(1) %to
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; The first of 64 has, where limits grow.
; CHECK-LABEL: @below(
; CHECK: and i64 %item, -64
; CHECK: head.all:
define void @below(ptr %group, ptr addrspace(1) %a, i64 %count) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %j = phi i32 [ 0, %items ], [ %next, %body ]
  %more = icmp ult i32 %j, %id
  br i1 %more, label %body, label %item.end

body:
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %j
  store i32 %id, ptr addrspace(1) %from
  %next = add i32 %j, 1
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; What is said of the pointers of one copy is not said of those of both.
; CHECK-LABEL: @scopes(
; CHECK: body.all:
; CHECK: noalias.scope.decl(metadata ![[OTHER:[0-9]+]])
; CHECK: !alias.scope ![[OTHER]]
; CHECK: body:
; CHECK-NOT: ![[OTHER]]
; CHECK: ret void
define void @scopes(ptr %group, ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %count) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %j = phi i32 [ 0, %items ], [ %next, %body ]
  %more = icmp ult i32 %j, %id
  br i1 %more, label %body, label %item.end

body:
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %j
  %v = load i32, ptr addrspace(1) %from, !alias.scope !4
  %to = getelementptr i32, ptr addrspace(1) %b, i32 %j
  store i32 %v, ptr addrspace(1) %to, !noalias !4
  %next = add i32 %j, 1
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; No loop is split whose head does something.
; CHECK-LABEL: @head(
; CHECK-NOT: .all
; CHECK: ret void
define void @head(ptr %group, ptr addrspace(1) %a, i64 %count) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  %id = trunc i64 %item to i32
  br label %head

head:
  %j = phi i32 [ 0, %items ], [ %next, %body ]
  store i32 %j, ptr addrspace(1) %a
  %more = icmp ult i32 %j, %id
  br i1 %more, label %body, label %item.end

body:
  %next = add i32 %j, 1
  br label %head

item.end:
  %next.item = add nuw nsw i64 %item, 1
  %last.item = icmp eq i64 %next.item, %count
  br i1 %last.item, label %exit, label %items, !llvm.loop !0

exit:
  ret void
}

; Not where all end at once, nor where a limit is anything.
; CHECK-LABEL: @others(
; CHECK-NOT: .all
; CHECK: ret void
define void @others(ptr %group, ptr addrspace(1) %a, i32 %n, i64 %count) {
entry:
  br label %items

items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %item.end ]
  br label %head

head:
  %j = phi i32 [ 0, %items ], [ %next, %body ]
  %more = icmp slt i32 %j, %n
  br i1 %more, label %body, label %second

body:
  %from = getelementptr i32, ptr addrspace(1) %a, i32 %j
  store i32 1, ptr addrspace(1) %from
  %next = add nsw i32 %j, 1
  br label %head

second:
  %place = getelementptr i32, ptr addrspace(1) %a, i64 %item
  %limit = load i32, ptr addrspace(1) %place
  br label %head2

head2:
  %k = phi i32 [ 0, %second ], [ %next2, %body2 ]
  %more2 = icmp slt i32 %k, %limit
  br i1 %more2, label %body2, label %item.end

body2:
  %to = getelementptr i32, ptr addrspace(1) %a, i32 %k
  store i32 2, ptr addrspace(1) %to
  %next2 = add nsw i32 %k, 1
  br label %head2

item.end:
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
