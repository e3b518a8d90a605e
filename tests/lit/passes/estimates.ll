; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --passes=mark-estimates,declare-estimates,expand-estimates,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v3 --passes=mark-estimates,declare-estimates,expand-estimates,verify %s -S | FileCheck %s --check-prefix=NONE

; NONE-NOT: @llvm.x86

; One register, whatever is in the others of its lanes. An infinite estimate stays as it is.
; CHECK-LABEL: define float @scalar(
; CHECK: [[V:%.*]] = insertelement <4 x float> poison, float %x, i64 0
; CHECK: [[E:%.*]] = call <4 x float> @llvm.x86.avx512.rcp14.ps.128(<4 x float> [[V]], <4 x float> zeroinitializer, i8 -1)
; CHECK: [[Y:%.*]] = extractelement <4 x float> [[E]], i64 0
; CHECK: [[N:%.*]] = fneg float %x
; CHECK: [[D:%.*]] = call float @llvm.fma.f32(float [[N]], float [[Y]], float 1.0
; CHECK: [[R:%.*]] = call float @llvm.fma.f32(float [[Y]], float [[D]], float [[Y]])
; CHECK: [[S:%.*]] = select i1 {{.*}}, float [[R]], float [[Y]]
; CHECK: ret float [[S]]
define float @scalar(float %x) {
  %y = call float @_Z19weft_estimate_recipf(float %x)
  ret float %y
}

; Elements of a vector together, and a step of Newton's that leaves infinite ones as they are.
; CHECK-LABEL: define <3 x float> @elements(
; CHECK: call <4 x float> @llvm.x86.avx512.rsqrt14.ps.128
; CHECK-NOT: @llvm.x86
; CHECK: call <3 x float> @llvm.fma
; CHECK: fcmp olt <3 x float>
; CHECK: select <3 x i1>
; CHECK: call <3 x float> @llvm.fma
; CHECK-NOT: @llvm.x86
; CHECK: ret <3 x float>
define <3 x float> @elements(<3 x float> %x) {
  %x0 = extractelement <3 x float> %x, i64 0
  %x1 = extractelement <3 x float> %x, i64 1
  %x2 = extractelement <3 x float> %x, i64 2
  %y0 = call float @_Z19weft_estimate_rsqrtf.fn(float %x0)
  %y1 = call float @_Z19weft_estimate_rsqrtf.fn(float %x1)
  %y2 = call float @_Z19weft_estimate_rsqrtf.fn(float %x2)
  %v0 = insertelement <3 x float> poison, float %y0, i64 0
  %v1 = insertelement <3 x float> %v0, float %y1, i64 1
  %v2 = insertelement <3 x float> %v1, float %y2, i64 2
  ret <3 x float> %v2
}

; A product with an estimate; and no estimate that nobody knows.
; CHECK-LABEL: define float @others(
; CHECK: call <4 x float> @llvm.x86.avx512.rcp14.ps.128
; CHECK: fmul float
; CHECK: call float @_Z18weft_estimate_tanhf
define float @others(float %x, float %y) {
  %q = call float @_Z20weft_estimate_divideff(float %x, float %y)
  %r = call float @_Z18weft_estimate_tanhf(float %q)
  ret float %r
}

; What the host does exactly: by parts of its largest register, with the current rounding.
; CHECK-LABEL: define float @exact(
; CHECK: call <4 x float> @llvm.x86.avx512.mask.getexp.ps.128(<4 x float> {{.*}}, i8 -1)
; CHECK: call <4 x float> @llvm.x86.avx512.mask.getmant.ps.128(<4 x float> {{.*}}, i32 4, <4 x float> zeroinitializer, i8 -1)
; CHECK: call <4 x float> @llvm.x86.avx512.mask.scalef.ps.128(
; CHECK: call <4 x float> @llvm.x86.avx512.mask.fixupimm.ps.128(<4 x float> {{.*}}, <4 x i32> <i32 55772194, {{.*}}>, i32 0, i8 -1)
define float @exact(float %x) {
  %e = call float @_Z22weft_estimate_exponentf(float %x)
  %m = call float @_Z25weft_estimate_significandf(float %x)
  %s = call float @_Z19weft_estimate_scaleff(float %m, float %e)
  %r = call float @_Z23weft_estimate_logresultff(float %x, float %s)
  ret float %r
}

; The argument that it returns where it is not replaced is not its result.
; CHECK-LABEL: define double @scaled(
; CHECK: [[V:%.*]] = call <2 x double> @llvm.x86.avx512.mask.scalef.pd.128(
; CHECK: [[S:%.*]] = extractelement <2 x double> [[V]], i64 0
; CHECK: ret double [[S]]
define double @scaled(double %x, double %n) {
  %s = call double @_Z19weft_estimate_scaledd(double %x, double %n)
  ret double %s
}

; Whether the host has them is known from here on.
; CHECK-LABEL: define internal i32 @_Z20weft_estimate_onhostv()
; CHECK-NEXT: entry:
; CHECK-NEXT: ret i32 1
; NONE-LABEL: define internal i32 @_Z20weft_estimate_onhostv()
; NONE-NEXT: ret i32 0
define i32 @question() {
  %yes = call i32 @_Z20weft_estimate_onhostv()
  ret i32 %yes
}
define internal i32 @_Z20weft_estimate_onhostv() #0 {
  ret i32 0
}
define internal float @_Z22weft_estimate_exponentf(float %x) #0 {
  ret float 0.0
}
define internal float @_Z25weft_estimate_significandf(float %x) #0 {
  ret float 0.0
}
define internal float @_Z19weft_estimate_scaleff(float returned %x, float %n) #0 {
  ret float %x
}
define internal double @_Z19weft_estimate_scaledd(double returned %x, double %n) #0 {
  ret double %x
}
define internal float @_Z23weft_estimate_logresultff(float %x, float %value) #0 {
  ret float 0.0
}

; CHECK-NOT: define internal float @_Z19weft_estimate_recipf
define internal float @_Z19weft_estimate_recipf(float %x) #0 {
  ret float 0.0
}
define internal float @_Z19weft_estimate_rsqrtf.fn(float %x) #0 {
  ret float 0.0
}
define internal float @_Z20weft_estimate_divideff(float %x, float %y) #0 {
  ret float 0.0
}
define internal float @_Z18weft_estimate_tanhf(float %x) #0 {
  ret float 0.0
}

attributes #0 = { noinline "weft-library" }
