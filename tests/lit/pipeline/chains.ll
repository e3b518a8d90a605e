; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=one --explain %s | FileCheck %s --check-prefix=ONE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=four --explain %s | FileCheck %s --check-prefix=FOUR
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=eight --explain %s | FileCheck %s --check-prefix=EIGHT
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=invariants --explain %s | FileCheck %s --check-prefix=INVARIANTS
; Chains from iteration to iteration take eight registers, whatever vectors of the language they are
; made of: as many as fill the time of a multiplication and addition, and leave room in sixteen.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

; ONE: remark: kernel 'one': flat form, vectorised (64)
define spir_kernel void @one(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %more, %loop ]
  %more = call float @llvm.fmuladd.f32(float %x, float %f, float %f)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %more, ptr addrspace(1) %p
  ret void
}

; FOUR: remark: kernel 'four': flat form, vectorised (16)
define spir_kernel void @four(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %data, i64 %g
  %start = load <4 x float>, ptr addrspace(1) %p
  %first = insertelement <4 x float> poison, float %f, i32 0
  %a = shufflevector <4 x float> %first, <4 x float> poison, <4 x i32> zeroinitializer
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi <4 x float> [ %start, %entry ], [ %more, %loop ]
  %more = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %x, <4 x float> %a, <4 x float> %a)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store <4 x float> %more, ptr addrspace(1) %p
  ret void
}

; EIGHT: remark: kernel 'eight': flat form, vectorised (8)
define spir_kernel void @eight(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <8 x float>, ptr addrspace(1) %data, i64 %g
  %start = load <8 x float>, ptr addrspace(1) %p
  %first = insertelement <8 x float> poison, float %f, i32 0
  %a = shufflevector <8 x float> %first, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi <8 x float> [ %start, %entry ], [ %more, %loop ]
  %more = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %x, <8 x float> %a, <8 x float> %a)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store <8 x float> %more, ptr addrspace(1) %p
  ret void
}

; What a loop only reads takes registers too.
; INVARIANTS: remark: kernel 'invariants': flat form, vectorised (32)
define spir_kernel void @invariants(ptr addrspace(1) %data, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  %a = fmul float %start, %start
  %b = fmul float %a, %start
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ 0.0, %entry ], [ %more, %loop ]
  %more = call float @llvm.fmuladd.f32(float %x, float %a, float %b)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %more, ptr addrspace(1) %p
  ret void
}
