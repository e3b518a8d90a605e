; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=simplify-powers,verify %s -S | FileCheck %s
; Powers with small exponents are products; others are as they were.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @square(
; CHECK-NEXT: %[[SQUARE:.*]] = fmul nnan double %x, %x
; CHECK-NEXT: ret double %[[SQUARE]]
define double @square(double %x) {
  %p = call nnan contract double @_Z3powdd(double %x, double 2.0)
  ret double %p
}

; CHECK-LABEL: @fourth(
; CHECK-NEXT: %[[SQUARE:.*]] = fmul <4 x float> %x, %x
; CHECK-NEXT: fmul <4 x float> %[[SQUARE]], %[[SQUARE]]
define <4 x float> @fourth(<4 x float> %x) {
  %p = call <4 x float> @_Z4pownDv4_fDv4_i(<4 x float> %x, <4 x i32> <i32 4, i32 4, i32 4, i32 4>)
  ret <4 x float> %p
}

; CHECK-LABEL: @third(
; CHECK-NEXT: %[[SQUARE:.*]] = fmul float %x, %x
; CHECK-NEXT: fmul float %[[SQUARE]], %x
define float @third(float %x) {
  %p = call float @_Z16weft_relaxed_powff(float %x, float 3.0)
  ret float %p
}

; CHECK-LABEL: @inverse(
; CHECK-NEXT: fdiv double 1.000000e+00, %x
define double @inverse(double %x) {
  %p = call double @_Z3powdd(double %x, double -1.0)
  ret double %p
}

; CHECK-LABEL: @none(
; CHECK-NEXT: ret double 1.000000e+00
define double @none(double %x) {
  %p = call double @_Z3powdd(double %x, double 0.0)
  ret double %p
}

; Neither other exponents, nor several, nor a function of the program's.
; CHECK-LABEL: @others(
; CHECK-COUNT-4: call
; CHECK-NOT: fmul
; CHECK: ret
define double @others(double %x, double %y) {
  %a = call double @_Z3powdd(double %x, double 2.5)
  %b = call double @_Z3powdd(double %a, double 5.0)
  %c = call double @_Z3powdd(double %b, double %y)
  %d = call double @_Z4powrdd(double %c, double 2.0)
  ret double %d
}
; CHECK-LABEL: @own(
; CHECK-NEXT: call
; CHECK-NEXT: call
define <2 x double> @own(<2 x double> %x) {
  %a = call <2 x double> @_Z3powDv2_dS_(<2 x double> %x, <2 x double> <double 2.0, double 3.0>)
  %b = call <2 x double> @_Z3powDv2_dS_e(<2 x double> %a, <2 x double> <double 2.0, double 2.0>)
  ret <2 x double> %b
}

declare double @_Z3powdd(double, double) "weft-library"
declare double @_Z4powrdd(double, double) "weft-library"
declare float @_Z16weft_relaxed_powff(float, float) "weft-library"
declare <4 x float> @_Z4pownDv4_fDv4_i(<4 x float>, <4 x i32>) "weft-library"
declare <2 x double> @_Z3powDv2_dS_(<2 x double>, <2 x double>) "weft-library"
declare <2 x double> @_Z3powDv2_dS_e(<2 x double>, <2 x double>)
