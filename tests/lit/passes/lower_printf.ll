; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=add-work-item-parameter,lower-printf,verify %s -S | FileCheck %s
; Headers are kind | element bytes << 8 | elements << 16.

@format = internal addrspace(2) constant [25 x i8] c"%d %5.2v4hlf %s %p %% %s\00"
@text = internal addrspace(2) constant [4 x i8] c"abc\00"
@one = internal addrspace(2) constant [3 x i8] c"%s\00"
@global = internal addrspace(1) constant [4 x i8] c"def\00"
@endless = internal addrspace(1) constant [3 x i8] c"def"
@bare = internal addrspace(2) constant [3 x i8] c"hi\00"

; CHECK-LABEL: define i32 @all(
; CHECK: %[[BUFFER:.*]] = alloca [88 x i8], align 8
; Integer of 4 bytes.
; CHECK: store i64 66560, ptr
; CHECK: store i32 %i, ptr
; Four floats of 4 bytes.
; CHECK: store i64 263169, ptr
; CHECK-COUNT-4: store float
; String: a constant one.
; CHECK: store i64 67587, ptr
; CHECK: store ptr addrspace(2) @text
; Pointer under %p although it is a constant string.
; CHECK: store i64 67586, ptr
; CHECK: store ptr addrspace(2) @text
; Pointer under %s that is not a constant string.
; CHECK: store i64 67586, ptr
; CHECK: store ptr addrspace(1) %p
; CHECK: %[[FORMAT:.*]] = addrspacecast ptr addrspace(2) @format to ptr
; CHECK: %[[R:.*]] = call i32 @weft_printf(ptr %item, ptr %[[FORMAT]], ptr %[[BUFFER]], i64 88)
; CHECK: ret i32 %[[R]]
define i32 @all(i32 %i, <4 x float> %v, ptr addrspace(1) %p) {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, <4 x float> %v, ptr addrspace(2) @text, ptr addrspace(2) @text, ptr addrspace(1) %p)
  ret i32 %r
}

; CHECK-LABEL: define void @none(
; CHECK: %[[BARE:.*]] = addrspacecast ptr addrspace(2) @bare to ptr
; CHECK: call i32 @weft_printf(ptr %item, ptr %[[BARE]], ptr %{{.*}}, i64 0)
define void @none() {
  %r = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @bare)
  ret void
}

; A string of a table, or one of the host's: known by its address space alone.
; CHECK-LABEL: define i32 @constant(
; CHECK: store i64 67587, ptr
; CHECK: store ptr addrspace(2) %s
; Where the format is not known, what may be a string is passed as one.
; CHECK: store i64 67587, ptr
; CHECK: store ptr addrspace(2) %s
; CHECK: store i64 67586, ptr
; CHECK: store ptr %q
define i32 @constant(ptr addrspace(2) %s, ptr %q, ptr addrspace(2) %f) {
  %a = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @one, ptr addrspace(2) %s)
  %b = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %f, ptr addrspace(2) %s, ptr %q)
  ret i32 %b
}
; A null pointer of any address space is a string that the service knows.
; CHECK-LABEL: define i32 @null(
; CHECK: store i64 67587, ptr
; CHECK: store ptr null
define i32 @null() {
  %a = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @one, ptr null)
  ret i32 %a
}
; A constant of global memory is a string where it ends.
; CHECK-LABEL: define i32 @elsewhere(
; CHECK: store i64 67587, ptr
; CHECK: store ptr addrspace(1) @global
; CHECK: store i64 67586, ptr
; CHECK: store ptr addrspace(1) @endless
define i32 @elsewhere() {
  %a = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @one, ptr addrspace(1) @global)
  %b = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @one, ptr addrspace(1) @endless)
  ret i32 %a
}
; CHECK-NOT: @printf
declare i32 @printf(ptr addrspace(2), ...)
