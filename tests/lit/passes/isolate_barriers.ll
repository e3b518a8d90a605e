; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=isolate-barriers,verify %s -S | FileCheck %s
; Each barrier stands alone with its fences, behind one way in and before one way out; phis of
; several ways stay, and edges that are critical are split.

target triple = "x86_64-pc-linux-gnu"
; CHECK: entry:
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: %k = phi i32
; CHECK-NEXT: store i32 %k
; CHECK-NEXT: br label %barrier
; CHECK: barrier:
; CHECK-NEXT: fence release
; CHECK-NEXT: call void @weft_barrier(ptr %item, i32 0)
; CHECK-NEXT: fence acquire
; CHECK-NEXT: br label %after.barrier
; CHECK: after.barrier:
; CHECK-NEXT: %next = add i32 %k, 1
; CHECK: br i1 %more, label %[[EDGE:.*]], label %done
; CHECK: [[EDGE]]:
; CHECK-NEXT: br label %loop
define void @f(ptr %item, ptr addrspace(1) %a, i32 %n) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %k, ptr addrspace(1) %a
  fence release
  call void @weft_barrier(ptr %item, i32 0)
  fence acquire
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @weft_barrier(ptr, i32)
