; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=mine --variant=flat --passes=form-kernel %s -S | FileCheck %s
; RUN: weft-opt --prepare --kernel=mine --variant=fibers --passes=form-kernel %s -S | FileCheck %s --check-prefix=FIBERS
; RUN: weft-opt --prepare --kernel=mine --variant=flat --row-dimension=2 --passes=form-kernel %s -S | FileCheck %s --check-prefix=DEEP

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; The entry reads its arguments from the launch's block once, and has a loop over rows and one over their work-items.
; CHECK-LABEL: define dso_local void @mine.flat.w1.s0(ptr {{.*}}%group)
; CHECK: %a = load ptr addrspace(1), {{.*}}!invariant.load
; CHECK: loop.row:
; CHECK: loop.item:
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %a
; CHECK: br i1 %{{.*}}, label %next.row, label %loop.item, !llvm.loop
; A fiber's entry runs what it is given.
; FIBERS-LABEL: define dso_local void @mine.fibers.w1.s0(
; FIBERS-NOT: loop.row
; FIBERS: store i64 %{{.*}}, ptr addrspace(1) %a
; Rows may be along any dimension: the others are loops around them.
; DEEP-LABEL: define dso_local void @mine.flat.w1.s0.d2(
; DEEP: %[[BASE2:.*]] = load i64, ptr %{{.*}}, align 8, !invariant.load
; DEEP: loop.row:
; DEEP: loop.item:
; DEEP: %id.item = phi i64
; DEEP: %[[Z:.*]] = add nuw i64 %{{.*}}, %id.item
; DEEP: br i1 %{{.*}}, label %next.row, label %loop.item, !llvm.loop
define spir_kernel void @mine(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  store i64 %i, ptr addrspace(1) %a, align 8
  ret void
}
