; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=sizes --variant=group --local-size=64,0 --passes=fix-local-size %s -S | FileCheck %s

target triple = "spir64"
declare spir_func i64 @_Z14get_local_sizej(i32)

; Dimension 0 is known, dimension 1 of any size.
; CHECK-LABEL: define {{.*}}void @sizes.body
; CHECK: [[COLUMNS:%.*]] = load i64, ptr {{.*}}, !weft.local_size
; CHECK: add i64 64, [[COLUMNS]]
define spir_kernel void @sizes(ptr addrspace(1) %a) {
  %x = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %y = call spir_func i64 @_Z14get_local_sizej(i32 1)
  %sum = add i64 %x, %y
  store i64 %sum, ptr addrspace(1) %a, align 8
  ret void
}
