; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=split-inductions,verify %s -S | FileCheck %s

declare void @weft_barrier(ptr, i32) convergent
declare i64 @id(ptr)
declare void @use(i64)

; Each work-item has a pointer of its own, which takes two steps in an iteration.
; CHECK-LABEL: define void @pointer
; CHECK: entry:
; CHECK: %start = getelementptr float, ptr addrspace(1) %a, i64 %id
; CHECK: header:
; CHECK-NEXT: [[DISTANCE:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%.*]], %header ]
; CHECK-NOT: phi ptr
; CHECK: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(1) %start, i64 [[DISTANCE]]
; CHECK: load float, ptr addrspace(1) [[PLACE]]
; CHECK: call void @weft_barrier
; CHECK: [[MIDDLE:%.*]] = getelementptr float, ptr addrspace(1) [[PLACE]], i64 %stride
; CHECK: load float, ptr addrspace(1) [[MIDDLE]]
; CHECK: [[NEXT]] = add i64 [[DISTANCE]],
define void @pointer(ptr %item, ptr addrspace(1) %a, ptr addrspace(1) %out, i64 %stride, i32 %n) {
entry:
  %id = call i64 @id(ptr %item)
  %start = getelementptr float, ptr addrspace(1) %a, i64 %id
  %o = getelementptr float, ptr addrspace(1) %out, i64 %id
  br label %header
header:
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %p.next, %header ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %o
  call void @weft_barrier(ptr %item, i32 0) convergent
  %q = getelementptr float, ptr addrspace(1) %p, i64 %stride
  %y = load float, ptr addrspace(1) %q
  store float %y, ptr addrspace(1) %o
  %p.next = getelementptr float, ptr addrspace(1) %q, i64 %stride
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %header, label %done
done:
  ret void
}

; Sums are only exact where they were, and where what all have come cannot wrap by itself.
; CHECK-LABEL: define void @numbers
; CHECK: header:
; CHECK-NEXT: [[DOWN:%.*]] = phi i64 [ 0, %entry ], [ [[DOWN_NEXT:%.*]], %header ]
; CHECK-NEXT: [[UP:%.*]] = phi i64 [ 0, %entry ], [ [[UP_NEXT:%.*]], %header ]
; CHECK-DAG: add nuw nsw i64 %some, [[UP]]
; CHECK-DAG: add i64 %some, [[DOWN]]
; CHECK-DAG: [[UP_NEXT]] = add nuw nsw i64 [[UP]], 64
; CHECK-DAG: [[DOWN_NEXT]] = add i64 [[DOWN]], -3
; CHECK: ret void
define void @numbers(ptr %item, i32 %n) {
entry:
  %id = call i64 @id(ptr %item)
  %some = and i64 %id, 63
  br label %header
header:
  %up = phi i64 [ %some, %entry ], [ %up.next, %header ]
  %down = phi i64 [ %some, %entry ], [ %down.next, %header ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %header ]
  call void @use(i64 %up)
  call void @use(i64 %down)
  call void @weft_barrier(ptr %item, i32 0) convergent
  %up.next = add nsw i64 %up, 64
  %down.next = add nsw i64 %down, -3
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %header, label %done
done:
  ret void
}

; Steps of a work-item's own, loops without barriers, and what is the group's stay as they are.
; CHECK-LABEL: define void @others
; CHECK: header:
; CHECK-NEXT: %own = phi i64 [ %id, %entry ]
; CHECK-NEXT: %i = phi i64 [ %n, %entry ]
; CHECK: plain:
; CHECK-NEXT: %j = phi i64 [ %id, %header ]
define void @others(ptr %item, i64 %n) {
entry:
  %id = call i64 @id(ptr %item)
  br label %header
header:
  %own = phi i64 [ %id, %entry ], [ %own.next, %header ]
  %i = phi i64 [ %n, %entry ], [ %i.next, %header ]
  call void @use(i64 %own)
  call void @weft_barrier(ptr %item, i32 0) convergent
  %own.next = add i64 %own, %id
  %i.next = add i64 %i, -1
  %more = icmp sgt i64 %i.next, 0
  br i1 %more, label %header, label %plain
plain:
  %j = phi i64 [ %id, %header ], [ %j.next, %plain ]
  call void @use(i64 %j)
  %j.next = add i64 %j, 5
  %again = icmp slt i64 %j.next, %n
  br i1 %again, label %plain, label %done
done:
  ret void
}
