; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --kernel=k --no-opt %s -S | FileCheck %s --check-prefix=FORM
; RUN: weft-opt --prepare --variant=flat --kernel=k %s -S | FileCheck %s
; A private array that stays in memory is one variable for all iterations of the loop: its accesses must
; not be called parallel, and it stands in the entry block, where it does not grow the stack.

target triple = "spir64"

; FORM: define {{.*}}void @k.flat.w1.s0(
; FORM: entry:
; FORM: alloca [16 x i32]
; FORM: loop.row:
; FORM-NOT: alloca
; FORM: store i32 %{{.*}}, ptr %{{[a-z0-9.]+}}, align 4{{(, !noalias ![0-9]+)?$}}
; FORM: load i32, ptr %{{[a-z0-9.]+}}, align 4{{(, !noalias ![0-9]+)?$}}
; FORM: store i32 %{{.*}}, ptr addrspace(1) %{{.*}}!llvm.access.group

; CHECK: define {{.*}}void @k.flat.w1.s0(
; CHECK: alloca [16 x i32]
; CHECK-NOT: store <
; CHECK-NOT: alloca
define spir_kernel void @k(ptr addrspace(1) %a, i64 %x, i64 %y) {
  %t = alloca [16 x i32], align 4
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %v = trunc i64 %g to i32
  %in = getelementptr inbounds [16 x i32], ptr %t, i64 0, i64 %x
  store i32 %v, ptr %in, align 4
  %out = getelementptr inbounds [16 x i32], ptr %t, i64 0, i64 %y
  %r = load i32, ptr %out, align 4
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
