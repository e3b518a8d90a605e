; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=widen-masks,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v2 --passes=widen-masks,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64 --passes=widen-masks,verify %s -S | FileCheck %s --check-prefix=NONE
; RUN: weft-opt --cpu=x86-64-v4 --passes=widen-masks,verify %s -S | FileCheck %s --check-prefix=NONE
; NONE-NOT: sext

declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)

; Lanes that are left go round the loop as numbers of the size of what they are chosen by.
; CHECK-LABEL: @loop(
; CHECK: %[[FIRST:.*]] = sext <8 x i1> %start to <8 x i32>
; CHECK: loop:
; CHECK: %[[LEFT:.*]] = phi <8 x i32> [ %[[FIRST]], %entry ], [ %[[STILL:.*]], %loop ]
; CHECK: %[[SIGN:.*]] = icmp slt <8 x i32> %[[LEFT]], zeroinitializer
; CHECK: select <8 x i1> %[[SIGN]], <8 x i32> %next, <8 x i32> %x
; CHECK: %[[ON:.*]] = sext <8 x i1> %goes to <8 x i32>
; CHECK: %[[FROZEN:.*]] = freeze <8 x i32> %[[ON]]
; CHECK: %[[STILL]] = and <8 x i32> %[[LEFT]], %[[FROZEN]]
; CHECK: %[[ANY:.*]] = call i32 @llvm.vector.reduce.or.v8i32(<8 x i32> %[[STILL]])
; CHECK: icmp eq i32 %[[ANY]], 0
; NONE-LABEL: @loop(
; NONE: phi <8 x i1>
define <8 x i32> @loop(<8 x i32> %in, <8 x i1> %start) {
entry:
  br label %loop
loop:
  %x = phi <8 x i32> [ %in, %entry ], [ %new, %loop ]
  %left = phi <8 x i1> [ %start, %entry ], [ %still, %loop ]
  %next = lshr <8 x i32> %x, splat (i32 1)
  %new = select <8 x i1> %left, <8 x i32> %next, <8 x i32> %x
  %goes = icmp ne <8 x i32> %next, zeroinitializer
  %still = select <8 x i1> %left, <8 x i1> %goes, <8 x i1> zeroinitializer
  %bits = bitcast <8 x i1> %still to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %end, label %loop
end:
  ret <8 x i32> %new
}

; Whether all lanes are left is whether none is not. What else uses the bits has them.
; CHECK-LABEL: @all(
; CHECK: %[[SIGN:.*]] = icmp slt <8 x i32> %{{.*}}, zeroinitializer
; CHECK: %[[BITS:.*]] = bitcast <8 x i1> %[[SIGN]] to i8
; CHECK: %[[NOT:.*]] = xor <8 x i32> %{{.*}}, <i32 -1, i32 -1,
; CHECK: %[[ANY:.*]] = call i32 @llvm.vector.reduce.or.v8i32(<8 x i32> %[[NOT]])
; CHECK: icmp ne i32 %[[ANY]], 0
; CHECK: ret i8 %[[BITS]]
define i8 @all(<8 x i32> %a, <8 x i32> %b, i1 %which) {
  %less = icmp slt <8 x i32> %a, %b
  %more = icmp sgt <8 x i32> %a, splat (i32 9)
  %both = and <8 x i1> %less, %more
  br i1 %which, label %one, label %two
one:
  ret i8 0
two:
  %bits = bitcast <8 x i1> %both to i8
  %some = icmp ne i8 %bits, -1
  br i1 %some, label %one, label %three
three:
  ret i8 %bits
}

; A condition of all lanes is compared in all of them where it is of floats, and becomes a number
; else. Zeros for idle lanes are bits of the mask.
; CHECK-LABEL: @shared(
; CHECK: %[[LESS:.*]] = sext <8 x i1> %less to <8 x i32>
; CHECK: %[[NAN:.*]] = fcmp uno <8 x float> %{{.*}}, zeroinitializer
; CHECK: %[[WIDE:.*]] = sext <8 x i1> %[[NAN]] to <8 x i32>
; CHECK: %[[BOTH:.*]] = or <8 x i32> %[[LESS]], %[[WIDE]]
; CHECK: %[[NUMBER:.*]] = sext i1 %few to i32
; CHECK: %[[FIRST:.*]] = insertelement <8 x i32> poison, i32 %[[NUMBER]], i64 0
; CHECK: %[[ALL:.*]] = shufflevector <8 x i32> %[[FIRST]], <8 x i32> poison, <8 x i32> zeroinitializer
; CHECK: %[[MASK:.*]] = xor <8 x i32> %[[BOTH]], %[[ALL]]
; CHECK: %[[FROZEN:.*]] = freeze <8 x float> %x
; CHECK: %[[X:.*]] = bitcast <8 x float> %[[FROZEN]] to <8 x i32>
; CHECK: and <8 x i32> %[[MASK]], %[[X]]
; CHECK-NOT: select
define <8 x float> @shared(<8 x float> %x, float %y, i64 %n) {
  %ys = insertelement <8 x float> poison, float %y, i64 0
  %all = shufflevector <8 x float> %ys, <8 x float> poison, <8 x i32> zeroinitializer
  %less = fcmp olt <8 x float> %x, %all
  %nan = fcmp uno float %y, 0.0
  %nan.first = insertelement <8 x i1> poison, i1 %nan, i64 0
  %nan.all = shufflevector <8 x i1> %nan.first, <8 x i1> poison, <8 x i32> zeroinitializer
  %both = or <8 x i1> %less, %nan.all
  %few = icmp ult i64 %n, 9
  %few.first = insertelement <8 x i1> poison, i1 %few, i64 0
  %few.all = shufflevector <8 x i1> %few.first, <8 x i1> poison, <8 x i32> zeroinitializer
  %mask = xor <8 x i1> %both, %few.all
  %r = select <8 x i1> %mask, <8 x float> %x, <8 x float> zeroinitializer
  ret <8 x float> %r
}

; The size is that for which the least has to be packed; the others get it from there.
; CHECK-LABEL: @sizes(
; CHECK: loop:
; CHECK: phi <8 x i64>
; CHECK: end:
; CHECK: %[[CUT:.*]] = trunc <8 x i64> %{{.*}} to <8 x i32>
; CHECK: %[[SIGN:.*]] = icmp slt <8 x i32> %[[CUT]], zeroinitializer
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %y, ptr %p, i32 4, <8 x i1> %[[SIGN]])
define void @sizes(<8 x i64> %in, <8 x i32> %y, ptr %p) {
entry:
  br label %loop
loop:
  %x = phi <8 x i64> [ %in, %entry ], [ %new, %loop ]
  %left = phi <8 x i1> [ splat (i1 true), %entry ], [ %still, %loop ]
  %next = lshr <8 x i64> %x, splat (i64 1)
  %new = select <8 x i1> %left, <8 x i64> %next, <8 x i64> %x
  %goes = icmp ne <8 x i64> %next, zeroinitializer
  %still = and <8 x i1> %left, %goes
  %bits = bitcast <8 x i1> %still to i8
  %none = icmp eq i8 %bits, 0
  br i1 %none, label %end, label %loop
end:
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %y, ptr %p, i32 4, <8 x i1> %left)
  ret void
}

; Vectors selected by one condition are branches, which most conditions of loops deserve.
; CHECK-LABEL: @one(
; CHECK: select i1 %c, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
define <8 x i32> @one(<8 x i32> %a, <8 x i32> %b, i1 %c) {
  %less = icmp slt <8 x i32> %a, %b
  %one = select i1 %c, <8 x i1> %less, <8 x i1> zeroinitializer
  br label %next
next:
  %r = select <8 x i1> %one, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}

; Masks in another order are of the signs as well, and go on as numbers.
; CHECK-LABEL: @turned(
; CHECK: %[[SIGN:.*]] = icmp slt <8 x i32> %{{.*}}, zeroinitializer
; CHECK: %turned = shufflevector <8 x i1> %[[SIGN]], <8 x i1> poison, <8 x i32> <i32 7,
; CHECK: sext <8 x i1> %turned to <8 x i32>
; CHECK: next:
; CHECK: %[[OTHER:.*]] = icmp slt <8 x i32> %{{.*}}, zeroinitializer
; CHECK: select <8 x i1> %[[OTHER]], <8 x i32> %a, <8 x i32> %b
define <8 x i32> @turned(<8 x i32> %a, <8 x i32> %b, i1 %c) {
  %less = icmp slt <8 x i32> %a, %b
  %one = select i1 %c, <8 x i1> %less, <8 x i1> zeroinitializer
  %turned = shufflevector <8 x i1> %one, <8 x i1> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  br label %next
next:
  %r = select <8 x i1> %turned, <8 x i32> %a, <8 x i32> %b
  %s = select <8 x i1> %one, <8 x i32> %r, <8 x i32> %b
  ret <8 x i32> %s
}

; Comparisons are made again in each block, and what stays in one is left to code generation.
; CHECK-LABEL: @elsewhere(
; CHECK-NOT: sext
; CHECK: ret
define <8 x i32> @elsewhere(<8 x i32> %a, <8 x i32> %b, <8 x i32> %c) {
  %less = icmp slt <8 x i32> %a, %b
  %more = icmp slt <8 x i32> %b, %c
  %both = and <8 x i1> %less, %more
  %r = select <8 x i1> %both, <8 x i32> %a, <8 x i32> %b
  br label %next
next:
  %s = select <8 x i1> %less, <8 x i32> %r, <8 x i32> %c
  ret <8 x i32> %s
}

; A choice by one condition becomes a branch to code generation, so its masks are in other blocks.
; CHECK-LABEL: @chosen(
; CHECK: %[[LESS:.*]] = sext <8 x i1> %less to <8 x i32>
; CHECK: select i1 %c, <8 x i32> zeroinitializer, <8 x i32> %[[LESS]]
; NONE-LABEL: @chosen(
; NONE: select i1 %c, <8 x i1> zeroinitializer, <8 x i1> %less
define <8 x i32> @chosen(<8 x i32> %a, <8 x i32> %b, i1 %c) {
  %less = icmp slt <8 x i32> %a, %b
  %mask = select i1 %c, <8 x i1> zeroinitializer, <8 x i1> %less
  %r = select <8 x i1> %mask, <8 x i32> %a, <8 x i32> %b
  ret <8 x i32> %r
}
