; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=8 --kernel=tile --local-size=8,8,1 %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=8 --kernel=tile --local-size=8,8,4 %s -S | FileCheck %s
; Loops over the rows of a group of known size say where ids end: strides of the group's own size
; are taken once, and nothing asks again.

target triple = "spir64"

; CHECK: define {{.*}}@tile.
; CHECK-NOT: icmp slt
; CHECK: store <8 x i32>
; CHECK-NOT: icmp slt
; CHECK: ret void
define spir_kernel void @tile(ptr addrspace(1) %a) convergent {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %first = trunc i64 %y to i32
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %head

head:
  %row = phi i32 [ %first, %entry ], [ %next, %body ]
  %more = icmp slt i32 %row, 8
  br i1 %more, label %body, label %end

body:
  %wide = sext i32 %row to i64
  %start = mul i64 %wide, 8
  %at = add i64 %start, %x
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store i32 %row, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %row, 8
  br label %head

end:
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
