; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Volatile integers that nobody but the work-item can see are variables like any others.
; RUN: weft-opt --passes=plain-private,verify %s -S | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @plain(
; CHECK-NOT: volatile
; CHECK: ret void
define void @plain(ptr %out, i32 %id, i64 %i) {
  %tid = alloca i32
  %row = alloca [4 x i16]
  %vector = alloca <2 x i64>
  store volatile i32 %id, ptr %tid
  %element = getelementptr [4 x i16], ptr %row, i64 0, i64 %i
  store volatile i16 3, ptr %element
  store volatile <2 x i64> zeroinitializer, ptr %vector
  %a = load volatile i32, ptr %tid
  %b = load volatile i16, ptr %element
  store i32 %a, ptr %out
  store i16 %b, ptr %out
  ret void
}

; What programs keep from being rounded together, or reordered.
; CHECK-LABEL: define void @floats(
; CHECK: store volatile float
; CHECK: load volatile float
define void @floats(ptr %out, float %x) {
  %sum = alloca float
  store volatile float %x, ptr %sum
  %a = load volatile float, ptr %sum
  store float %a, ptr %out
  ret void
}

; The bits of a float.
; CHECK-LABEL: define void @bits(
; CHECK: store volatile float
; CHECK: load volatile i32
define void @bits(ptr %out, float %x) {
  %sum = alloca float
  store volatile float %x, ptr %sum
  %a = load volatile i32, ptr %sum
  store i32 %a, ptr %out
  ret void
}

; CHECK-LABEL: define void @escapes(
; CHECK: store volatile i32
; CHECK: store volatile i32
; CHECK: store volatile i32
; CHECK: ret void
declare void @look(ptr)
define void @escapes(ptr %out, i1 %c) {
  %passed = alloca i32
  %kept = alloca i32
  %chosen = alloca i32
  %other = alloca i32
  store volatile i32 1, ptr %passed
  store volatile i32 1, ptr %kept
  store volatile i32 1, ptr %chosen
  call void @look(ptr %passed)
  store ptr %kept, ptr %out
  %either = select i1 %c, ptr %chosen, ptr %other
  store i32 2, ptr %either
  ret void
}

; What others see.
; CHECK-LABEL: define void @shared(
; CHECK: load volatile i32
; CHECK: store volatile i32
define void @shared(ptr %flag) {
  %a = load volatile i32, ptr %flag
  store volatile i32 %a, ptr %flag
  ret void
}
