; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=inline-budget,verify %s -S | FileCheck %s --check-prefix=ALL
; RUN: weft-opt --passes=inline-budget,verify --inline-budget=60 %s -S | FileCheck %s --check-prefix=SOME
; RUN: weft-opt --passes=inline-budget,verify --inline-budget=1 %s -S | FileCheck %s --check-prefix=NONE
; Within the budget everything is inlined, however deep. Over it, the largest functions stay out of
; line and lose the user's always_inline. noinline is honoured in both, but not where work-items meet
; in what would stay out of line, unless that does not fit the budget.

; ALL-LABEL: define void @meets(
; ALL-NOT: call void @meeting
; ALL: call void @__weft_numbered_barrier(
; SOME-LABEL: define void @meets(
; SOME: call i32 @level2(
; SOME-NOT: call void @meeting
; SOME: ret void
; NONE-LABEL: define void @meets(
; NONE: call void @meeting
define void @meets(i32 %n, ptr %p) "weft-kernel" {
  %a = call i32 @level2(i32 %n)
  store i32 %a, ptr %p
  call void @meeting(ptr %p)
  ret void
}
define internal void @meeting(ptr %p) noinline convergent {
  call void @inner(ptr %p)
  store i32 1, ptr %p
  ret void
}
define internal void @inner(ptr %p) noinline convergent {
  store i32 2, ptr %p
  call void @__weft_numbered_barrier(i32 1, i32 1, i32 0) convergent
  ret void
}
declare void @__weft_numbered_barrier(i32, i32, i32) convergent

; What is called at one place is no more code inlined than out of line.
; NONE-LABEL: define void @calls(
; NONE-NOT: call
; NONE: ret void
define void @calls(i32 %n, ptr %p) "weft-kernel" {
  %a = call i32 @single(i32 %n)
  store i32 %a, ptr %p
  ret void
}
define internal i32 @single(i32 %a0) {
  %a1 = mul i32 %a0, 3
  %a2 = mul i32 %a1, 4
  %a3 = mul i32 %a2, 5
  %a4 = mul i32 %a3, 6
  %a5 = mul i32 %a4, 7
  %a6 = mul i32 %a5, 8
  %a7 = mul i32 %a6, 9
  %a8 = mul i32 %a7, 10
  %a9 = mul i32 %a8, 11
  %a10 = mul i32 %a9, 12
  %a11 = mul i32 %a10, 13
  %a12 = mul i32 %a11, 14
  %a13 = mul i32 %a12, 15
  %a14 = mul i32 %a13, 16
  %a15 = mul i32 %a14, 17
  %a16 = mul i32 %a15, 18
  %a17 = mul i32 %a16, 19
  %a18 = mul i32 %a17, 20
  %a19 = mul i32 %a18, 21
  %a20 = mul i32 %a19, 22
  %a21 = mul i32 %a20, 23
  %a22 = mul i32 %a21, 24
  %a23 = mul i32 %a22, 25
  %a24 = mul i32 %a23, 26
  ret i32 %a24
}

; ALL-LABEL: define void @k(
; ALL-NOT: call i32 @level
; ALL: call i32 @never(
; ALL-NOT: define internal i32 @level

; SOME-LABEL: define void @k(
; SOME: call i32 @level2(
; SOME: call i32 @level2(
; SOME-LABEL: define internal i32 @level2(
; SOME-SAME: #[[OUT:[0-9]+]]
; SOME-NOT: call i32 @level0
; SOME: attributes #[[OUT]] = { noinline }
; SOME-NOT: alwaysinline
define void @k(i32 %n, ptr %p) "weft-kernel" {
  %a = call i32 @level2(i32 %n) alwaysinline
  %b = call i32 @level2(i32 %a)
  %c = call i32 @never(i32 %b)
  store i32 %c, ptr %p
  ret void
}
define internal i32 @level2(i32 %n) alwaysinline {
  %a = call i32 @level1(i32 %n)
  %b = call i32 @level1(i32 %a)
  ret i32 %b
}
define internal i32 @level1(i32 %n) alwaysinline {
  %a = call i32 @level0(i32 %n)
  %b = call i32 @level0(i32 %a)
  ret i32 %b
}
define internal i32 @level0(i32 %n) alwaysinline {
  %a = mul i32 %n, %n
  %b = xor i32 %a, %n
  %c = mul i32 %b, %n
  %d = xor i32 %c, %n
  %e = mul i32 %d, %n
  %f = xor i32 %e, %n
  %g = mul i32 %f, %n
  %h = xor i32 %g, %n
  ret i32 %h
}
define internal i32 @never(i32 %n) noinline {
  ret i32 %n
}
