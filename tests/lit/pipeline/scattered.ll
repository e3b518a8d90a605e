; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=floats %s -S | FileCheck %s --check-prefix=FLOATS
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=sums %s -S | FileCheck %s --check-prefix=SUMS
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=bytes %s -S | FileCheck %s --check-prefix=BYTES
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=bytes %s -S | FileCheck %s --check-prefix=EACH
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=32 --kernel=some %s -S | FileCheck %s --check-prefix=SOME
; What each lane has a place of its own for is read and written whole, vectors of the language too.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; A load for each lane. Vectors that are computed with and written whole stay as they are, those of a
; register's lanes before the next.
; FLOATS-COUNT-4: load <4 x float>, ptr addrspace(1)
; FLOATS: fmul <{{[0-9]+}} x float>
; FLOATS-COUNT-16: store <4 x float>
define spir_kernel void @floats(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %w) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pw = getelementptr inbounds i32, ptr addrspace(1) %w, i64 %i
  %place = load i32, ptr addrspace(1) %pw, align 4
  %index = sext i32 %place to i64
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %index
  %pb = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %index
  %v = load <4 x float>, ptr addrspace(1) %pa, align 16
  %s = fmul <4 x float> %v, <float 2.0, float 3.0, float 4.0, float 5.0>
  store <4 x float> %s, ptr addrspace(1) %pb, align 16
  ret void
}

; Others are brought together and taken apart within 128 bits.
; SUMS-COUNT-16: load <4 x float>, ptr addrspace(1)
; SUMS: shufflevector <16 x float> {{.*}} <i32 0, i32 16, i32 1, i32 17, i32 4, i32 20,
define spir_kernel void @sums(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %w) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pw = getelementptr inbounds i32, ptr addrspace(1) %w, i64 %i
  %place = load i32, ptr addrspace(1) %pw, align 4
  %index = sext i32 %place to i64
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %index
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %pa, align 16
  %x = extractelement <4 x float> %v, i64 0
  %y = extractelement <4 x float> %v, i64 1
  %z = extractelement <4 x float> %v, i64 2
  %u = extractelement <4 x float> %v, i64 3
  %xy = fmul float %x, %y
  %zu = fdiv float %z, %u
  %s = fadd float %xy, %zu
  store float %s, ptr addrspace(1) %pb, align 4
  ret void
}

; Small vectors are numbers.
; BYTES: call <16 x i32> @llvm.masked.gather.v16i32
; BYTES: call void @llvm.masked.scatter.v16i32
; EACH-COUNT-16: load i32, ptr addrspace(1) {{.*}} align 1
; EACH-COUNT-16: store i32
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %w) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pw = getelementptr inbounds i32, ptr addrspace(1) %w, i64 %i
  %place = load i32, ptr addrspace(1) %pw, align 4
  %index = sext i32 %place to i64
  %pa = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %index
  %pb = getelementptr inbounds <4 x i8>, ptr addrspace(1) %b, i64 %index
  %v = load <4 x i8>, ptr addrspace(1) %pa, align 1
  %s = mul <4 x i8> %v, <i8 3, i8 5, i8 7, i8 9>
  store <4 x i8> %s, ptr addrspace(1) %pb, align 1
  ret void
}

; Idle lanes read memory of their own, so that nobody asks which lanes there are.
; SOME: %idle = alloca
; SOME: %[[PLACES:.*]] = select <32 x i1> %{{.*}}, <32 x ptr addrspace(1)> %{{.*}}, <32 x ptr addrspace(1)>
; SOME: extractelement <32 x ptr addrspace(1)> %[[PLACES]], i64 31
define spir_kernel void @some(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %w) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pw = getelementptr inbounds i32, ptr addrspace(1) %w, i64 %i
  %place = load i32, ptr addrspace(1) %pw, align 4
  %in = icmp sgt i32 %place, 0
  br i1 %in, label %work, label %exit
work:
  %index = sext i32 %place to i64
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %index
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %v = load i32, ptr addrspace(1) %pa, align 4
  store i32 %v, ptr addrspace(1) %pb, align 4
  br label %exit
exit:
  ret void
}
