; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=drop-local-stores,verify %s -S | FileCheck %s

; Nobody reads behind the last load; what was written before it is read.
; CHECK-LABEL: define void @last(
; CHECK-NEXT: store i32 1, ptr addrspace(3) %p
; CHECK-NEXT: %v = load i32, ptr addrspace(3) %q
; CHECK-NEXT: store i32 %v, ptr addrspace(1) %g
; CHECK-NEXT: ret void
define void @last(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %g, <4 x i1> %mask) #0 {
  store i32 1, ptr addrspace(3) %p
  %v = load i32, ptr addrspace(3) %q
  store i32 2, ptr addrspace(3) %p
  call void @llvm.masked.store.v4i32.p3(<4 x i32> zeroinitializer, ptr addrspace(3) %p, i32 4, <4 x i1> %mask)
  store i32 %v, ptr addrspace(1) %g
  ret void
}

; The next iteration of a loop reads, and so may other code through generic pointers.
; CHECK-LABEL: define void @loop(
; CHECK: loop:
; CHECK: store i32 %n
; CHECK: tail:
; CHECK-NEXT: store i32 3
; CHECK-NEXT: load i32, ptr addrspace(4)
; CHECK-NEXT: ret void
define void @loop(ptr addrspace(3) %p, ptr addrspace(4) %g) #0 {
entry:
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load i32, ptr addrspace(3) %p
  store i32 %n, ptr addrspace(3) %p
  %next = add i32 %n, %v
  %more = icmp slt i32 %next, 100
  br i1 %more, label %loop, label %tail
tail:
  store i32 3, ptr addrspace(3) %p
  %w = load i32, ptr addrspace(4) %g
  ret void
}

; A function out of line may read, memory elsewhere is not local; what is volatile stays, with what
; comes before it.
; CHECK-LABEL: define void @call(
; CHECK-NEXT: store i32 1
; CHECK-NEXT: call void @other()
; CHECK-NEXT: store i32 2
; CHECK-NEXT: store volatile i32 3
; CHECK-NEXT: load i32, ptr addrspace(1)
; CHECK-NEXT: ret void
define void @call(ptr addrspace(3) %p, ptr addrspace(1) %g) #0 {
  store i32 1, ptr addrspace(3) %p
  call void @other()
  store i32 2, ptr addrspace(3) %p
  store volatile i32 3, ptr addrspace(3) %p
  %w = load i32, ptr addrspace(1) %g
  store i32 4, ptr addrspace(3) %p
  ret void
}

; Work-items that are still to run may read.
; CHECK-LABEL: define void @item(
; CHECK-NEXT: store i32 1
define void @item(ptr addrspace(3) %p) {
  store i32 1, ptr addrspace(3) %p
  ret void
}

declare void @other()
declare void @llvm.masked.store.v4i32.p3(<4 x i32>, ptr addrspace(3), i32, <4 x i1>)

attributes #0 = { "weft-whole-groups" }
