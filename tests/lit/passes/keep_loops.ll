; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=keep-loops %s -S | FileCheck %s

; Columns of a triangle: another number of them in each row.
; CHECK-LABEL: define void @triangle
; CHECK: br i1 %{{.*}}, label %row.next, label %column, !llvm.loop [[KEPT:![0-9]+]]
define void @triangle(ptr %a, i64 %n) {
entry:
  br label %row
row:
  %y = phi i64 [ 1, %entry ], [ %y.next, %row.next ]
  br label %column
column:
  %x = phi i64 [ 0, %row ], [ %x.next, %column ]
  %p = getelementptr inbounds i32, ptr %a, i64 %x
  store i32 1, ptr %p, align 4
  %x.next = add nuw i64 %x, 1
  %x.done = icmp eq i64 %x.next, %y
  br i1 %x.done, label %row.next, label %column
row.next:
  %y.next = add nuw i64 %y, 1
  %y.done = icmp eq i64 %y.next, %n
  br i1 %y.done, label %exit, label %row
exit:
  ret void
}

; The same number in each row.
; CHECK-LABEL: define void @rectangle
; CHECK: br i1 %{{.*}}, label %row.next, label %column{{$}}
define void @rectangle(ptr %a, i64 %n, i64 %m) {
entry:
  br label %row
row:
  %y = phi i64 [ 1, %entry ], [ %y.next, %row.next ]
  br label %column
column:
  %x = phi i64 [ 0, %row ], [ %x.next, %column ]
  %p = getelementptr inbounds i32, ptr %a, i64 %x
  store i32 1, ptr %p, align 4
  %x.next = add nuw i64 %x, 1
  %x.done = icmp eq i64 %x.next, %m
  br i1 %x.done, label %row.next, label %column
row.next:
  %y.next = add nuw i64 %y, 1
  %y.done = icmp eq i64 %y.next, %n
  br i1 %y.done, label %exit, label %row
exit:
  ret void
}

; CHECK: [[KEPT]] = distinct !{[[KEPT]], [[NO:![0-9]+]]}
; CHECK: [[NO]] = !{!"llvm.loop.unroll.runtime.disable", i32 1}
