; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=plain-local,verify %s -S | FileCheck %s
; Volatile accesses of local memory are ordinary ones, kept in their place where that could be seen.

; A load behind a store, but not one behind a barrier, nor a store.
; CHECK-LABEL: define void @steps(
; CHECK: store i32 1, ptr addrspace(3) %p
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: load i32, ptr addrspace(3) %q
; CHECK-NEXT: store i32 %x, ptr addrspace(3) %p
; CHECK-NEXT: br
; CHECK: call void @weft_barrier
; CHECK: after:
; CHECK-NEXT: load i32, ptr addrspace(3) %q
; CHECK-NEXT: store i32 %y, ptr addrspace(3) %p
define void @steps(ptr %item, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  store volatile i32 1, ptr addrspace(3) %p
  %x = load volatile i32, ptr addrspace(3) %q
  store volatile i32 %x, ptr addrspace(3) %p
  br label %meet
meet:
  call void @weft_barrier(ptr %item, i32 0)
  br label %after
after:
  %y = load volatile i32, ptr addrspace(3) %q
  store volatile i32 %y, ptr addrspace(3) %p
  ret void
}

; On one of two ways there is a store, or what is called may store.
; CHECK-LABEL: define void @ways(
; CHECK: end:
; CHECK-NEXT: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: load i32, ptr addrspace(3) %q
define void @ways(i1 %c, ptr addrspace(3) %p, ptr addrspace(3) %q) {
  br i1 %c, label %then, label %end
then:
  call void @stores(ptr addrspace(3) %p)
  br label %end
end:
  %x = load volatile i32, ptr addrspace(3) %q
  ret void
}

; CHECK-LABEL: define internal void @stores(
; CHECK: store i32 2
; CHECK-LABEL: define internal i32 @loads(
; CHECK-NEXT: fence
define internal void @stores(ptr addrspace(3) %p) {
  store volatile i32 2, ptr addrspace(3) %p
  ret void
}
define internal i32 @loads(ptr addrspace(3) %p) {
  %x = load volatile i32, ptr addrspace(3) %p
  ret i32 %x
}

; A loop that waits for another work-item is found by its fence; memory that others see stays volatile.
; CHECK-LABEL: define i32 @waits(
; CHECK: loop:
; CHECK-NEXT: fence
; CHECK-NEXT: load i32, ptr addrspace(3) %p
; CHECK: end:
; CHECK: load volatile i32, ptr addrspace(1) %g
define i32 @waits(ptr addrspace(3) %p, ptr addrspace(1) %g) {
  %first = call i32 @loads(ptr addrspace(3) %p)
  br label %loop
loop:
  %x = load volatile i32, ptr addrspace(3) %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %loop, label %end
end:
  %y = load volatile i32, ptr addrspace(1) %g
  ret i32 %y
}

declare void @weft_barrier(ptr, i32)
