; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=gvn %s -S | FileCheck %s
; Address spaces are disjoint: a store to local memory does not force a reload from global
; memory, one through a generic pointer does, and constant memory never changes.

; CHECK-LABEL: @disjoint(
; CHECK: load i32, ptr addrspace(1)
; CHECK-NOT: load
; CHECK: ret
define i32 @disjoint(ptr addrspace(1) %g, ptr addrspace(3) %l) {
  %a = load i32, ptr addrspace(1) %g
  store i32 5, ptr addrspace(3) %l
  %b = load i32, ptr addrspace(1) %g
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK-LABEL: @generic(
; CHECK: load i32, ptr addrspace(1)
; CHECK: store
; CHECK: load i32, ptr addrspace(1)
define i32 @generic(ptr addrspace(1) %g, ptr addrspace(4) %p) {
  %a = load i32, ptr addrspace(1) %g
  store i32 5, ptr addrspace(4) %p
  %b = load i32, ptr addrspace(1) %g
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK-LABEL: @constant(
; CHECK: load i32, ptr addrspace(2)
; CHECK: store
; CHECK-NOT: load
; CHECK: ret
define i32 @constant(ptr addrspace(2) %c, ptr addrspace(4) %p) {
  %a = load i32, ptr addrspace(2) %c
  store i32 5, ptr addrspace(4) %p
  %b = load i32, ptr addrspace(2) %c
  %s = add i32 %a, %b
  ret i32 %s
}

; CHECK-LABEL: @same_space(
; CHECK: load
; CHECK: store
; CHECK: load
define i32 @same_space(ptr addrspace(1) %g, ptr addrspace(1) %h) {
  %a = load i32, ptr addrspace(1) %g
  store i32 5, ptr addrspace(1) %h
  %b = load i32, ptr addrspace(1) %g
  %s = add i32 %a, %b
  ret i32 %s
}
