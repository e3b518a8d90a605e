; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=lay-out-local,verify %s -S | FileCheck %s
; A kernel that calls another one keeps both kernels' variables apart.

; CHECK-DAG: @a = internal addrspace(3) global [4 x i32] undef, align 4, !weft.local_offset ![[FIRST:[0-9]+]]
; CHECK-DAG: @b = internal addrspace(3) global [4 x i32] undef, align 4, !weft.local_offset ![[SECOND:[0-9]+]]
; CHECK-DAG: ![[FIRST]] = !{i64 {{0|16}}}
; CHECK-DAG: ![[SECOND]] = !{i64 {{0|16}}}
; CHECK-DAG: !{i64 32}
@a = internal addrspace(3) global [4 x i32] undef, align 4
@b = internal addrspace(3) global [4 x i32] undef, align 4

define void @outer() "weft-kernel" {
  store i32 1, ptr addrspace(3) @a
  call void @inner()
  ret void
}
define void @inner() "weft-kernel" {
  store i32 1, ptr addrspace(3) @b
  ret void
}
