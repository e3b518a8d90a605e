; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=eliminate-loop-loads %s -S | FileCheck %s

; What an iteration reads is what the one before has written: carried in a register.
; CHECK-LABEL: define void @sums
; CHECK: %store_forwarded = phi i32
define void @sums(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %q = getelementptr inbounds i32, ptr %b, i64 %i
  %y = load i32, ptr %q, align 4
  %sum = add i32 %x, %y
  %next = add nuw nsw i64 %i, 1
  %r = getelementptr inbounds i32, ptr %a, i64 %next
  store i32 %sum, ptr %r, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The same, beside an index of which LLVM would not ask all that it needs to know.
; CHECK-LABEL: define void @wraps
; CHECK-NOT: store_forwarded
; CHECK: ret void
define void @wraps(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %loop ]
  %p = getelementptr inbounds i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 4
  %at = zext i32 %j to i64
  %q = getelementptr inbounds i32, ptr %b, i64 %at
  %y = load i32, ptr %q, align 4
  store i32 %y, ptr %q, align 4
  %sum = add i32 %x, %y
  %next = add nuw nsw i64 %i, 1
  %j.next = add i32 %j, 3
  %r = getelementptr inbounds i32, ptr %a, i64 %next
  store i32 %sum, ptr %r, align 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
