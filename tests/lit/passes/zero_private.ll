; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=zero-private,verify %s -S | FileCheck %s

; Variables of the entry block stay together; their markers go.
; CHECK-LABEL: define i32 @fixed
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: %b = alloca [5 x i64], align 32
; CHECK-DAG: call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 4, i1 false)
; CHECK-DAG: call void @llvm.memset.p0.i64(ptr align 32 %b, i8 0, i64 40, i1 false)
; CHECK-NOT: llvm.lifetime
; CHECK: ret i32
define i32 @fixed() {
  %a = alloca i32
  %b = alloca [5 x i64], align 32
  call void @llvm.lifetime.start.p0(i64 4, ptr %a)
  %v = load i32, ptr %a
  call void @llvm.lifetime.end.p0(i64 4, ptr %a)
  ret i32 %v
}

; CHECK-LABEL: define void @counted
; CHECK: %a = alloca i32, i32 %n
; CHECK: [[N:%.*]] = zext i32 %n to i64
; CHECK: [[BYTES:%.*]] = mul i64 4, [[N]]
; CHECK: call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 [[BYTES]], i1 false)
define void @counted(i32 %n) {
  %a = alloca i32, i32 %n
  ret void
}

; The library writes before it reads.
; CHECK-LABEL: define void @library
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: ret void
define void @library() "weft-library" {
  %a = alloca i32
  ret void
}

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
