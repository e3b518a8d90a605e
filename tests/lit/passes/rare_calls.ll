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
; LOOP: %[[RARE:.*]] = call {{.*}}<[[LANES]] x float> @_Z13weft_rare_sinf.x[[LANES]].lanes(
; LOOP: select <[[LANES]] x i1> %[[MASK:.*]], <[[LANES]] x float> %[[RARE]]
; What the mask chooses is chosen there: nothing is left to do where no lane is rare.
; LOOP: %[[ALL:.*]] = phi <[[LANES]] x float>
; LOOP: store <[[LANES]] x float> %[[ALL]]
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
  %quotient = fdiv float 1.0, %x
  %small = call i1 @llvm.is.fpclass.f32(float %quotient, i32 144)
  %y = select i1 %small, float 0.0, float %quotient
  ret float %y
}
declare i1 @llvm.is.fpclass.f32(float, i32)
attributes #0 = { noinline cold nounwind willreturn memory(none) "weft-library" }

; A line of arithmetic is one for vectors.
; LOOP-LABEL: define void @branching
; LOOP: define internal <[[N:[0-9]+]] x float> @_Z13weft_rare_sinf.x{{[0-9]+}}.lanes(<[[N]] x float> %0, <[[N]] x i1> %1)
; LOOP-NEXT: entry:
; LOOP-NEXT: %[[QUOTIENT:.*]] = fdiv <[[N]] x float>
; LOOP-NEXT: %{{[0-9]+}} = call <[[N]] x i1> @llvm.is.fpclass.v[[N]]f32(<[[N]] x float> %{{[0-9]+}}, i32 144)
; LOOP: ret <[[N]] x float>

; Loops are run for one lane after the other.
; LOOP: define internal <[[N]] x float> @_Z13weft_rare_cosf.x{{[0-9]+}}.lanes(
; LOOP: call float @_Z13weft_rare_cosf(float
define void @branching(ptr noalias %in, ptr noalias %out, i64 %n) {
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
  %unusual = call float @_Z13weft_rare_cosf(float %x)
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
define internal float @_Z13weft_rare_cosf(float %x) #0 {
entry:
  br label %halve
halve:
  %large = phi float [ %x, %entry ], [ %half, %halve ]
  %half = fmul float %large, 0.5
  %again = fcmp ogt float %half, 1.0
  br i1 %again, label %halve, label %end
end:
  ret float %half
}
