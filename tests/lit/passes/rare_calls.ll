; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=widen-rare-calls,verify %s -S | FileCheck %s --check-prefix=WIDEN
; RUN: weft-opt --passes=widen-rare-calls,settle-rare-calls,verify %s -S | FileCheck %s --check-prefix=NONE
; RUN: weft-opt "--passes=widen-rare-calls,default<O2>,settle-rare-calls,verify" %s -S | FileCheck %s --check-prefix=LOOP

; Calls of a rare function learn about its masked forms.
; WIDEN: call float @_Z13weft_rare_sinf(float %x) #[[CALL:[0-9]+]]
; WIDEN: declare <8 x float> @_Z13weft_rare_sinf.x8(<8 x float>, <8 x i1>)
; WIDEN: attributes #[[CALL]] = {{.*}}_ZGV_LLVM_M8v__Z13weft_rare_sinf(_Z13weft_rare_sinf.x8)

; Without a vectoriser in between nothing is left of them.
; NONE-NOT: weft_rare_sinf.x
; NONE-NOT: llvm.compiler.used

; The loop is vectorised; only the out-of-line half remains.
; LOOP-LABEL: define void @loop
; LOOP: fcmp {{.*}}<[[LANES:[0-9]+]] x float>
; LOOP: %[[ANY:.*]] = call i1 @llvm.vector.reduce.or.v[[LANES]]i1(
; LOOP: br i1 %[[ANY]]
; LOOP: call {{.*}}<[[LANES]] x float> @_Z13weft_rare_sinf.x[[LANES]].lanes(
; LOOP-NOT: @_Z13weft_rare_sinf.x[[LANES]](
define void @loop(ptr noalias %in, ptr noalias %out, i64 %n) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %from = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %from
  %usual = fmul float %x, %x
  %huge = fcmp ogt float %x, 1.0e10
  br i1 %huge, label %rare, label %join
rare:
  %unusual = call float @_Z13weft_rare_sinf(float %x)
  br label %join
join:
  %y = phi float [ %usual, %body ], [ %unusual, %rare ]
  %to = getelementptr float, ptr %out, i64 %i
  store float %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}

; NONE: define internal float @_Z13weft_rare_sinf
define internal float @_Z13weft_rare_sinf(float %x) #0 {
  %y = fdiv float 1.0, %x
  ret float %y
}
attributes #0 = { noinline cold nounwind willreturn memory(none) "weft-library" }
