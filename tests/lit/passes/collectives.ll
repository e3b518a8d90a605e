; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=inline-library,number-barriers,add-work-item-parameter,lower-sync,verify %s -S | FileCheck %s
; RUN: weft-opt --prepare --kernel=k --variant=fibers --passes=form-kernel %s -S | FileCheck %s --check-prefix=FIBERS
; RUN: weft-opt --prepare --kernel=k --variant=loops --local-size=64,1,1 --passes=form-kernel %s -S | FileCheck %s --check-prefix=LOOPS

target triple = "spir64"

; Functions for which a group meets are barriers with a number, and keep what combines.
; CHECK-LABEL: @k(
; CHECK: %[[ALL:.*]] = call i64 @weft_collective_reduce_32(ptr %item, i32 0, ptr @combine, i64 %{{.*}}, i32 %x)
; CHECK: call i32 @weft_collective_scan_32(ptr %item, i32 1, ptr @combine, i64 %{{.*}}, i32 %{{.*}})

; A fiber leaves what it brings along in its cell, and says that it has come.
; FIBERS-LABEL: @k.fibers.w1.s0(
; FIBERS: store i32 %x.i, ptr %cell.i, align 4
; FIBERS: store i8 1, ptr %arrival.i
; FIBERS: %[[ALL:.*]] = call i64 @weft_collective(ptr {{.*}}%item, i32 0, ptr @combine.fn, i32 2)
; FIBERS: trunc i64 %[[ALL]] to i32
; FIBERS: store i32 %y.i, ptr %[[CELL:.*]], align 4
; FIBERS: call i64 @weft_collective(ptr {{.*}}%item, i32 1, ptr @combine.fn, i32 2)
; FIBERS: load i32, ptr %[[CELL]]

; In barrier loops all cells of a group are combined between two loops, in place.
; LOOPS-LABEL: @k.loops.w1.s0.l64.l1.l1(
; LOOPS: %cell.items = alloca [64 x [4 x i8]], align 64
; LOOPS-NOT: call i64 @weft_collective
; LOOPS: barrier:
; LOOPS-NEXT: store i8 7, ptr %cell.items
; LOOPS-NEXT: br label %region
; LOOPS: trunc i64 64 to i32
; LOOPS-NOT: call i64 @weft_collective

define spir_kernel void @k(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p, align 4
  %all = call spir_func i64 @reduce(i32 %x)
  %sum = trunc i64 %all to i32
  %y = add i32 %x, %sum
  %own = call spir_func i32 @scan(i32 %y)
  store i32 %own, ptr addrspace(1) %p, align 4
  ret void
}

define internal spir_func i64 @reduce(i32 %x) "weft-library" {
  %linear = call spir_func i64 @_Z19get_local_linear_idv()
  %r = call spir_func i64 @__weft_collective_reduce_32(i32 %x, ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i64 %linear)
  ret i64 %r
}
define internal spir_func i32 @scan(i32 %x) "weft-library" {
  %linear = call spir_func i64 @_Z19get_local_linear_idv()
  %r = call spir_func i32 @__weft_collective_scan_32(i32 %x, ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i64 %linear)
  ret i32 %r
}
define internal spir_func i64 @combine(ptr %cells, i64 %items, ptr %arrivals) "weft-library" {
  store i8 7, ptr %cells, align 1
  ret i64 %items
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z19get_local_linear_idv()
declare spir_func i64 @__weft_collective_reduce_32(i32, ptr addrspace(4), i64) convergent
declare spir_func i32 @__weft_collective_scan_32(i32, ptr addrspace(4), i64) convergent
