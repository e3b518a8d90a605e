; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=forward-item,verify %s -S | FileCheck %s
; What an iteration has written to the work-item is known to its readers; calls find it written anew.

declare float @callee(ptr, float)

; CHECK-LABEL: define void @iterations(
; CHECK: loop:
; CHECK-NOT: store
; CHECK-NOT: load i64
; CHECK: getelementptr inbounds float, ptr addrspace(1) %a, i64 %id
; CHECK: call:
; CHECK-NEXT: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %item, i64 32
; CHECK-NEXT: store i64 %id, ptr %[[FIELD]], align 8
; CHECK-NEXT: call float @callee(ptr %item
; CHECK: next:
; CHECK-NOT: load i64
define void @iterations(ptr %group, ptr addrspace(1) %a, i64 %n) {
entry:
  %item = alloca [64 x i8], align 8, !weft.work_item !0
  store ptr %group, ptr %item, align 8
  br label %loop
loop:
  %id = phi i64 [ 0, %entry ], [ %id.next, %next ]
  %place = getelementptr inbounds i8, ptr %item, i64 32
  store i64 %id, ptr %place, align 8
  %i = load i64, ptr %place, align 8
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p, align 4
  %some = fcmp ogt float %x, 1.0
  br i1 %some, label %call, label %next
call:
  %y = call float @callee(ptr %item, float %x)
  br label %next
next:
  %z = phi float [ %x, %loop ], [ %y, %call ]
  %j = load i64, ptr %place, align 8
  %q = getelementptr inbounds float, ptr addrspace(1) %a, i64 %j
  store float %z, ptr addrspace(1) %q, align 4
  %id.next = add nuw nsw i64 %id, 1
  %done = icmp eq i64 %id.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !1
exit:
  ret void
}

; What is written twice in an iteration is left alone.
; CHECK-LABEL: define void @twice(
; CHECK: loop:
; CHECK: store i64 %id
; CHECK: load i64
define void @twice(ptr addrspace(1) %a, i64 %n) {
entry:
  %item = alloca [64 x i8], align 8, !weft.work_item !0
  br label %loop
loop:
  %id = phi i64 [ 0, %entry ], [ %id.next, %loop ]
  store i64 %n, ptr %item, align 8
  store i64 %id, ptr %item, align 8
  %i = load i64, ptr %item, align 8
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %i
  store i64 %i, ptr addrspace(1) %p, align 8
  %id.next = add nuw nsw i64 %id, 1
  %done = icmp eq i64 %id.next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !1
exit:
  ret void
}

!0 = !{}
!1 = distinct !{!1, !2}
!2 = !{!"weft.items"}
