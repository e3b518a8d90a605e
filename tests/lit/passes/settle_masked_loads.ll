; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=settle-masked-loads,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v2 --passes=settle-masked-loads,verify %s -S | FileCheck %s --check-prefix=NONE

declare <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1), i32, <16 x i1>, <16 x i32>)
declare <6 x double> @llvm.masked.load.v6f64.p0(ptr, i32, <6 x i1>, <6 x double>)
declare <4 x ptr> @llvm.masked.load.v4p0.p0(ptr, i32, <4 x i1>, <4 x ptr>)
declare <16 x i16> @llvm.masked.load.v16i16.p0(ptr, i32, <16 x i1>, <16 x i16>)

; A register each, under its part of the mask.
; CHECK-LABEL: @whole(
; CHECK: %[[LOW:.*]] = shufflevector <16 x i1> %m, <16 x i1> poison, <8 x i32> <i32 0, i32 1,
; CHECK: %[[BITS:.*]] = sext <8 x i1> %[[LOW]] to <8 x i32>
; CHECK: call <8 x float> @llvm.x86.avx.maskload.ps.256(ptr %{{.*}}, <8 x i32> %[[BITS]])
; CHECK: getelementptr i8, ptr addrspace(1) %p, i64 32
; CHECK: call <8 x float> @llvm.x86.avx.maskload.ps.256(
; CHECK-NOT: select
; NONE: call <16 x i32> @llvm.masked.load.v16i32.p1
define <16 x i32> @whole(ptr addrspace(1) %p, <16 x i1> %m) {
  %l = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) %p, i32 4, <16 x i1> %m, <16 x i32> zeroinitializer)
  ret <16 x i32> %l
}

; What no lane reads is not read; half a register is one too; other lanes keep what they have.
; CHECK-LABEL: @parts(
; CHECK: call <2 x double> @llvm.x86.avx.maskload.pd(
; CHECK-NOT: maskload
; CHECK: select <6 x i1> <i1 false, {{.*}} <6 x double> %o
define <6 x double> @parts(ptr %p, <6 x double> %o) {
  %l = call <6 x double> @llvm.masked.load.v6f64.p0(ptr %p, i32 8, <6 x i1> <i1 0, i1 0, i1 0, i1 0, i1 1, i1 0>, <6 x double> %o)
  ret <6 x double> %l
}

; CHECK-LABEL: @pointers(
; CHECK: call <4 x double> @llvm.x86.avx.maskload.pd.256(
; CHECK: inttoptr <4 x i64>
define <4 x ptr> @pointers(ptr %p, <4 x i1> %m) {
  %l = call <4 x ptr> @llvm.masked.load.v4p0.p0(ptr %p, i32 8, <4 x i1> %m, <4 x ptr> zeroinitializer)
  ret <4 x ptr> %l
}

; CHECK-LABEL: @small(
; CHECK: @llvm.masked.load.v16i16.p0
define <16 x i16> @small(ptr %p, <16 x i1> %m) {
  %l = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr %p, i32 2, <16 x i1> %m, <16 x i16> zeroinitializer)
  ret <16 x i16> %l
}

; Signs of numbers of the same size are a mask already.
; CHECK-LABEL: @signs(
; CHECK: %[[LOW:.*]] = shufflevector <16 x i32> %n, <16 x i32> poison, <8 x i32> <i32 0, i32 1,
; CHECK: call <8 x float> @llvm.x86.avx.maskload.ps.256(ptr %{{.*}}, <8 x i32> %[[LOW]])
define <16 x i32> @signs(ptr addrspace(1) %p, <16 x i32> %n) {
  %m = icmp slt <16 x i32> %n, zeroinitializer
  %l = call <16 x i32> @llvm.masked.load.v16i32.p1(ptr addrspace(1) %p, i32 4, <16 x i1> %m, <16 x i32> zeroinitializer)
  ret <16 x i32> %l
}
