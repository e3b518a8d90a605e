; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=read-before-update,verify %s -S | FileCheck %s
; Behind a release fence even an update that changes nothing hands on what was written before: who
; updates the place next, and finds the value that this one has found, comes after it.

; CHECK-LABEL: define i32 @hand(
; CHECK-NOT: load
; CHECK: ret i32
define i32 @hand(ptr addrspace(1) %p, ptr addrspace(1) %data, i32 %v) {
  store i32 1, ptr addrspace(1) %data, align 4
  fence release
  %old = atomicrmw max ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %old
}

; The fence may be its caller's.
; CHECK-LABEL: define i32 @called(
; CHECK-NOT: load
; CHECK: ret i32
define i32 @called(ptr addrspace(1) %p, i32 %v) {
  %old = atomicrmw max ptr addrspace(1) %p, i32 %v monotonic, align 4
  ret i32 %old
}
