; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=complete-checks,loop-vectorize,offer-remainders,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v3 %s -S \
; RUN:   --passes=complete-checks,loop-vectorize,offer-remainders,loop-vectorize,keep-loops,verify | FileCheck %s --check-prefix=AGAIN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Four vectors an iteration: up to 31 elements are left.
; CHECK-LABEL: define i32 @row
; CHECK: br i1 {{.*}}, label %middle.block, label %vector.body, !llvm.loop [[MAIN:![0-9]+]]
; CHECK: br i1 {{.*}}, label %{{.*}}, label %element, !llvm.loop [[OFFERED:![0-9]+]]
; AGAIN-LABEL: define i32 @row
; AGAIN: add nuw i64 %index, 32
; AGAIN: vector.body{{[0-9]+}}:
; AGAIN-NOT: load <8 x i32>
; AGAIN: load <8 x i32>
; AGAIN-NOT: load <8 x i32>
; AGAIN: add nuw i64 %{{.*}}, 8
; AGAIN: element:
define i32 @row(ptr %a, i64 %n) {
entry:
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %i.next, %element ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %element ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %sum.next = add i32 %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %element
exit:
  ret i32 %sum.next
}

; One vector an iteration: fewer elements than fill one are left.
; CHECK-LABEL: define i32 @one_vector
; CHECK: br i1 {{.*}}, label %{{.*}}, label %element, !llvm.loop [[LEFT:![0-9]+]]
define i32 @one_vector(ptr %a, i64 %n) {
entry:
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %i.next, %element ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %element ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %sum.next = add i32 %sum, %x
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %element, !llvm.loop !0
exit:
  ret i32 %sum.next
}

; What the vectoriser has left has its mark again.
; AGAIN-LABEL: define void @in_vain
; AGAIN: br i1 {{.*}}, label %exit, label %element, !llvm.loop [[MARKED:![0-9]+]]
define void @in_vain(ptr %a, i64 %n) {
entry:
  br label %element
element:
  %i = phi i64 [ 0, %entry ], [ %i.next, %element ]
  call void @call(i64 %i)
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %element, !llvm.loop !2
exit:
  ret void
}
declare void @call(i64)

; CHECK-DAG: [[MAIN]] = distinct !{[[MAIN]], [[VECTORIZED:![0-9]+]],
; CHECK-DAG: [[VECTORIZED]] = !{!"llvm.loop.isvectorized", i32 1}
; CHECK-DAG: [[OFFERED]] = distinct !{[[OFFERED]], {{![0-9]+}}, [[ONE:![0-9]+]], [[MARK:![0-9]+]]}
; CHECK-DAG: [[ONE]] = !{!"llvm.loop.interleave.count", i32 1}
; CHECK-DAG: [[MARK]] = !{!"weft.remainder", i32 1}
; CHECK-DAG: [[LEFT]] = distinct !{[[LEFT]], {{.*}}[[VECTORIZED]]
; AGAIN: [[MARKED]] = distinct !{[[MARKED]], {{![0-9]+}}, [[VECTORIZED:![0-9]+]]

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.interleave.count", i32 1}
!2 = distinct !{!2, !3}
!3 = !{!"weft.remainder", i32 1}
