; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=lockstep-loops,verify %s -S | FileCheck %s

; The group begins each iteration together.
; CHECK-LABEL: define void @marked
; CHECK: loop:
; CHECK-NEXT: %k = phi
; CHECK-NEXT: %s = phi
; CHECK-NEXT: br label %[[BARRIER:.*]]
; CHECK: [[BARRIER]]:
; CHECK-NEXT: call void @weft_barrier(ptr %weft.item, i32 0)
; CHECK-NEXT: br label %[[AFTER:.*]]
; CHECK: [[AFTER]]:
; CHECK: load i32, ptr addrspace(1)
define void @marked(ptr %weft.item, ptr addrspace(1) %a, i64 %n) "weft-work-item" {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %v = load i32, ptr addrspace(1) %p
  %next = add i32 %v, %s
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  store i32 %next, ptr addrspace(1) %a
  ret void
}

; It does after 64 iterations, and begins the last of them with those that are left. What comes out
; of the loop is what the last turn leaves.
; CHECK-LABEL: define void @turns
; CHECK: turn:
; CHECK-NEXT: %k1 = phi i64 [ 0, %entry ], [ %k.next, %next.turn ]
; CHECK-NEXT: [[TURN:%.*]] = phi i32 [ 0, %entry ], [ %next, %next.turn ]
; CHECK-NEXT: %done{{.*}} = phi i64 [ 0, %entry ], [ [[AFTER:%.*]], %next.turn ]
; CHECK: call void @weft_barrier
; CHECK: [[LEFT:%.*]] = sub nuw i64 %n, %done
; CHECK: [[MOST:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 64)
; CHECK: icmp eq i64 %done{{.*}}, %n
; CHECK: loop:
; CHECK: %in.turn = phi i64
; CHECK: [[NEXT:%.*]] = add nuw i64 %in.turn, 1
; CHECK-NEXT: icmp eq i64 [[NEXT]], [[MOST]]
; CHECK: next.turn:
; CHECK-NEXT: [[AFTER]] = add nuw i64 %done{{.*}}, [[MOST]]
; CHECK: store i32 [[TURN]]
define void @turns(ptr %weft.item, ptr addrspace(1) %a, i64 %n) "weft-work-item" {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %k, %n
  br i1 %more, label %body, label %done
body:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %v = load i32, ptr addrspace(1) %p
  %next = add i32 %v, %s
  %k.next = add nuw i64 %k, 1
  br label %loop, !llvm.loop !5
done:
  store i32 %s, ptr addrspace(1) %a
  ret void
}

; Work-items leave at different times, so that a barrier would not be for all of them.
; CHECK-LABEL: define void @left
; CHECK-NOT: weft_barrier
; CHECK: ret void
define void @left(ptr %weft.item, ptr addrspace(1) %a) "weft-work-item" {
entry:
  %id = load i64, ptr %weft.item, !weft.item !2
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %v = load i32, ptr addrspace(1) %p
  %next = add i32 %v, %s
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %id
  br i1 %more, label %loop, label %done, !llvm.loop !3
done:
  store i32 %next, ptr addrspace(1) %a
  ret void
}

; A kernel that has barriers of its own is left alone.
; CHECK-LABEL: define void @meets
; CHECK: call void @weft_barrier(ptr %weft.item, i32 7)
; CHECK-NOT: weft_barrier
; CHECK: ret void
define void @meets(ptr %weft.item, ptr addrspace(1) %a, i64 %n) "weft-work-item" {
entry:
  call void @weft_barrier(ptr %weft.item, i32 7) convergent
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %k
  %v = load i32, ptr addrspace(1) %p
  %next = add i32 %v, %s
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done, !llvm.loop !4
done:
  store i32 %next, ptr addrspace(1) %a
  ret void
}

declare void @weft_barrier(ptr, i32) convergent

!0 = distinct !{!0, !1}
!1 = !{!"weft.lockstep", i32 1}
!2 = !{}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !6}
!6 = !{!"weft.lockstep", i32 64}
