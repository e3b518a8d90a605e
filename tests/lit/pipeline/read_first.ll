; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=raise -S %s | FileCheck %s --check-prefix=READ
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=asked -S %s | FileCheck %s --check-prefix=NOT
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=add -S %s | FileCheck %s --check-prefix=NOT
; Lanes read all places of minima and maxima at once, and go on to those that change; not where someone asks
; for what was there, nor where each update changes its place.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; READ: %[[SEEN:.*]] = call <16 x i32> @llvm.masked.gather.v16i32.v16p1(
; READ: icmp slt <16 x i32> %[[SEEN]]
; READ: atomicrmw max
define spir_kernel void @raise(ptr addrspace(1) %from, ptr addrspace(1) %most) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %g
  %bin = load i32, ptr addrspace(1) %p, align 4
  %wide = zext i32 %bin to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %most, i64 %wide
  atomicrmw max ptr addrspace(1) %q, i32 %bin monotonic, align 4
  ret void
}

; NOT-NOT: masked.gather
define spir_kernel void @asked(ptr addrspace(1) %from, ptr addrspace(1) %most) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %g
  %bin = load i32, ptr addrspace(1) %p, align 4
  %wide = zext i32 %bin to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %most, i64 %wide
  %old = atomicrmw max ptr addrspace(1) %q, i32 %bin monotonic, align 4
  store i32 %old, ptr addrspace(1) %p, align 4
  ret void
}

define spir_kernel void @add(ptr addrspace(1) %from, ptr addrspace(1) %sums) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %g
  %bin = load i32, ptr addrspace(1) %p, align 4
  %wide = zext i32 %bin to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %sums, i64 %wide
  atomicrmw add ptr addrspace(1) %q, i32 %bin monotonic, align 4
  ret void
}
