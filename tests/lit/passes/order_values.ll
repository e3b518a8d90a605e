; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=order-values,verify %s -S | FileCheck %s

; Without it, 32 vectors would be in registers before the second of them is used.
; CHECK-LABEL: @products(
; CHECK: %a0 = load
; CHECK: %b0 = load
; CHECK-NEXT: %m0 = fmul
; CHECK: %a1 = load
; CHECK: %b1 = load
; CHECK-NEXT: %m1 = fmul
; CHECK: %a15 = load
; CHECK: %b15 = load
; CHECK-NEXT: %m15 = fmul
; CHECK: ret
define <8 x float> @products(ptr %a, ptr %b, ptr %c) {
  %pa0 = getelementptr i8, ptr %a, i64 0
  %a0 = load <8 x float>, ptr %pa0
  %pa1 = getelementptr i8, ptr %a, i64 32
  %a1 = load <8 x float>, ptr %pa1
  %pa2 = getelementptr i8, ptr %a, i64 64
  %a2 = load <8 x float>, ptr %pa2
  %pa3 = getelementptr i8, ptr %a, i64 96
  %a3 = load <8 x float>, ptr %pa3
  %pa4 = getelementptr i8, ptr %a, i64 128
  %a4 = load <8 x float>, ptr %pa4
  %pa5 = getelementptr i8, ptr %a, i64 160
  %a5 = load <8 x float>, ptr %pa5
  %pa6 = getelementptr i8, ptr %a, i64 192
  %a6 = load <8 x float>, ptr %pa6
  %pa7 = getelementptr i8, ptr %a, i64 224
  %a7 = load <8 x float>, ptr %pa7
  %pa8 = getelementptr i8, ptr %a, i64 256
  %a8 = load <8 x float>, ptr %pa8
  %pa9 = getelementptr i8, ptr %a, i64 288
  %a9 = load <8 x float>, ptr %pa9
  %pa10 = getelementptr i8, ptr %a, i64 320
  %a10 = load <8 x float>, ptr %pa10
  %pa11 = getelementptr i8, ptr %a, i64 352
  %a11 = load <8 x float>, ptr %pa11
  %pa12 = getelementptr i8, ptr %a, i64 384
  %a12 = load <8 x float>, ptr %pa12
  %pa13 = getelementptr i8, ptr %a, i64 416
  %a13 = load <8 x float>, ptr %pa13
  %pa14 = getelementptr i8, ptr %a, i64 448
  %a14 = load <8 x float>, ptr %pa14
  %pa15 = getelementptr i8, ptr %a, i64 480
  %a15 = load <8 x float>, ptr %pa15
  %pb0 = getelementptr i8, ptr %b, i64 0
  %b0 = load <8 x float>, ptr %pb0
  %pb1 = getelementptr i8, ptr %b, i64 32
  %b1 = load <8 x float>, ptr %pb1
  %pb2 = getelementptr i8, ptr %b, i64 64
  %b2 = load <8 x float>, ptr %pb2
  %pb3 = getelementptr i8, ptr %b, i64 96
  %b3 = load <8 x float>, ptr %pb3
  %pb4 = getelementptr i8, ptr %b, i64 128
  %b4 = load <8 x float>, ptr %pb4
  %pb5 = getelementptr i8, ptr %b, i64 160
  %b5 = load <8 x float>, ptr %pb5
  %pb6 = getelementptr i8, ptr %b, i64 192
  %b6 = load <8 x float>, ptr %pb6
  %pb7 = getelementptr i8, ptr %b, i64 224
  %b7 = load <8 x float>, ptr %pb7
  %pb8 = getelementptr i8, ptr %b, i64 256
  %b8 = load <8 x float>, ptr %pb8
  %pb9 = getelementptr i8, ptr %b, i64 288
  %b9 = load <8 x float>, ptr %pb9
  %pb10 = getelementptr i8, ptr %b, i64 320
  %b10 = load <8 x float>, ptr %pb10
  %pb11 = getelementptr i8, ptr %b, i64 352
  %b11 = load <8 x float>, ptr %pb11
  %pb12 = getelementptr i8, ptr %b, i64 384
  %b12 = load <8 x float>, ptr %pb12
  %pb13 = getelementptr i8, ptr %b, i64 416
  %b13 = load <8 x float>, ptr %pb13
  %pb14 = getelementptr i8, ptr %b, i64 448
  %b14 = load <8 x float>, ptr %pb14
  %pb15 = getelementptr i8, ptr %b, i64 480
  %b15 = load <8 x float>, ptr %pb15
  %m0 = fmul <8 x float> %a0, %b0
  %m1 = fmul <8 x float> %a1, %b1
  %m2 = fmul <8 x float> %a2, %b2
  %m3 = fmul <8 x float> %a3, %b3
  %m4 = fmul <8 x float> %a4, %b4
  %m5 = fmul <8 x float> %a5, %b5
  %m6 = fmul <8 x float> %a6, %b6
  %m7 = fmul <8 x float> %a7, %b7
  %m8 = fmul <8 x float> %a8, %b8
  %m9 = fmul <8 x float> %a9, %b9
  %m10 = fmul <8 x float> %a10, %b10
  %m11 = fmul <8 x float> %a11, %b11
  %m12 = fmul <8 x float> %a12, %b12
  %m13 = fmul <8 x float> %a13, %b13
  %m14 = fmul <8 x float> %a14, %b14
  %m15 = fmul <8 x float> %a15, %b15
  %s1 = fadd <8 x float> %m0, %m1
  %s2 = fadd <8 x float> %s1, %m2
  %s3 = fadd <8 x float> %s2, %m3
  %s4 = fadd <8 x float> %s3, %m4
  %s5 = fadd <8 x float> %s4, %m5
  %s6 = fadd <8 x float> %s5, %m6
  %s7 = fadd <8 x float> %s6, %m7
  %s8 = fadd <8 x float> %s7, %m8
  %s9 = fadd <8 x float> %s8, %m9
  %s10 = fadd <8 x float> %s9, %m10
  %s11 = fadd <8 x float> %s10, %m11
  %s12 = fadd <8 x float> %s11, %m12
  %s13 = fadd <8 x float> %s12, %m13
  %s14 = fadd <8 x float> %s13, %m14
  %s15 = fadd <8 x float> %s14, %m15
  ret <8 x float> %s15
}

; What is read before something is written stays before that, and the write before what is read
; after it.
; CHECK-LABEL: @writes(
; CHECK: %m0 = fmul
; CHECK: %a15 = load
; CHECK: %b15 = load
; CHECK: store i32 0
; CHECK: %after = load
define <8 x float> @writes(ptr %a, ptr %b, ptr %c) {
  %pa0 = getelementptr i8, ptr %a, i64 0
  %a0 = load <8 x float>, ptr %pa0
  %pa1 = getelementptr i8, ptr %a, i64 32
  %a1 = load <8 x float>, ptr %pa1
  %pa2 = getelementptr i8, ptr %a, i64 64
  %a2 = load <8 x float>, ptr %pa2
  %pa3 = getelementptr i8, ptr %a, i64 96
  %a3 = load <8 x float>, ptr %pa3
  %pa4 = getelementptr i8, ptr %a, i64 128
  %a4 = load <8 x float>, ptr %pa4
  %pa5 = getelementptr i8, ptr %a, i64 160
  %a5 = load <8 x float>, ptr %pa5
  %pa6 = getelementptr i8, ptr %a, i64 192
  %a6 = load <8 x float>, ptr %pa6
  %pa7 = getelementptr i8, ptr %a, i64 224
  %a7 = load <8 x float>, ptr %pa7
  %pa8 = getelementptr i8, ptr %a, i64 256
  %a8 = load <8 x float>, ptr %pa8
  %pa9 = getelementptr i8, ptr %a, i64 288
  %a9 = load <8 x float>, ptr %pa9
  %pa10 = getelementptr i8, ptr %a, i64 320
  %a10 = load <8 x float>, ptr %pa10
  %pa11 = getelementptr i8, ptr %a, i64 352
  %a11 = load <8 x float>, ptr %pa11
  %pa12 = getelementptr i8, ptr %a, i64 384
  %a12 = load <8 x float>, ptr %pa12
  %pa13 = getelementptr i8, ptr %a, i64 416
  %a13 = load <8 x float>, ptr %pa13
  %pa14 = getelementptr i8, ptr %a, i64 448
  %a14 = load <8 x float>, ptr %pa14
  %pa15 = getelementptr i8, ptr %a, i64 480
  %a15 = load <8 x float>, ptr %pa15
  %pb0 = getelementptr i8, ptr %b, i64 0
  %b0 = load <8 x float>, ptr %pb0
  %pb1 = getelementptr i8, ptr %b, i64 32
  %b1 = load <8 x float>, ptr %pb1
  %pb2 = getelementptr i8, ptr %b, i64 64
  %b2 = load <8 x float>, ptr %pb2
  %pb3 = getelementptr i8, ptr %b, i64 96
  %b3 = load <8 x float>, ptr %pb3
  %pb4 = getelementptr i8, ptr %b, i64 128
  %b4 = load <8 x float>, ptr %pb4
  %pb5 = getelementptr i8, ptr %b, i64 160
  %b5 = load <8 x float>, ptr %pb5
  %pb6 = getelementptr i8, ptr %b, i64 192
  %b6 = load <8 x float>, ptr %pb6
  %pb7 = getelementptr i8, ptr %b, i64 224
  %b7 = load <8 x float>, ptr %pb7
  %pb8 = getelementptr i8, ptr %b, i64 256
  %b8 = load <8 x float>, ptr %pb8
  %pb9 = getelementptr i8, ptr %b, i64 288
  %b9 = load <8 x float>, ptr %pb9
  %pb10 = getelementptr i8, ptr %b, i64 320
  %b10 = load <8 x float>, ptr %pb10
  %pb11 = getelementptr i8, ptr %b, i64 352
  %b11 = load <8 x float>, ptr %pb11
  %pb12 = getelementptr i8, ptr %b, i64 384
  %b12 = load <8 x float>, ptr %pb12
  %pb13 = getelementptr i8, ptr %b, i64 416
  %b13 = load <8 x float>, ptr %pb13
  %pb14 = getelementptr i8, ptr %b, i64 448
  %b14 = load <8 x float>, ptr %pb14
  %pb15 = getelementptr i8, ptr %b, i64 480
  %b15 = load <8 x float>, ptr %pb15
  store i32 0, ptr %c
  %after = load <8 x float>, ptr %c
  %m0 = fmul <8 x float> %a0, %b0
  %m1 = fmul <8 x float> %a1, %b1
  %m2 = fmul <8 x float> %a2, %b2
  %m3 = fmul <8 x float> %a3, %b3
  %m4 = fmul <8 x float> %a4, %b4
  %m5 = fmul <8 x float> %a5, %b5
  %m6 = fmul <8 x float> %a6, %b6
  %m7 = fmul <8 x float> %a7, %b7
  %m8 = fmul <8 x float> %a8, %b8
  %m9 = fmul <8 x float> %a9, %b9
  %m10 = fmul <8 x float> %a10, %b10
  %m11 = fmul <8 x float> %a11, %b11
  %m12 = fmul <8 x float> %a12, %b12
  %m13 = fmul <8 x float> %a13, %b13
  %m14 = fmul <8 x float> %a14, %b14
  %m15 = fmul <8 x float> %a15, %b15
  %s1 = fadd <8 x float> %m0, %m1
  %s2 = fadd <8 x float> %s1, %m2
  %s3 = fadd <8 x float> %s2, %m3
  %s4 = fadd <8 x float> %s3, %m4
  %s5 = fadd <8 x float> %s4, %m5
  %s6 = fadd <8 x float> %s5, %m6
  %s7 = fadd <8 x float> %s6, %m7
  %s8 = fadd <8 x float> %s7, %m8
  %s9 = fadd <8 x float> %s8, %m9
  %s10 = fadd <8 x float> %s9, %m10
  %s11 = fadd <8 x float> %s10, %m11
  %s12 = fadd <8 x float> %s11, %m12
  %s13 = fadd <8 x float> %s12, %m13
  %s14 = fadd <8 x float> %s13, %m14
  %s15 = fadd <8 x float> %s14, %m15
  ret <8 x float> %s15
}

; Eight vectors have a register each.
; CHECK-LABEL: @few(
; CHECK: %a3 = load
; CHECK: %b3 = load
; CHECK-NEXT: %m0 = fmul
; CHECK-NEXT: %m1 = fmul
define <8 x float> @few(ptr %a, ptr %b, ptr %c) {
  %pa0 = getelementptr i8, ptr %a, i64 0
  %a0 = load <8 x float>, ptr %pa0
  %pa1 = getelementptr i8, ptr %a, i64 32
  %a1 = load <8 x float>, ptr %pa1
  %pa2 = getelementptr i8, ptr %a, i64 64
  %a2 = load <8 x float>, ptr %pa2
  %pa3 = getelementptr i8, ptr %a, i64 96
  %a3 = load <8 x float>, ptr %pa3
  %pb0 = getelementptr i8, ptr %b, i64 0
  %b0 = load <8 x float>, ptr %pb0
  %pb1 = getelementptr i8, ptr %b, i64 32
  %b1 = load <8 x float>, ptr %pb1
  %pb2 = getelementptr i8, ptr %b, i64 64
  %b2 = load <8 x float>, ptr %pb2
  %pb3 = getelementptr i8, ptr %b, i64 96
  %b3 = load <8 x float>, ptr %pb3
  %m0 = fmul <8 x float> %a0, %b0
  %m1 = fmul <8 x float> %a1, %b1
  %m2 = fmul <8 x float> %a2, %b2
  %m3 = fmul <8 x float> %a3, %b3
  %s1 = fadd <8 x float> %m0, %m1
  %s2 = fadd <8 x float> %s1, %m2
  %s3 = fadd <8 x float> %s2, %m3
  ret <8 x float> %s3
}

; A tile of four rows and two columns of vectors: the sums are in registers all the time, and each
; number of a row is read for the columns that are there. What is loaded whole is loaded in parts.
; CHECK-LABEL: @tile(
; CHECK: loop:
; CHECK-NOT: load <64 x float>
; CHECK: %x00 = load float
; CHECK: %[[B0:.*]] = load <8 x float>
; CHECK-NEXT: %t000 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a00, <8 x float> %[[B0]],
; CHECK: %t010 = call {{.*}} %a00, <8 x float> %[[B1:[0-9]+]],
; CHECK: %x10 = load float
; CHECK: %t100 = {{.*}} %a10, <8 x float> %[[B0]],
; CHECK-NEXT: %t110 = {{.*}} %a10, <8 x float> %[[B1]],
; CHECK: %x30 = load float
; CHECK: %t310 = call
; CHECK: %x02 = load float
; CHECK: exit:
define void @tile(ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s00 = phi <8 x float> [ zeroinitializer, %entry ], [ %t003, %loop ]
  %s01 = phi <8 x float> [ zeroinitializer, %entry ], [ %t013, %loop ]
  %s10 = phi <8 x float> [ zeroinitializer, %entry ], [ %t103, %loop ]
  %s11 = phi <8 x float> [ zeroinitializer, %entry ], [ %t113, %loop ]
  %s20 = phi <8 x float> [ zeroinitializer, %entry ], [ %t203, %loop ]
  %s21 = phi <8 x float> [ zeroinitializer, %entry ], [ %t213, %loop ]
  %s30 = phi <8 x float> [ zeroinitializer, %entry ], [ %t303, %loop ]
  %s31 = phi <8 x float> [ zeroinitializer, %entry ], [ %t313, %loop ]
  %pa0 = getelementptr [1024 x float], ptr %a, i64 0, i64 %i
  %pa00 = getelementptr float, ptr %pa0, i64 0
  %x00 = load float, ptr %pa00
  %i00 = insertelement <8 x float> poison, float %x00, i64 0
  %a00 = shufflevector <8 x float> %i00, <8 x float> poison, <8 x i32> zeroinitializer
  %pa01 = getelementptr float, ptr %pa0, i64 1
  %x01 = load float, ptr %pa01
  %i01 = insertelement <8 x float> poison, float %x01, i64 0
  %a01 = shufflevector <8 x float> %i01, <8 x float> poison, <8 x i32> zeroinitializer
  %pa02 = getelementptr float, ptr %pa0, i64 2
  %x02 = load float, ptr %pa02
  %i02 = insertelement <8 x float> poison, float %x02, i64 0
  %a02 = shufflevector <8 x float> %i02, <8 x float> poison, <8 x i32> zeroinitializer
  %pa03 = getelementptr float, ptr %pa0, i64 3
  %x03 = load float, ptr %pa03
  %i03 = insertelement <8 x float> poison, float %x03, i64 0
  %a03 = shufflevector <8 x float> %i03, <8 x float> poison, <8 x i32> zeroinitializer
  %pa1 = getelementptr [1024 x float], ptr %a, i64 1, i64 %i
  %pa10 = getelementptr float, ptr %pa1, i64 0
  %x10 = load float, ptr %pa10
  %i10 = insertelement <8 x float> poison, float %x10, i64 0
  %a10 = shufflevector <8 x float> %i10, <8 x float> poison, <8 x i32> zeroinitializer
  %pa11 = getelementptr float, ptr %pa1, i64 1
  %x11 = load float, ptr %pa11
  %i11 = insertelement <8 x float> poison, float %x11, i64 0
  %a11 = shufflevector <8 x float> %i11, <8 x float> poison, <8 x i32> zeroinitializer
  %pa12 = getelementptr float, ptr %pa1, i64 2
  %x12 = load float, ptr %pa12
  %i12 = insertelement <8 x float> poison, float %x12, i64 0
  %a12 = shufflevector <8 x float> %i12, <8 x float> poison, <8 x i32> zeroinitializer
  %pa13 = getelementptr float, ptr %pa1, i64 3
  %x13 = load float, ptr %pa13
  %i13 = insertelement <8 x float> poison, float %x13, i64 0
  %a13 = shufflevector <8 x float> %i13, <8 x float> poison, <8 x i32> zeroinitializer
  %pa2 = getelementptr [1024 x float], ptr %a, i64 2, i64 %i
  %pa20 = getelementptr float, ptr %pa2, i64 0
  %x20 = load float, ptr %pa20
  %i20 = insertelement <8 x float> poison, float %x20, i64 0
  %a20 = shufflevector <8 x float> %i20, <8 x float> poison, <8 x i32> zeroinitializer
  %pa21 = getelementptr float, ptr %pa2, i64 1
  %x21 = load float, ptr %pa21
  %i21 = insertelement <8 x float> poison, float %x21, i64 0
  %a21 = shufflevector <8 x float> %i21, <8 x float> poison, <8 x i32> zeroinitializer
  %pa22 = getelementptr float, ptr %pa2, i64 2
  %x22 = load float, ptr %pa22
  %i22 = insertelement <8 x float> poison, float %x22, i64 0
  %a22 = shufflevector <8 x float> %i22, <8 x float> poison, <8 x i32> zeroinitializer
  %pa23 = getelementptr float, ptr %pa2, i64 3
  %x23 = load float, ptr %pa23
  %i23 = insertelement <8 x float> poison, float %x23, i64 0
  %a23 = shufflevector <8 x float> %i23, <8 x float> poison, <8 x i32> zeroinitializer
  %pa3 = getelementptr [1024 x float], ptr %a, i64 3, i64 %i
  %pa30 = getelementptr float, ptr %pa3, i64 0
  %x30 = load float, ptr %pa30
  %i30 = insertelement <8 x float> poison, float %x30, i64 0
  %a30 = shufflevector <8 x float> %i30, <8 x float> poison, <8 x i32> zeroinitializer
  %pa31 = getelementptr float, ptr %pa3, i64 1
  %x31 = load float, ptr %pa31
  %i31 = insertelement <8 x float> poison, float %x31, i64 0
  %a31 = shufflevector <8 x float> %i31, <8 x float> poison, <8 x i32> zeroinitializer
  %pa32 = getelementptr float, ptr %pa3, i64 2
  %x32 = load float, ptr %pa32
  %i32 = insertelement <8 x float> poison, float %x32, i64 0
  %a32 = shufflevector <8 x float> %i32, <8 x float> poison, <8 x i32> zeroinitializer
  %pa33 = getelementptr float, ptr %pa3, i64 3
  %x33 = load float, ptr %pa33
  %i33 = insertelement <8 x float> poison, float %x33, i64 0
  %a33 = shufflevector <8 x float> %i33, <8 x float> poison, <8 x i32> zeroinitializer
  %pb = getelementptr [64 x float], ptr %b, i64 %i
  %all = load <64 x float>, ptr %pb, align 4
  %b00 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %b01 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %b10 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %b11 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %b20 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39>
  %b21 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
  %b30 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55>
  %b31 = shufflevector <64 x float> %all, <64 x float> poison, <8 x i32> <i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %t000 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a00, <8 x float> %b00, <8 x float> %s00)
  %t001 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a01, <8 x float> %b10, <8 x float> %t000)
  %t002 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a02, <8 x float> %b20, <8 x float> %t001)
  %t003 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a03, <8 x float> %b30, <8 x float> %t002)
  %t010 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a00, <8 x float> %b01, <8 x float> %s01)
  %t011 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a01, <8 x float> %b11, <8 x float> %t010)
  %t012 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a02, <8 x float> %b21, <8 x float> %t011)
  %t013 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a03, <8 x float> %b31, <8 x float> %t012)
  %t100 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a10, <8 x float> %b00, <8 x float> %s10)
  %t101 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a11, <8 x float> %b10, <8 x float> %t100)
  %t102 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a12, <8 x float> %b20, <8 x float> %t101)
  %t103 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a13, <8 x float> %b30, <8 x float> %t102)
  %t110 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a10, <8 x float> %b01, <8 x float> %s11)
  %t111 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a11, <8 x float> %b11, <8 x float> %t110)
  %t112 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a12, <8 x float> %b21, <8 x float> %t111)
  %t113 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a13, <8 x float> %b31, <8 x float> %t112)
  %t200 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a20, <8 x float> %b00, <8 x float> %s20)
  %t201 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a21, <8 x float> %b10, <8 x float> %t200)
  %t202 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a22, <8 x float> %b20, <8 x float> %t201)
  %t203 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a23, <8 x float> %b30, <8 x float> %t202)
  %t210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a20, <8 x float> %b01, <8 x float> %s21)
  %t211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a21, <8 x float> %b11, <8 x float> %t210)
  %t212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a22, <8 x float> %b21, <8 x float> %t211)
  %t213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a23, <8 x float> %b31, <8 x float> %t212)
  %t300 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a30, <8 x float> %b00, <8 x float> %s30)
  %t301 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a31, <8 x float> %b10, <8 x float> %t300)
  %t302 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a32, <8 x float> %b20, <8 x float> %t301)
  %t303 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a33, <8 x float> %b30, <8 x float> %t302)
  %t310 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a30, <8 x float> %b01, <8 x float> %s31)
  %t311 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a31, <8 x float> %b11, <8 x float> %t310)
  %t312 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a32, <8 x float> %b21, <8 x float> %t311)
  %t313 = call <8 x float> @llvm.fma.v8f32(<8 x float> %a33, <8 x float> %b31, <8 x float> %t312)
  %next = add i64 %i, 4
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %pc00 = getelementptr float, ptr %c, i64 0
  store <8 x float> %t003, ptr %pc00
  %pc01 = getelementptr float, ptr %c, i64 8
  store <8 x float> %t013, ptr %pc01
  %pc10 = getelementptr float, ptr %c, i64 16
  store <8 x float> %t103, ptr %pc10
  %pc11 = getelementptr float, ptr %c, i64 24
  store <8 x float> %t113, ptr %pc11
  %pc20 = getelementptr float, ptr %c, i64 32
  store <8 x float> %t203, ptr %pc20
  %pc21 = getelementptr float, ptr %c, i64 40
  store <8 x float> %t213, ptr %pc21
  %pc30 = getelementptr float, ptr %c, i64 48
  store <8 x float> %t303, ptr %pc30
  %pc31 = getelementptr float, ptr %c, i64 56
  store <8 x float> %t313, ptr %pc31
  ret void
}

declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
