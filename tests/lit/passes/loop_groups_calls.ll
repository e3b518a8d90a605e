; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=mine --variant=group --passes='form-kernel,loop-groups<calls>' %s -S | FileCheck %s

target triple = "spir64"
declare spir_func i64 @_Z12get_group_idj(i32)

; The entry calls its former code for one group after the other, each of which finds its own id.
; CHECK-LABEL: define {{.*}}void @mine.group.w1.s0(
; CHECK: %group.id = phi i64
; CHECK: store i64 %group.id
; CHECK: call void @mine.group.w1.s0.group(ptr
; CHECK: icmp ult i64
define spir_kernel void @mine(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z12get_group_idj(i32 0)
  store i64 %i, ptr addrspace(1) %a, align 8
  ret void
}
