; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=clamped %s -S | FileCheck %s --check-prefixes=CHECK,GATHER
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=clamped %s -S | FileCheck %s --check-prefixes=CHECK,APART

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
