; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: not weft-opt --passes=retarget,check-calls %s -S -o /dev/null 2>&1 | FileCheck %s
; CHECK: error: recursion is not allowed: {{(even -> odd -> even|odd -> even -> odd)}}
; CHECK: error: function 'indirect' calls through a pointer
; CHECK: error: function 'assembly' contains inline assembly
; CHECK: error: the program contains assembly

target triple = "spir64"
module asm "ud2"
define spir_kernel void @k(i32 %n) {
  %x = call spir_func i32 @even(i32 %n)
  ret void
}
define spir_func i32 @even(i32 %n) {
  %x = call spir_func i32 @odd(i32 %n)
  ret i32 %x
}
define spir_func i32 @odd(i32 %n) {
  %x = call spir_func i32 @even(i32 %n)
  ret i32 %x
}
define spir_func void @indirect(ptr %f) {
  call void %f()
  ret void
}
define spir_func void @assembly() {
  call void asm sideeffect "hlt", ""()
  ret void
}
