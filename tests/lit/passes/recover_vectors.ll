; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='function(early-cse),recover-vectors,verify' %s -S | FileCheck %s
; Vectors that are computed component by component are computed as vectors.

target triple = "x86_64-unknown-linux-gnu"

; One number for all components; what one operation promises is no promise of all.
; CHECK-LABEL: @scaled(
; CHECK-NOT: extractelement <2 x float> %a
; CHECK: %[[S:.*]] = insertelement <2 x float> poison, float %s, i64 0
; CHECK-NEXT: %[[SPLAT:.*]] = shufflevector <2 x float> %[[S]], <2 x float> poison, <2 x i32> zeroinitializer
; CHECK-NEXT: %[[SUM:.*]] = call <2 x float> @llvm.fmuladd.v2f32(<2 x float> %a, <2 x float> %[[SPLAT]], <2 x float> %c)
; CHECK-NEXT: ret <2 x float> %[[SUM]]
define <2 x float> @scaled(<2 x float> %a, <2 x float> %c, float %s) {
  %ax = extractelement <2 x float> %a, i64 0
  %cx = extractelement <2 x float> %c, i64 0
  %x = call nnan ninf float @llvm.fmuladd.f32(float %ax, float %s, float %cx)
  %c1 = insertelement <2 x float> %c, float %x, i64 0
  %ay = extractelement <2 x float> %a, i64 1
  %cy = extractelement <2 x float> %c1, i64 1
  %y = call nnan float @llvm.fmuladd.f32(float %ay, float %s, float %cy)
  %c2 = insertelement <2 x float> %c1, float %y, i64 1
  ret <2 x float> %c2
}

; In steps; where a component is wanted by itself too, later; a promise of one operation is none of
; all.
; CHECK-LABEL: @steps(
; CHECK-NEXT: %[[ONE:.*]] = add <2 x i32> %a, <i32 1, i32 2>
; CHECK-NEXT: %[[TWO:.*]] = mul <2 x i32> %[[ONE]], %[[ONE]]
; CHECK-NEXT: %[[X:.*]] = extractelement <2 x i32> %[[ONE]], i64 0
; CHECK-NEXT: call void @use(i32 %[[X]])
; CHECK-NEXT: ret <2 x i32> %[[TWO]]
define <2 x i32> @steps(<2 x i32> %a) {
  %ax = extractelement <2 x i32> %a, i64 0
  %ay = extractelement <2 x i32> %a, i64 1
  %x = add nsw i32 %ax, 1
  %y = add i32 %ay, 2
  %c1 = insertelement <2 x i32> poison, i32 %x, i64 0
  %c2 = insertelement <2 x i32> %c1, i32 %y, i64 1
  %c2x = extractelement <2 x i32> %c2, i64 0
  %c2y = extractelement <2 x i32> %c2, i64 1
  %sx = mul i32 %c2x, %c2x
  %sy = mul i32 %c2y, %c2y
  %d1 = insertelement <2 x i32> %c2, i32 %sx, i64 0
  %d2 = insertelement <2 x i32> %d1, i32 %sy, i64 1
  call void @use(i32 %x)
  ret <2 x i32> %d2
}

; A component that nobody has given may be anything.
; CHECK-LABEL: @unknown(
; CHECK-NEXT: %[[SUM:.*]] = fadd <4 x float> %a, %b
; CHECK-NEXT: ret <4 x float> %[[SUM]]
define <4 x float> @unknown(<4 x float> %a, <4 x float> %b) {
  %a0 = extractelement <4 x float> %a, i64 0
  %b0 = extractelement <4 x float> %b, i64 0
  %s0 = fadd float %a0, %b0
  %r0 = insertelement <4 x float> poison, float %s0, i64 0
  %a1 = extractelement <4 x float> %a, i64 1
  %b1 = extractelement <4 x float> %b, i64 1
  %s1 = fadd float %a1, %b1
  %r1 = insertelement <4 x float> %r0, float %s1, i64 1
  %a2 = extractelement <4 x float> %a, i64 2
  %b2 = extractelement <4 x float> %b, i64 2
  %s2 = fadd float %a2, %b2
  %r2 = insertelement <4 x float> %r1, float %s2, i64 2
  ret <4 x float> %r2
}

; Neither another order, nor one component alone, nor other operations, nor division of integers,
; which traps, nor numbers of which somebody wants one before.
; CHECK-LABEL: @swapped(
; CHECK-NOT: fadd <2 x float>
define <2 x float> @swapped(<2 x float> %a, <2 x float> %b) {
  %ax = extractelement <2 x float> %a, i64 0
  %ay = extractelement <2 x float> %a, i64 1
  %bx = extractelement <2 x float> %b, i64 0
  %by = extractelement <2 x float> %b, i64 1
  %x = fadd float %ax, %by
  %y = fadd float %ay, %bx
  %c1 = insertelement <2 x float> poison, float %x, i64 0
  %c2 = insertelement <2 x float> %c1, float %y, i64 1
  ret <2 x float> %c2
}

; CHECK-LABEL: @alone(
; CHECK-NOT: fadd <2 x float>
define <2 x float> @alone(<2 x float> %a, <2 x float> %b) {
  %ax = extractelement <2 x float> %a, i64 0
  %bx = extractelement <2 x float> %b, i64 0
  %x = fadd float %ax, %bx
  %c1 = insertelement <2 x float> %a, float %x, i64 0
  ret <2 x float> %c1
}

; CHECK-LABEL: @others(
; CHECK-NOT: <2 x float> %a, %b
define <2 x float> @others(<2 x float> %a, <2 x float> %b) {
  %ax = extractelement <2 x float> %a, i64 0
  %ay = extractelement <2 x float> %a, i64 1
  %bx = extractelement <2 x float> %b, i64 0
  %by = extractelement <2 x float> %b, i64 1
  %x = fadd float %ax, %bx
  %y = fsub float %ay, %by
  %c1 = insertelement <2 x float> poison, float %x, i64 0
  %c2 = insertelement <2 x float> %c1, float %y, i64 1
  ret <2 x float> %c2
}

; CHECK-LABEL: @quotients(
; CHECK-NOT: udiv <2 x i32>
define <2 x i32> @quotients(<2 x i32> %a, i32 %d) {
  %ax = extractelement <2 x i32> %a, i64 0
  %ay = extractelement <2 x i32> %a, i64 1
  %x = udiv i32 %ax, %d
  %y = udiv i32 %ay, %d
  %c1 = insertelement <2 x i32> poison, i32 %x, i64 0
  %c2 = insertelement <2 x i32> %c1, i32 %y, i64 1
  ret <2 x i32> %c2
}

; CHECK-LABEL: @wanted(
; CHECK-NOT: add <2 x i32>
define <2 x i32> @wanted(<2 x i32> %a) {
  %ax = extractelement <2 x i32> %a, i64 0
  %x = add i32 %ax, 1
  call void @use(i32 %x)
  %ay = extractelement <2 x i32> %a, i64 1
  %y = add i32 %ay, 1
  %c1 = insertelement <2 x i32> poison, i32 %x, i64 0
  %c2 = insertelement <2 x i32> %c1, i32 %y, i64 1
  ret <2 x i32> %c2
}

; Nor what is computed elsewhere, before a loop say.
; CHECK-LABEL: @before(
; CHECK-NOT: add <2 x i32>
define <2 x i32> @before(<2 x i32> %a, i1 %any) {
  %ax = extractelement <2 x i32> %a, i64 0
  %ay = extractelement <2 x i32> %a, i64 1
  %x = add i32 %ax, 1
  %y = add i32 %ay, 1
  br label %loop

loop:
  %c1 = insertelement <2 x i32> poison, i32 %x, i64 0
  %c2 = insertelement <2 x i32> %c1, i32 %y, i64 1
  call void @useVector(<2 x i32> %c2)
  br i1 %any, label %loop, label %end

end:
  ret <2 x i32> %a
}

declare float @llvm.fmuladd.f32(float, float, float)
declare void @use(i32)
declare void @useVector(<2 x i32>)

; Numbers that a loop adds up and that are put together behind it are a vector in it.
; CHECK-LABEL: @summed(
; CHECK: loop:
; CHECK-NEXT: %[[SUM:.*]] = phi <2 x float> [ zeroinitializer, %entry ], [ %[[NEXT:.*]], %body ]
; CHECK-NOT: phi float
; CHECK: body:
; CHECK-NOT: extractelement <2 x float> %v
; CHECK: %[[NEXT]] = call <2 x float> @llvm.fmuladd.v2f32(<2 x float> %v, <2 x float> %{{.*}}, <2 x float> %[[SUM]])
; CHECK: end:
; CHECK-NEXT: ret <2 x float> %[[SUM]]
define <2 x float> @summed(ptr %p, float %s, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi float [ 0.0, %entry ], [ %x.next, %body ]
  %y = phi float [ 0.0, %entry ], [ %y.next, %body ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %q = getelementptr <2 x float>, ptr %p, i32 %i
  %v = load <2 x float>, ptr %q
  %vx = extractelement <2 x float> %v, i64 0
  %vy = extractelement <2 x float> %v, i64 1
  %x.next = call float @llvm.fmuladd.f32(float %vx, float %s, float %x)
  %y.next = call float @llvm.fmuladd.f32(float %vy, float %s, float %y)
  %i.next = add i32 %i, 1
  br label %loop
end:
  %r1 = insertelement <2 x float> poison, float %x, i64 0
  %r2 = insertelement <2 x float> %r1, float %y, i64 1
  ret <2 x float> %r2
}

; Through the loops in it as well, and where one of the numbers is wanted by itself.
; CHECK-LABEL: @nested(
; CHECK: outer:
; CHECK-NEXT: %[[OUTER:.*]] = phi <2 x i32> [ %{{.*}}, %entry ], [ %[[INNER:.*]], %outer.end ]
; CHECK: inner:
; CHECK-NEXT: %[[INNER]] = phi <2 x i32> [ %[[OUTER]], %outer ], [ %[[NEXT:.*]], %body ]
; CHECK-NOT: phi i32 [ %x
; CHECK: body:
; CHECK: %[[NEXT]] = add <2 x i32> %[[INNER]], %v
; CHECK: outer.end:
; CHECK: call void @use(i32
define <2 x i32> @nested(ptr %p, i32 %first, i32 %n) {
entry:
  br label %outer
outer:
  %x = phi i32 [ %first, %entry ], [ %x.in, %outer.end ]
  %y = phi i32 [ 7, %entry ], [ %y.in, %outer.end ]
  %j = phi i32 [ 0, %entry ], [ %j.next, %outer.end ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %inner, label %end
inner:
  %x.in = phi i32 [ %x, %outer ], [ %x.next, %body ]
  %y.in = phi i32 [ %y, %outer ], [ %y.next, %body ]
  %i = phi i32 [ 0, %outer ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %outer.end
body:
  %q = getelementptr <2 x i32>, ptr %p, i32 %i
  %v = load <2 x i32>, ptr %q
  %vx = extractelement <2 x i32> %v, i64 0
  %vy = extractelement <2 x i32> %v, i64 1
  %x.next = add i32 %x.in, %vx
  %y.next = add i32 %y.in, %vy
  %i.next = add i32 %i, 1
  br label %inner
outer.end:
  call void @use(i32 %x.in)
  %j.next = add i32 %j, 1
  br label %outer
end:
  %r1 = insertelement <2 x i32> poison, i32 %x, i64 0
  %r2 = insertelement <2 x i32> %r1, i32 %y, i64 1
  ret <2 x i32> %r2
}

; What an iteration computes in different ways stays numbers.
; CHECK-LABEL: @apart(
; CHECK: loop:
; CHECK-NEXT: %x = phi float [ 0.000000e+00, %entry ], [ %x.next, %body ]
; CHECK-NEXT: %y = phi float [ 0.000000e+00, %entry ], [ %y.next, %body ]
; CHECK-NOT: phi <2 x float>
; CHECK: end:
; CHECK-NEXT: insertelement <2 x float> poison, float %x, i64 0
define <2 x float> @apart(ptr %p, float %s, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi float [ 0.0, %entry ], [ %x.next, %body ]
  %y = phi float [ 0.0, %entry ], [ %y.next, %body ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %q = getelementptr <2 x float>, ptr %p, i32 %i
  %v = load <2 x float>, ptr %q
  %vx = extractelement <2 x float> %v, i64 0
  %vy = extractelement <2 x float> %v, i64 1
  %x.next = fadd float %vx, %x
  %y.next = fmul float %vy, %y
  %i.next = add i32 %i, 1
  br label %loop
end:
  %r1 = insertelement <2 x float> poison, float %x, i64 0
  %r2 = insertelement <2 x float> %r1, float %y, i64 1
  ret <2 x float> %r2
}
