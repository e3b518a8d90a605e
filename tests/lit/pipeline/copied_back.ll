; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=update --explain %s | FileCheck %s
; Of a structure that is copied, changed in one member and copied back, that member alone is written,
; and what nobody needs is not read.

target triple = "spir64"
%record = type { i32, i32, i32, i32, i32, i32, i32 }
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-NOT: wide stores
; CHECK: scatter with 28 bytes between lanes, one lane after the other [-Rweft]
; CHECK-NOT: wide stores
; CHECK: wide loads and shuffles, with 28 bytes between lanes, 2 times
; CHECK-NOT: wide stores
define spir_kernel void @update(ptr addrspace(1) %records) {
  %p = alloca %record, align 4
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %r = getelementptr inbounds %record, ptr addrspace(1) %records, i64 %g
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %p, ptr addrspace(1) align 4 %r, i64 28, i1 false)
  %f0 = load i32, ptr %p, align 4
  %p1 = getelementptr inbounds %record, ptr %p, i64 0, i32 1
  %f1 = load i32, ptr %p1, align 4
  %less = sub i32 %f1, %f0
  store i32 %less, ptr %p1, align 4
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %r, ptr align 4 %p, i64 28, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)
