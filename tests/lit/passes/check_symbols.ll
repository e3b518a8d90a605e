; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: not weft-opt --passes=check-symbols %s -S -o /dev/null 2>&1 | FileCheck %s
; CHECK: error: undefined function 'lost(float)'
; CHECK: error: undefined function 'other'
; CHECK-NOT: unused
; CHECK-DAG: error: undefined variable 'missing'

@missing = external addrspace(2) global i32
define void @k(float %x, ptr %p) "weft-kernel" {
  call void @_Z4lostf(float %x)
  call void @other()
  %a = add i32 0, 1
  %b = load i32, ptr addrspace(2) @missing
  store i32 %a, ptr %p
  store i32 %b, ptr %p
  ret void
}
declare void @_Z4lostf(float)
declare void @_Z6unusedv()
declare void @other() "weft-kernel"
