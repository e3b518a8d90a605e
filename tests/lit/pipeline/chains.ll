; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=one --explain %s | FileCheck %s --check-prefix=ONE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=shorts --explain %s | FileCheck %s --check-prefix=SHORTS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=products --explain %s | FileCheck %s --check-prefix=PRODUCTS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=four --explain %s | FileCheck %s --check-prefix=FOUR
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=eight --explain %s | FileCheck %s --check-prefix=EIGHT
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=invariants --explain %s | FileCheck %s --check-prefix=INVARIANTS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=long --explain %s | FileCheck %s --check-prefix=LONG
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=broad --explain %s | FileCheck %s --check-prefix=BROAD
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=crossed --explain %s | FileCheck %s --check-prefix=CROSSED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=between --explain %s | FileCheck %s --check-prefix=BETWEEN
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=tile3 --explain %s | FileCheck %s --check-prefix=TILE3
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=tile4 --explain %s | FileCheck %s --check-prefix=TILE4
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=0 --kernel=tile4 --explain %s | FileCheck %s --check-prefix=MORE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=escape --explain %s | FileCheck %s --check-prefix=ESCAPE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=gcd --explain %s | FileCheck %s --check-prefix=GCD
; Chains from iteration to iteration take eight registers, whatever vectors of the language they are
; made of: as many as fill the time of a multiplication and addition, and leave room in sixteen.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)
declare <4 x float> @llvm.fmuladd.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

; ONE: remark: kernel 'one': flat form, vectorised (64), 8 registers of 8 x 32 bits at a time [-Rweft]
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

; SHORTS: remark: kernel 'shorts': flat form, vectorised (64), 4 registers of 16 x 16 bits at a time, up to 2 lane groups at once
define spir_kernel void @shorts(ptr addrspace(1) %data, i16 %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i16, ptr addrspace(1) %data, i64 %g
  %start = load i16, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i16 [ %start, %entry ], [ %more, %loop ]
  %times = mul i16 %x, %f
  %more = add i16 %times, %f
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store i16 %more, ptr addrspace(1) %p
  ret void
}

; Products of integers take twice as long in lanes as any other operation.
; PRODUCTS: remark: kernel 'products': flat form, vectorised (64), 8 registers of 8 x 32 bits
define spir_kernel void @products(ptr addrspace(1) %data, i32 %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %g
  %start = load i32, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %start, %entry ], [ %x8, %loop ]
  %y1 = mul i32 %x, %x
  %x1 = add i32 %y1, %x
  %y2 = mul i32 %x1, %x
  %x2 = add i32 %y2, %y1
  %y3 = mul i32 %x2, %x1
  %x3 = add i32 %y3, %y2
  %y4 = mul i32 %x3, %x2
  %x4 = add i32 %y4, %y3
  %y5 = mul i32 %x4, %x3
  %x5 = add i32 %y5, %y4
  %y6 = mul i32 %x5, %x4
  %x6 = add i32 %y6, %y5
  %y7 = mul i32 %x6, %x5
  %x7 = add i32 %y7, %y6
  %y8 = mul i32 %x7, %x6
  %x8 = add i32 %y8, %y7
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store i32 %x8, ptr addrspace(1) %p
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

; A long body is no reason to take one vector alone, where that waits for itself all the time.
; LONG: remark: kernel 'long': flat form, vectorised (64)
define spir_kernel void @long(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %c79, %loop ]
  %c0 = fmul float %x, %f
  %c1 = fadd float %c0, %f
  %c2 = fmul float %c1, %f
  %c3 = fadd float %c2, %f
  %c4 = fmul float %c3, %f
  %c5 = fadd float %c4, %f
  %c6 = fmul float %c5, %f
  %c7 = fadd float %c6, %f
  %c8 = fmul float %c7, %f
  %c9 = fadd float %c8, %f
  %c10 = fmul float %c9, %f
  %c11 = fadd float %c10, %f
  %c12 = fmul float %c11, %f
  %c13 = fadd float %c12, %f
  %c14 = fmul float %c13, %f
  %c15 = fadd float %c14, %f
  %c16 = fmul float %c15, %f
  %c17 = fadd float %c16, %f
  %c18 = fmul float %c17, %f
  %c19 = fadd float %c18, %f
  %c20 = fmul float %c19, %f
  %c21 = fadd float %c20, %f
  %c22 = fmul float %c21, %f
  %c23 = fadd float %c22, %f
  %c24 = fmul float %c23, %f
  %c25 = fadd float %c24, %f
  %c26 = fmul float %c25, %f
  %c27 = fadd float %c26, %f
  %c28 = fmul float %c27, %f
  %c29 = fadd float %c28, %f
  %c30 = fmul float %c29, %f
  %c31 = fadd float %c30, %f
  %c32 = fmul float %c31, %f
  %c33 = fadd float %c32, %f
  %c34 = fmul float %c33, %f
  %c35 = fadd float %c34, %f
  %c36 = fmul float %c35, %f
  %c37 = fadd float %c36, %f
  %c38 = fmul float %c37, %f
  %c39 = fadd float %c38, %f
  %c40 = fmul float %c39, %f
  %c41 = fadd float %c40, %f
  %c42 = fmul float %c41, %f
  %c43 = fadd float %c42, %f
  %c44 = fmul float %c43, %f
  %c45 = fadd float %c44, %f
  %c46 = fmul float %c45, %f
  %c47 = fadd float %c46, %f
  %c48 = fmul float %c47, %f
  %c49 = fadd float %c48, %f
  %c50 = fmul float %c49, %f
  %c51 = fadd float %c50, %f
  %c52 = fmul float %c51, %f
  %c53 = fadd float %c52, %f
  %c54 = fmul float %c53, %f
  %c55 = fadd float %c54, %f
  %c56 = fmul float %c55, %f
  %c57 = fadd float %c56, %f
  %c58 = fmul float %c57, %f
  %c59 = fadd float %c58, %f
  %c60 = fmul float %c59, %f
  %c61 = fadd float %c60, %f
  %c62 = fmul float %c61, %f
  %c63 = fadd float %c62, %f
  %c64 = fmul float %c63, %f
  %c65 = fadd float %c64, %f
  %c66 = fmul float %c65, %f
  %c67 = fadd float %c66, %f
  %c68 = fmul float %c67, %f
  %c69 = fadd float %c68, %f
  %c70 = fmul float %c69, %f
  %c71 = fadd float %c70, %f
  %c72 = fmul float %c71, %f
  %c73 = fadd float %c72, %f
  %c74 = fmul float %c73, %f
  %c75 = fadd float %c74, %f
  %c76 = fmul float %c75, %f
  %c77 = fadd float %c76, %f
  %c78 = fmul float %c77, %f
  %c79 = fadd float %c78, %f
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %c79, ptr addrspace(1) %p
  ret void
}

; Where it has enough to do meanwhile, others would be in its way.
; BROAD: remark: kernel 'broad': flat form, vectorised (8)
define spir_kernel void @broad(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %s78, %loop ]
  %c0 = fmul float %x, 3.000000e+00
  %c1 = fadd float %x, 4.000000e+00
  %c2 = fmul float %x, 5.000000e+00
  %c3 = fadd float %x, 6.000000e+00
  %c4 = fmul float %x, 7.000000e+00
  %c5 = fadd float %x, 8.000000e+00
  %c6 = fmul float %x, 9.000000e+00
  %c7 = fadd float %x, 1.000000e+01
  %c8 = fmul float %x, 1.100000e+01
  %c9 = fadd float %x, 1.200000e+01
  %c10 = fmul float %x, 1.300000e+01
  %c11 = fadd float %x, 1.400000e+01
  %c12 = fmul float %x, 1.500000e+01
  %c13 = fadd float %x, 1.600000e+01
  %c14 = fmul float %x, 1.700000e+01
  %c15 = fadd float %x, 1.800000e+01
  %c16 = fmul float %x, 1.900000e+01
  %c17 = fadd float %x, 2.000000e+01
  %c18 = fmul float %x, 2.100000e+01
  %c19 = fadd float %x, 2.200000e+01
  %c20 = fmul float %x, 2.300000e+01
  %c21 = fadd float %x, 2.400000e+01
  %c22 = fmul float %x, 2.500000e+01
  %c23 = fadd float %x, 2.600000e+01
  %c24 = fmul float %x, 2.700000e+01
  %c25 = fadd float %x, 2.800000e+01
  %c26 = fmul float %x, 2.900000e+01
  %c27 = fadd float %x, 3.000000e+01
  %c28 = fmul float %x, 3.100000e+01
  %c29 = fadd float %x, 3.200000e+01
  %c30 = fmul float %x, 3.300000e+01
  %c31 = fadd float %x, 3.400000e+01
  %c32 = fmul float %x, 3.500000e+01
  %c33 = fadd float %x, 3.600000e+01
  %c34 = fmul float %x, 3.700000e+01
  %c35 = fadd float %x, 3.800000e+01
  %c36 = fmul float %x, 3.900000e+01
  %c37 = fadd float %x, 4.000000e+01
  %c38 = fmul float %x, 4.100000e+01
  %c39 = fadd float %x, 4.200000e+01
  %c40 = fmul float %x, 4.300000e+01
  %c41 = fadd float %x, 4.400000e+01
  %c42 = fmul float %x, 4.500000e+01
  %c43 = fadd float %x, 4.600000e+01
  %c44 = fmul float %x, 4.700000e+01
  %c45 = fadd float %x, 4.800000e+01
  %c46 = fmul float %x, 4.900000e+01
  %c47 = fadd float %x, 5.000000e+01
  %c48 = fmul float %x, 5.100000e+01
  %c49 = fadd float %x, 5.200000e+01
  %c50 = fmul float %x, 5.300000e+01
  %c51 = fadd float %x, 5.400000e+01
  %c52 = fmul float %x, 5.500000e+01
  %c53 = fadd float %x, 5.600000e+01
  %c54 = fmul float %x, 5.700000e+01
  %c55 = fadd float %x, 5.800000e+01
  %c56 = fmul float %x, 5.900000e+01
  %c57 = fadd float %x, 6.000000e+01
  %c58 = fmul float %x, 6.100000e+01
  %c59 = fadd float %x, 6.200000e+01
  %c60 = fmul float %x, 6.300000e+01
  %c61 = fadd float %x, 6.400000e+01
  %c62 = fmul float %x, 6.500000e+01
  %c63 = fadd float %x, 6.600000e+01
  %c64 = fmul float %x, 6.700000e+01
  %c65 = fadd float %x, 6.800000e+01
  %c66 = fmul float %x, 6.900000e+01
  %c67 = fadd float %x, 7.000000e+01
  %c68 = fmul float %x, 7.100000e+01
  %c69 = fadd float %x, 7.200000e+01
  %c70 = fmul float %x, 7.300000e+01
  %c71 = fadd float %x, 7.400000e+01
  %c72 = fmul float %x, 7.500000e+01
  %c73 = fadd float %x, 7.600000e+01
  %c74 = fmul float %x, 7.700000e+01
  %c75 = fadd float %x, 7.800000e+01
  %c76 = fmul float %x, 7.900000e+01
  %c77 = fadd float %x, 8.000000e+01
  %c78 = fmul float %x, 8.100000e+01
  %c79 = fadd float %x, 8.200000e+01
  %s0 = fsub float %c0, %c1
  %s1 = fsub float %c2, %c3
  %s2 = fsub float %c4, %c5
  %s3 = fsub float %c6, %c7
  %s4 = fsub float %c8, %c9
  %s5 = fsub float %c10, %c11
  %s6 = fsub float %c12, %c13
  %s7 = fsub float %c14, %c15
  %s8 = fsub float %c16, %c17
  %s9 = fsub float %c18, %c19
  %s10 = fsub float %c20, %c21
  %s11 = fsub float %c22, %c23
  %s12 = fsub float %c24, %c25
  %s13 = fsub float %c26, %c27
  %s14 = fsub float %c28, %c29
  %s15 = fsub float %c30, %c31
  %s16 = fsub float %c32, %c33
  %s17 = fsub float %c34, %c35
  %s18 = fsub float %c36, %c37
  %s19 = fsub float %c38, %c39
  %s20 = fsub float %c40, %c41
  %s21 = fsub float %c42, %c43
  %s22 = fsub float %c44, %c45
  %s23 = fsub float %c46, %c47
  %s24 = fsub float %c48, %c49
  %s25 = fsub float %c50, %c51
  %s26 = fsub float %c52, %c53
  %s27 = fsub float %c54, %c55
  %s28 = fsub float %c56, %c57
  %s29 = fsub float %c58, %c59
  %s30 = fsub float %c60, %c61
  %s31 = fsub float %c62, %c63
  %s32 = fsub float %c64, %c65
  %s33 = fsub float %c66, %c67
  %s34 = fsub float %c68, %c69
  %s35 = fsub float %c70, %c71
  %s36 = fsub float %c72, %c73
  %s37 = fsub float %c74, %c75
  %s38 = fsub float %c76, %c77
  %s39 = fsub float %c78, %c79
  %s40 = fsub float %s0, %s1
  %s41 = fsub float %s2, %s3
  %s42 = fsub float %s4, %s5
  %s43 = fsub float %s6, %s7
  %s44 = fsub float %s8, %s9
  %s45 = fsub float %s10, %s11
  %s46 = fsub float %s12, %s13
  %s47 = fsub float %s14, %s15
  %s48 = fsub float %s16, %s17
  %s49 = fsub float %s18, %s19
  %s50 = fsub float %s20, %s21
  %s51 = fsub float %s22, %s23
  %s52 = fsub float %s24, %s25
  %s53 = fsub float %s26, %s27
  %s54 = fsub float %s28, %s29
  %s55 = fsub float %s30, %s31
  %s56 = fsub float %s32, %s33
  %s57 = fsub float %s34, %s35
  %s58 = fsub float %s36, %s37
  %s59 = fsub float %s38, %s39
  %s60 = fsub float %s40, %s41
  %s61 = fsub float %s42, %s43
  %s62 = fsub float %s44, %s45
  %s63 = fsub float %s46, %s47
  %s64 = fsub float %s48, %s49
  %s65 = fsub float %s50, %s51
  %s66 = fsub float %s52, %s53
  %s67 = fsub float %s54, %s55
  %s68 = fsub float %s56, %s57
  %s69 = fsub float %s58, %s59
  %s70 = fsub float %s60, %s61
  %s71 = fsub float %s62, %s63
  %s72 = fsub float %s64, %s65
  %s73 = fsub float %s66, %s67
  %s74 = fsub float %s68, %s69
  %s75 = fsub float %s70, %s71
  %s76 = fsub float %s72, %s73
  %s77 = fsub float %s75, %s76
  %s78 = fsub float %s77, %s74
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %s78, ptr addrspace(1) %p
  ret void
}

; Two numbers that wait for each other are one chain, and nothing else needs a register.
; CROSSED: remark: kernel 'crossed': flat form, vectorised (64)
define spir_kernel void @crossed(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %x.next, %loop ]
  %y = phi float [ %f, %entry ], [ %y.next, %loop ]
  %x.next = call float @llvm.fmuladd.f32(float %y, float %x, float %y)
  %y.next = call float @llvm.fmuladd.f32(float %x.next, float %y, float %x.next)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %y.next, ptr addrspace(1) %p
  ret void
}

; With a third number in between they fill sixteen registers at half as many lanes.
; BETWEEN: remark: kernel 'between': flat form, vectorised (32)
define spir_kernel void @between(ptr addrspace(1) %data, float %f, i32 %steps) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %start = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi float [ %start, %entry ], [ %x.next, %loop ]
  %y = phi float [ %f, %entry ], [ %y.next, %loop ]
  %z = fsub float %x, %y
  %x.next = call float @llvm.fmuladd.f32(float %y, float %z, float %x)
  %y.next = call float @llvm.fmuladd.f32(float %x.next, float %z, float %y)
  %next = add nuw nsw i32 %n, 1
  %done = icmp eq i32 %next, %steps
  br i1 %done, label %end, label %loop

end:
  store float %y.next, ptr addrspace(1) %p
  ret void
}

; Three sums of four floats are twelve registers with eight lanes, which leaves room for what is added.
; TILE3: remark: kernel 'tile3': flat form, vectorised (8)
define spir_kernel void @tile3(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %rows) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <4 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %s1 = phi <4 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %s2 = phi <4 x float> [ zeroinitializer, %entry ], [ %t2, %loop ]
  %row = mul i64 %k, 1024
  %at = add i64 %row, %g
  %pb = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %at
  %x = load <4 x float>, ptr addrspace(1) %pb
  %pa0 = getelementptr inbounds [3 x float], ptr addrspace(1) %a, i64 %k, i64 0
  %f0 = load float, ptr addrspace(1) %pa0
  %i0 = insertelement <4 x float> poison, float %f0, i64 0
  %v0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %t0 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v0, <4 x float> %x, <4 x float> %s0)
  %pa1 = getelementptr inbounds [3 x float], ptr addrspace(1) %a, i64 %k, i64 1
  %f1 = load float, ptr addrspace(1) %pa1
  %i1 = insertelement <4 x float> poison, float %f1, i64 0
  %v1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %t1 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v1, <4 x float> %x, <4 x float> %s1)
  %pa2 = getelementptr inbounds [3 x float], ptr addrspace(1) %a, i64 %k, i64 2
  %f2 = load float, ptr addrspace(1) %pa2
  %i2 = insertelement <4 x float> poison, float %f2, i64 0
  %v2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %t2 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v2, <4 x float> %x, <4 x float> %s2)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %rows
  br i1 %done, label %end, label %loop

end:
  %o0 = add i64 %g, 0
  %pc0 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o0
  store <4 x float> %t0, ptr addrspace(1) %pc0
  %o1 = add i64 %g, 1024
  %pc1 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o1
  store <4 x float> %t1, ptr addrspace(1) %pc1
  %o2 = add i64 %g, 2048
  %pc2 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o2
  store <4 x float> %t2, ptr addrspace(1) %pc2
  ret void
}

; Four are all sixteen; with half the lanes eight. AVX-512 has room for all of them.
; TILE4: remark: kernel 'tile4': flat form, vectorised (4)
; MORE: remark: kernel 'tile4': flat form, vectorised (8)
define spir_kernel void @tile4(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %rows) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <4 x float> [ zeroinitializer, %entry ], [ %t0, %loop ]
  %s1 = phi <4 x float> [ zeroinitializer, %entry ], [ %t1, %loop ]
  %s2 = phi <4 x float> [ zeroinitializer, %entry ], [ %t2, %loop ]
  %s3 = phi <4 x float> [ zeroinitializer, %entry ], [ %t3, %loop ]
  %row = mul i64 %k, 1024
  %at = add i64 %row, %g
  %pb = getelementptr inbounds <4 x float>, ptr addrspace(1) %b, i64 %at
  %x = load <4 x float>, ptr addrspace(1) %pb
  %pa0 = getelementptr inbounds [4 x float], ptr addrspace(1) %a, i64 %k, i64 0
  %f0 = load float, ptr addrspace(1) %pa0
  %i0 = insertelement <4 x float> poison, float %f0, i64 0
  %v0 = shufflevector <4 x float> %i0, <4 x float> poison, <4 x i32> zeroinitializer
  %t0 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v0, <4 x float> %x, <4 x float> %s0)
  %pa1 = getelementptr inbounds [4 x float], ptr addrspace(1) %a, i64 %k, i64 1
  %f1 = load float, ptr addrspace(1) %pa1
  %i1 = insertelement <4 x float> poison, float %f1, i64 0
  %v1 = shufflevector <4 x float> %i1, <4 x float> poison, <4 x i32> zeroinitializer
  %t1 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v1, <4 x float> %x, <4 x float> %s1)
  %pa2 = getelementptr inbounds [4 x float], ptr addrspace(1) %a, i64 %k, i64 2
  %f2 = load float, ptr addrspace(1) %pa2
  %i2 = insertelement <4 x float> poison, float %f2, i64 0
  %v2 = shufflevector <4 x float> %i2, <4 x float> poison, <4 x i32> zeroinitializer
  %t2 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v2, <4 x float> %x, <4 x float> %s2)
  %pa3 = getelementptr inbounds [4 x float], ptr addrspace(1) %a, i64 %k, i64 3
  %f3 = load float, ptr addrspace(1) %pa3
  %i3 = insertelement <4 x float> poison, float %f3, i64 0
  %v3 = shufflevector <4 x float> %i3, <4 x float> poison, <4 x i32> zeroinitializer
  %t3 = call <4 x float> @llvm.fmuladd.v4f32(<4 x float> %v3, <4 x float> %x, <4 x float> %s3)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %rows
  br i1 %done, label %end, label %loop

end:
  %o0 = add i64 %g, 0
  %pc0 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o0
  store <4 x float> %t0, ptr addrspace(1) %pc0
  %o1 = add i64 %g, 1024
  %pc1 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o1
  store <4 x float> %t1, ptr addrspace(1) %pc1
  %o2 = add i64 %g, 2048
  %pc2 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o2
  store <4 x float> %t2, ptr addrspace(1) %pc2
  %o3 = add i64 %g, 3072
  %pc3 = getelementptr inbounds <4 x float>, ptr addrspace(1) %c, i64 %o3
  store <4 x float> %t3, ptr addrspace(1) %pc3
  ret void
}

; Lanes that leave a loop one by one wait for the last of them: two vectors, and more only while one
; of them waits for itself, as for its quotients.
; ESCAPE: remark: kernel 'escape': flat form, vectorised (16)
define spir_kernel void @escape(ptr addrspace(1) %data, float %f) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %data, i64 %g
  %c = load float, ptr addrspace(1) %p
  br label %loop

loop:
  %n = phi i32 [ 0, %entry ], [ %next, %step ]
  %x = phi float [ 0.0, %entry ], [ %x.next, %step ]
  %y = phi float [ 0.0, %entry ], [ %y.next, %step ]
  %xx = fmul float %x, %x
  %yy = fmul float %y, %y
  %size = fadd float %xx, %yy
  %done = fcmp ogt float %size, 4.0
  br i1 %done, label %end, label %step

step:
  %difference = fsub float %xx, %yy
  %x.next = fadd float %difference, %c
  %double = fadd float %x, %x
  %product = fmul float %double, %y
  %y.next = fadd float %product, %f
  %next = add nuw nsw i32 %n, 1
  br label %loop

end:
  %steps = uitofp i32 %n to float
  store float %steps, ptr addrspace(1) %p
  ret void
}

; GCD: remark: kernel 'gcd': flat form, vectorised (32)
define spir_kernel void @gcd(ptr addrspace(1) %data, ptr addrspace(1) %other) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %data, i64 %g
  %q = getelementptr inbounds i32, ptr addrspace(1) %other, i64 %g
  %a = load i32, ptr addrspace(1) %p
  %b = load i32, ptr addrspace(1) %q
  br label %loop

loop:
  %v = phi i32 [ %a, %entry ], [ %w, %step ]
  %w = phi i32 [ %b, %entry ], [ %r, %step ]
  %done = icmp eq i32 %w, 0
  br i1 %done, label %end, label %step

step:
  %r = urem i32 %v, %w
  br label %loop

end:
  store i32 %v, ptr addrspace(1) %p
  ret void
}
