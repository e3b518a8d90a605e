; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=inline-library,verify %s -S | FileCheck %s
; Tiny wrappers and everything that reaches a barrier are inlined; a larger library function and
; the user's own function are not.

; CHECK-LABEL: @k(
; CHECK: add i32 %n, 1
; CHECK: call void @__weft_barrier(i32 1, i32 1)
; CHECK: call i32 @large(
; CHECK: call i32 @users(
define void @k(i32 %n, ptr %p) "weft-kernel" {
  %a = call i32 @tiny(i32 %n)
  call void @work_group_thing(i32 1)
  %b = call i32 @large(i32 %a)
  %c = call i32 @users(i32 %b)
  store i32 %c, ptr %p
  ret void
}

; CHECK-NOT: @tiny
; CHECK-NOT: @work_group_thing
; CHECK-NOT: @inner
define internal i32 @tiny(i32 %n) "weft-library" {
  %r = add i32 %n, 1
  ret i32 %r
}
define internal void @work_group_thing(i32 %f) "weft-library" {
  call void @inner(i32 %f)
  ret void
}
define internal void @inner(i32 %f) "weft-library" {
  call void @__weft_barrier(i32 %f, i32 1)
  ret void
}
define internal i32 @users(i32 %n) {
  ret i32 %n
}
define internal i32 @large(i32 %n) "weft-library" {
  %a1 = mul i32 %n, %n
  %a2 = xor i32 %a1, %n
  %a3 = mul i32 %a2, %n
  %a4 = xor i32 %a3, %n
  %a5 = mul i32 %a4, %n
  %a6 = xor i32 %a5, %n
  %a7 = mul i32 %a6, %n
  %a8 = xor i32 %a7, %n
  %a9 = mul i32 %a8, %n
  %b1 = mul i32 %a9, %n
  %b2 = xor i32 %b1, %n
  %b3 = mul i32 %b2, %n
  %b4 = xor i32 %b3, %n
  %b5 = mul i32 %b4, %n
  %b6 = xor i32 %b5, %n
  %b7 = mul i32 %b6, %n
  %b8 = xor i32 %b7, %n
  %b9 = mul i32 %b8, %n
  %c1 = mul i32 %b9, %n
  %c2 = xor i32 %c1, %n
  %c3 = mul i32 %c2, %n
  %c4 = xor i32 %c3, %n
  %c5 = mul i32 %c4, %n
  %c6 = xor i32 %c5, %n
  %c7 = mul i32 %c6, %n
  ret i32 %c7
}
declare void @__weft_barrier(i32, i32)
