; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=add -S %s | FileCheck %s --check-prefix=OWNED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=32 --kernel=add -S %s | FileCheck %s --check-prefix=OWNED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=raise -S %s | FileCheck %s --check-prefix=NOT
; RUN: weft-opt --cpu=x86-64-v2 --prepare --variant=flat --width=16 --kernel=add -S %s | FileCheck %s --check-prefix=NOT
; Lines that lanes update all over global memory are asked for first, to be written; not for what seldom
; writes, nor by hosts that cannot ask.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; OWNED: call void @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 1, i32 3, i32 1)
; OWNED: atomicrmw add ptr addrspace(1)
; NOT-NOT: @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 1,
; NOT: atomicrmw
; NOT-NOT: @llvm.prefetch.p1(ptr addrspace(1) %{{.*}}, i32 1,
define spir_kernel void @add(ptr addrspace(1) %from, ptr addrspace(1) %sums) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %g
  %bin = load i32, ptr addrspace(1) %p, align 4
  %wide = zext i32 %bin to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %sums, i64 %wide
  atomicrmw add ptr addrspace(1) %q, i32 %bin monotonic, align 4
  ret void
}

define spir_kernel void @raise(ptr addrspace(1) %from, ptr addrspace(1) %most) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %g
  %bin = load i32, ptr addrspace(1) %p, align 4
  %wide = zext i32 %bin to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %most, i64 %wide
  atomicrmw max ptr addrspace(1) %q, i32 %bin monotonic, align 4
  ret void
}
