; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=clamped %s -S | FileCheck %s --check-prefixes=CHECK,GATHER
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=clamped %s -S | FileCheck %s --check-prefixes=CHECK,APART
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=ring --local-size=256,1,1 --explain %s | FileCheck %s --check-prefix=RING

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smin.i32(i32, i32)

; Whether lanes follow each other is asked of 32-bit numbers, and where they do not it is by these
; that they are gathered, extended in the block that does so. The last of a row may not wrap.
; CHECK: icmp ne <16 x i32>
; CHECK: icmp slt i32 %{{.*}}, 2147483633
; CHECK: load <16 x float>, ptr addrspace(1)
; CHECK: [[WIDE:%.*]] = sext <16 x i32> %{{.*}} to <16 x i64>
; GATHER-NEXT: [[PLACES:%.*]] = getelementptr float, ptr addrspace(1) %a, <16 x i64> [[WIDE]]
; GATHER-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p1(<16 x ptr addrspace(1)> [[PLACES]]
; APART-NEXT: extractelement <16 x i64> [[WIDE]], i64 0
define spir_kernel void @clamped(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %small = trunc i64 %i to i32
  %at = call i32 @llvm.smin.i32(i32 %small, i32 %n)
  %index = sext i32 %at to i64
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %index
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  %v = load float, ptr addrspace(1) %pa, align 4
  store float %v, ptr addrspace(1) %pb, align 4
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
declare double @llvm.sqrt.f64(double)

; LLVM's vectoriser knows no row that wraps round, so what a group of known size computes of one is
; not left to it.
; RING: remark: kernel 'ring': barrier-loops form, work-groups of 256 x 1 x 1, vectorised (8)
define spir_kernel void @ring(ptr addrspace(3) %a, ptr addrspace(3) %b) convergent {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pb = getelementptr inbounds double, ptr addrspace(3) %b, i64 %i
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %before = add i64 %i, 255
  %index = and i64 %before, 255
  %pa = getelementptr inbounds double, ptr addrspace(3) %a, i64 %index
  %v = load double, ptr addrspace(3) %pa, align 8
  %m0 = fmul double %v, 2.0
  %r0 = call double @llvm.sqrt.f64(double %m0)
  %m1 = fmul double %r0, 3.0
  %r1 = call double @llvm.sqrt.f64(double %m1)
  %m2 = fmul double %r1, 4.0
  %r2 = call double @llvm.sqrt.f64(double %m2)
  %m3 = fmul double %r2, 5.0
  %r3 = call double @llvm.sqrt.f64(double %m3)
  %m4 = fmul double %r3, 6.0
  %r4 = call double @llvm.sqrt.f64(double %m4)
  store double %r4, ptr addrspace(3) %pb, align 8
  ret void
}
