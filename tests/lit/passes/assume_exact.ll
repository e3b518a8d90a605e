; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=assume-exact,verify --width=8 %s -S | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Marks become what LLVM knows; what has none stays as it is.
; CHECK-LABEL: define void @.body(
; CHECK: %cut = trunc nsw i64 %id to i32
; CHECK-NEXT: %sum = add nsw i32 %cut, %n
; CHECK-NEXT: %other = add i32 %cut, %n
; CHECK-NEXT: %x = sext i32 %sum to i64
; CHECK-NEXT: %y = zext i32 %other to i64
; CHECK: [[STEP:%.*]] = and i32 %step, 2147483647
; CHECK-NEXT: %next = add nsw i32 %k, [[STEP]]
; CHECK-NOT: weft.exact
define void @.body(ptr addrspace(1) %a, i32 %n, i32 %step, i64 %id) {
entry:
  %cut = trunc i64 %id to i32, !weft.exact !0
  %sum = add i32 %cut, %n, !weft.exact !0
  %other = add i32 %cut, %n
  %x = zext i32 %sum to i64, !weft.exact !0
  %y = zext i32 %other to i64
  br label %loop
loop:
  %k = phi i32 [ %cut, %entry ], [ %next, %loop ], !weft.exact !0
  %to = getelementptr i8, ptr addrspace(1) %a, i64 %x
  store i8 1, ptr addrspace(1) %to
  %next = add i32 %k, %step, !weft.exact !0
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Of launches of its own.
; CHECK-LABEL: define void @other(
; CHECK: %sum = add i32 %n, 1
; CHECK-NOT: weft.exact
define void @other(ptr addrspace(1) %a, i32 %n) {
  %sum = add i32 %n, 1, !weft.exact !0
  ret void
}

!0 = !{}
