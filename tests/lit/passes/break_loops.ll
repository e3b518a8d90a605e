; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=break-loops,verify %s -S | FileCheck %s

; From an id below 32 on, by 32: once for each work-item. What the loop leaves behind is that of its end.
; CHECK-LABEL: define void @once(
; CHECK: items:
; CHECK: br label %head
; CHECK: head:
; CHECK-NOT: phi
; CHECK: br label %body
; CHECK: body:
; CHECK: store float 0.000000e+00
; CHECK: %[[NEXT:.*]] = add i32 %start, 32
; CHECK: br label %head.last
; CHECK: head.last:
; CHECK: %[[TWICE:.*]] = mul i32 %[[NEXT]], 2
; CHECK: br label %end
; CHECK: store i32 %[[NEXT]], ptr addrspace(1) %out
; CHECK: store i32 %[[TWICE]], ptr addrspace(1) %out
; CHECK: store i32 %start, ptr addrspace(1) %out
; CHECK: ret void
define void @once(ptr addrspace(3) %tile, ptr addrspace(1) %out) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  %start = trunc i64 %item to i32
  br label %head
head:
  %before = phi i32 [ -1, %items ], [ %y, %body ]
  %y = phi i32 [ %start, %items ], [ %y.next, %body ]
  %twice = mul i32 %y, 2
  %more = icmp slt i32 %y, 32
  br i1 %more, label %body, label %end
body:
  %wide = zext i32 %y to i64
  %place = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  store float 0.0, ptr addrspace(3) %place
  %y.next = add i32 %y, 32
  br label %head
end:
  store i32 %y, ptr addrspace(1) %out
  store i32 %twice, ptr addrspace(1) %out
  store i32 %before, ptr addrspace(1) %out
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, 32
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; By 16: twice. From an id that may be 32 on: once or not at all.
; CHECK-LABEL: define void @twice(
; CHECK: %y = phi i32
define void @twice(ptr addrspace(3) %tile) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  %start = trunc i64 %item to i32
  br label %head
head:
  %y = phi i32 [ %start, %items ], [ %y.next, %body ]
  %more = icmp slt i32 %y, 32
  br i1 %more, label %body, label %end
body:
  %wide = zext i32 %y to i64
  %place = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  store float 0.0, ptr addrspace(3) %place
  %y.next = add i32 %y, 16
  br label %head
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, 16
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @some(
; CHECK: %y = phi i32
define void @some(ptr addrspace(3) %tile) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  %start = trunc i64 %item to i32
  br label %head
head:
  %y = phi i32 [ %start, %items ], [ %y.next, %body ]
  %more = icmp slt i32 %y, 32
  br i1 %more, label %body, label %end
body:
  %wide = zext i32 %y to i64
  %place = getelementptr float, ptr addrspace(3) %tile, i64 %wide
  store float 0.0, ptr addrspace(3) %place
  %y.next = add i32 %y, 33
  br label %head
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, 33
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; A loop of one block that is left the second time goes through all of it twice.
; CHECK-LABEL: define void @one_block(
; CHECK: head:
; CHECK: phi i32
; CHECK: br i1 %more, label %head, label %end
define void @one_block(ptr addrspace(3) %tile) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %head
head:
  %y = phi i32 [ 0, %items ], [ %y.next, %head ]
  %y.next = add nsw i32 %y, 1
  %more = icmp slt i32 %y, 1
  br i1 %more, label %head, label %end
end:
  %place = getelementptr i32, ptr addrspace(3) %tile, i64 %item
  store i32 %y.next, ptr addrspace(3) %place
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, 33
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
