; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=split-recurrences,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v4 --passes=split-recurrences,verify %s -S | FileCheck %s --check-prefix=FEW

; Twenty recurrences do not fit 16 registers: two loops, ten in each, which go round as often. Where
; there are 32 they stay together.
; CHECK-LABEL: @twenty(
; CHECK: loop:
; CHECK: phi i32
; CHECK-COUNT-10: phi <8 x float>
; CHECK-NOT: phi
; CHECK-COUNT-10: fmul
; CHECK-NOT: fmul
; CHECK: icmp eq i32 %{{.*}}, 20
; CHECK: br i1 %{{.*}}, label %loop.part, label %loop
; CHECK: loop.part:
; CHECK: phi i32 [ 0, %loop ]
; CHECK-COUNT-10: phi <8 x float> [ %a{{[0-9]+}}, %loop ]
; CHECK-NOT: phi
; CHECK-COUNT-10: fmul
; CHECK-NOT: fmul
; CHECK: br i1 %{{.*}}, label %end, label %loop.part
; CHECK: end:
; CHECK: fadd <8 x float> %t{{[0-9]+}}, %t{{[0-9]+}}
; CHECK-COUNT-10: fadd <8 x float> %{{.*}}, %t{{[0-9]+}}.part
; FEW-LABEL: @twenty(
; FEW-NOT: part:
define <8 x float> @twenty(<8 x float> %a0, <8 x float> %a1, <8 x float> %a2, <8 x float> %a3, <8 x float> %a4, <8 x float> %a5, <8 x float> %a6, <8 x float> %a7, <8 x float> %a8, <8 x float> %a9, <8 x float> %a10, <8 x float> %a11, <8 x float> %a12, <8 x float> %a13, <8 x float> %a14, <8 x float> %a15, <8 x float> %a16, <8 x float> %a17, <8 x float> %a18, <8 x float> %a19, ptr %p) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <8 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <8 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <8 x float> [ %a3, %entry ], [ %t3, %loop ]
  %s4 = phi <8 x float> [ %a4, %entry ], [ %t4, %loop ]
  %s5 = phi <8 x float> [ %a5, %entry ], [ %t5, %loop ]
  %s6 = phi <8 x float> [ %a6, %entry ], [ %t6, %loop ]
  %s7 = phi <8 x float> [ %a7, %entry ], [ %t7, %loop ]
  %s8 = phi <8 x float> [ %a8, %entry ], [ %t8, %loop ]
  %s9 = phi <8 x float> [ %a9, %entry ], [ %t9, %loop ]
  %s10 = phi <8 x float> [ %a10, %entry ], [ %t10, %loop ]
  %s11 = phi <8 x float> [ %a11, %entry ], [ %t11, %loop ]
  %s12 = phi <8 x float> [ %a12, %entry ], [ %t12, %loop ]
  %s13 = phi <8 x float> [ %a13, %entry ], [ %t13, %loop ]
  %s14 = phi <8 x float> [ %a14, %entry ], [ %t14, %loop ]
  %s15 = phi <8 x float> [ %a15, %entry ], [ %t15, %loop ]
  %s16 = phi <8 x float> [ %a16, %entry ], [ %t16, %loop ]
  %s17 = phi <8 x float> [ %a17, %entry ], [ %t17, %loop ]
  %s18 = phi <8 x float> [ %a18, %entry ], [ %t18, %loop ]
  %s19 = phi <8 x float> [ %a19, %entry ], [ %t19, %loop ]
  %t0 = fmul <8 x float> %s0, %a0
  %t1 = fmul <8 x float> %s1, %a1
  %t2 = fmul <8 x float> %s2, %a2
  %t3 = fmul <8 x float> %s3, %a3
  %t4 = fmul <8 x float> %s4, %a4
  %t5 = fmul <8 x float> %s5, %a5
  %t6 = fmul <8 x float> %s6, %a6
  %t7 = fmul <8 x float> %s7, %a7
  %t8 = fmul <8 x float> %s8, %a8
  %t9 = fmul <8 x float> %s9, %a9
  %t10 = fmul <8 x float> %s10, %a10
  %t11 = fmul <8 x float> %s11, %a11
  %t12 = fmul <8 x float> %s12, %a12
  %t13 = fmul <8 x float> %s13, %a13
  %t14 = fmul <8 x float> %s14, %a14
  %t15 = fmul <8 x float> %s15, %a15
  %t16 = fmul <8 x float> %s16, %a16
  %t17 = fmul <8 x float> %s17, %a17
  %t18 = fmul <8 x float> %s18, %a18
  %t19 = fmul <8 x float> %s19, %a19
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 20
  br i1 %done, label %end, label %loop
end:
  %r1 = fadd <8 x float> %t0, %t1
  %r2 = fadd <8 x float> %r1, %t2
  %r3 = fadd <8 x float> %r2, %t3
  %r4 = fadd <8 x float> %r3, %t4
  %r5 = fadd <8 x float> %r4, %t5
  %r6 = fadd <8 x float> %r5, %t6
  %r7 = fadd <8 x float> %r6, %t7
  %r8 = fadd <8 x float> %r7, %t8
  %r9 = fadd <8 x float> %r8, %t9
  %r10 = fadd <8 x float> %r9, %t10
  %r11 = fadd <8 x float> %r10, %t11
  %r12 = fadd <8 x float> %r11, %t12
  %r13 = fadd <8 x float> %r12, %t13
  %r14 = fadd <8 x float> %r13, %t14
  %r15 = fadd <8 x float> %r14, %t15
  %r16 = fadd <8 x float> %r15, %t16
  %r17 = fadd <8 x float> %r16, %t17
  %r18 = fadd <8 x float> %r17, %t18
  %r19 = fadd <8 x float> %r18, %t19
  ret <8 x float> %r19
}

; Fifteen fit.
; CHECK-LABEL: @fifteen(
; CHECK-NOT: part:
; CHECK: ret
define <8 x float> @fifteen(<8 x float> %a0, <8 x float> %a1, <8 x float> %a2, <8 x float> %a3, <8 x float> %a4, <8 x float> %a5, <8 x float> %a6, <8 x float> %a7, <8 x float> %a8, <8 x float> %a9, <8 x float> %a10, <8 x float> %a11, <8 x float> %a12, <8 x float> %a13, <8 x float> %a14, ptr %p) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <8 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <8 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <8 x float> [ %a3, %entry ], [ %t3, %loop ]
  %s4 = phi <8 x float> [ %a4, %entry ], [ %t4, %loop ]
  %s5 = phi <8 x float> [ %a5, %entry ], [ %t5, %loop ]
  %s6 = phi <8 x float> [ %a6, %entry ], [ %t6, %loop ]
  %s7 = phi <8 x float> [ %a7, %entry ], [ %t7, %loop ]
  %s8 = phi <8 x float> [ %a8, %entry ], [ %t8, %loop ]
  %s9 = phi <8 x float> [ %a9, %entry ], [ %t9, %loop ]
  %s10 = phi <8 x float> [ %a10, %entry ], [ %t10, %loop ]
  %s11 = phi <8 x float> [ %a11, %entry ], [ %t11, %loop ]
  %s12 = phi <8 x float> [ %a12, %entry ], [ %t12, %loop ]
  %s13 = phi <8 x float> [ %a13, %entry ], [ %t13, %loop ]
  %s14 = phi <8 x float> [ %a14, %entry ], [ %t14, %loop ]
  %t0 = fmul <8 x float> %s0, %a0
  %t1 = fmul <8 x float> %s1, %a1
  %t2 = fmul <8 x float> %s2, %a2
  %t3 = fmul <8 x float> %s3, %a3
  %t4 = fmul <8 x float> %s4, %a4
  %t5 = fmul <8 x float> %s5, %a5
  %t6 = fmul <8 x float> %s6, %a6
  %t7 = fmul <8 x float> %s7, %a7
  %t8 = fmul <8 x float> %s8, %a8
  %t9 = fmul <8 x float> %s9, %a9
  %t10 = fmul <8 x float> %s10, %a10
  %t11 = fmul <8 x float> %s11, %a11
  %t12 = fmul <8 x float> %s12, %a12
  %t13 = fmul <8 x float> %s13, %a13
  %t14 = fmul <8 x float> %s14, %a14
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 20
  br i1 %done, label %end, label %loop
end:
  %r1 = fadd <8 x float> %t0, %t1
  %r2 = fadd <8 x float> %r1, %t2
  %r3 = fadd <8 x float> %r2, %t3
  %r4 = fadd <8 x float> %r3, %t4
  %r5 = fadd <8 x float> %r4, %t5
  %r6 = fadd <8 x float> %r5, %t6
  %r7 = fadd <8 x float> %r6, %t7
  %r8 = fadd <8 x float> %r7, %t8
  %r9 = fadd <8 x float> %r8, %t9
  %r10 = fadd <8 x float> %r9, %t10
  %r11 = fadd <8 x float> %r10, %t11
  %r12 = fadd <8 x float> %r11, %t12
  %r13 = fadd <8 x float> %r12, %t13
  %r14 = fadd <8 x float> %r13, %t14
  ret <8 x float> %r14
}

; Memory is accessed in the order of one loop.
; CHECK-LABEL: @stores(
; CHECK-NOT: part:
; CHECK: ret
define <8 x float> @stores(<8 x float> %a0, <8 x float> %a1, <8 x float> %a2, <8 x float> %a3, <8 x float> %a4, <8 x float> %a5, <8 x float> %a6, <8 x float> %a7, <8 x float> %a8, <8 x float> %a9, <8 x float> %a10, <8 x float> %a11, <8 x float> %a12, <8 x float> %a13, <8 x float> %a14, <8 x float> %a15, <8 x float> %a16, <8 x float> %a17, <8 x float> %a18, <8 x float> %a19, ptr %p) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <8 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <8 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <8 x float> [ %a3, %entry ], [ %t3, %loop ]
  %s4 = phi <8 x float> [ %a4, %entry ], [ %t4, %loop ]
  %s5 = phi <8 x float> [ %a5, %entry ], [ %t5, %loop ]
  %s6 = phi <8 x float> [ %a6, %entry ], [ %t6, %loop ]
  %s7 = phi <8 x float> [ %a7, %entry ], [ %t7, %loop ]
  %s8 = phi <8 x float> [ %a8, %entry ], [ %t8, %loop ]
  %s9 = phi <8 x float> [ %a9, %entry ], [ %t9, %loop ]
  %s10 = phi <8 x float> [ %a10, %entry ], [ %t10, %loop ]
  %s11 = phi <8 x float> [ %a11, %entry ], [ %t11, %loop ]
  %s12 = phi <8 x float> [ %a12, %entry ], [ %t12, %loop ]
  %s13 = phi <8 x float> [ %a13, %entry ], [ %t13, %loop ]
  %s14 = phi <8 x float> [ %a14, %entry ], [ %t14, %loop ]
  %s15 = phi <8 x float> [ %a15, %entry ], [ %t15, %loop ]
  %s16 = phi <8 x float> [ %a16, %entry ], [ %t16, %loop ]
  %s17 = phi <8 x float> [ %a17, %entry ], [ %t17, %loop ]
  %s18 = phi <8 x float> [ %a18, %entry ], [ %t18, %loop ]
  %s19 = phi <8 x float> [ %a19, %entry ], [ %t19, %loop ]
  %t0 = fmul <8 x float> %s0, %a0
  %t1 = fmul <8 x float> %s1, %a1
  %t2 = fmul <8 x float> %s2, %a2
  %t3 = fmul <8 x float> %s3, %a3
  %t4 = fmul <8 x float> %s4, %a4
  %t5 = fmul <8 x float> %s5, %a5
  %t6 = fmul <8 x float> %s6, %a6
  %t7 = fmul <8 x float> %s7, %a7
  %t8 = fmul <8 x float> %s8, %a8
  %t9 = fmul <8 x float> %s9, %a9
  %t10 = fmul <8 x float> %s10, %a10
  %t11 = fmul <8 x float> %s11, %a11
  %t12 = fmul <8 x float> %s12, %a12
  %t13 = fmul <8 x float> %s13, %a13
  %t14 = fmul <8 x float> %s14, %a14
  %t15 = fmul <8 x float> %s15, %a15
  %t16 = fmul <8 x float> %s16, %a16
  %t17 = fmul <8 x float> %s17, %a17
  %t18 = fmul <8 x float> %s18, %a18
  %t19 = fmul <8 x float> %s19, %a19
  store <8 x float> %t3, ptr %p, align 32
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 20
  br i1 %done, label %end, label %loop
end:
  %r1 = fadd <8 x float> %t0, %t1
  %r2 = fadd <8 x float> %r1, %t2
  %r3 = fadd <8 x float> %r2, %t3
  %r4 = fadd <8 x float> %r3, %t4
  %r5 = fadd <8 x float> %r4, %t5
  %r6 = fadd <8 x float> %r5, %t6
  %r7 = fadd <8 x float> %r6, %t7
  %r8 = fadd <8 x float> %r7, %t8
  %r9 = fadd <8 x float> %r8, %t9
  %r10 = fadd <8 x float> %r9, %t10
  %r11 = fadd <8 x float> %r10, %t11
  %r12 = fadd <8 x float> %r11, %t12
  %r13 = fadd <8 x float> %r12, %t13
  %r14 = fadd <8 x float> %r13, %t14
  %r15 = fadd <8 x float> %r14, %t15
  %r16 = fadd <8 x float> %r15, %t16
  %r17 = fadd <8 x float> %r16, %t17
  %r18 = fadd <8 x float> %r17, %t18
  %r19 = fadd <8 x float> %r18, %t19
  ret <8 x float> %r19
}

; What depends on each other is one recurrence, and may not be taken apart.
; CHECK-LABEL: @ring(
; CHECK-NOT: part:
; CHECK: ret
define <8 x float> @ring(<8 x float> %a0, <8 x float> %a1, <8 x float> %a2, <8 x float> %a3, <8 x float> %a4, <8 x float> %a5, <8 x float> %a6, <8 x float> %a7, <8 x float> %a8, <8 x float> %a9, <8 x float> %a10, <8 x float> %a11, <8 x float> %a12, <8 x float> %a13, <8 x float> %a14, <8 x float> %a15, <8 x float> %a16, <8 x float> %a17, <8 x float> %a18, <8 x float> %a19, ptr %p) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi <8 x float> [ %a0, %entry ], [ %t0, %loop ]
  %s1 = phi <8 x float> [ %a1, %entry ], [ %t1, %loop ]
  %s2 = phi <8 x float> [ %a2, %entry ], [ %t2, %loop ]
  %s3 = phi <8 x float> [ %a3, %entry ], [ %t3, %loop ]
  %s4 = phi <8 x float> [ %a4, %entry ], [ %t4, %loop ]
  %s5 = phi <8 x float> [ %a5, %entry ], [ %t5, %loop ]
  %s6 = phi <8 x float> [ %a6, %entry ], [ %t6, %loop ]
  %s7 = phi <8 x float> [ %a7, %entry ], [ %t7, %loop ]
  %s8 = phi <8 x float> [ %a8, %entry ], [ %t8, %loop ]
  %s9 = phi <8 x float> [ %a9, %entry ], [ %t9, %loop ]
  %s10 = phi <8 x float> [ %a10, %entry ], [ %t10, %loop ]
  %s11 = phi <8 x float> [ %a11, %entry ], [ %t11, %loop ]
  %s12 = phi <8 x float> [ %a12, %entry ], [ %t12, %loop ]
  %s13 = phi <8 x float> [ %a13, %entry ], [ %t13, %loop ]
  %s14 = phi <8 x float> [ %a14, %entry ], [ %t14, %loop ]
  %s15 = phi <8 x float> [ %a15, %entry ], [ %t15, %loop ]
  %s16 = phi <8 x float> [ %a16, %entry ], [ %t16, %loop ]
  %s17 = phi <8 x float> [ %a17, %entry ], [ %t17, %loop ]
  %s18 = phi <8 x float> [ %a18, %entry ], [ %t18, %loop ]
  %s19 = phi <8 x float> [ %a19, %entry ], [ %t19, %loop ]
  %t0 = fmul <8 x float> %s0, %s1
  %t1 = fmul <8 x float> %s1, %s2
  %t2 = fmul <8 x float> %s2, %s3
  %t3 = fmul <8 x float> %s3, %s4
  %t4 = fmul <8 x float> %s4, %s5
  %t5 = fmul <8 x float> %s5, %s6
  %t6 = fmul <8 x float> %s6, %s7
  %t7 = fmul <8 x float> %s7, %s8
  %t8 = fmul <8 x float> %s8, %s9
  %t9 = fmul <8 x float> %s9, %s10
  %t10 = fmul <8 x float> %s10, %s11
  %t11 = fmul <8 x float> %s11, %s12
  %t12 = fmul <8 x float> %s12, %s13
  %t13 = fmul <8 x float> %s13, %s14
  %t14 = fmul <8 x float> %s14, %s15
  %t15 = fmul <8 x float> %s15, %s16
  %t16 = fmul <8 x float> %s16, %s17
  %t17 = fmul <8 x float> %s17, %s18
  %t18 = fmul <8 x float> %s18, %s19
  %t19 = fmul <8 x float> %s19, %s0
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 20
  br i1 %done, label %end, label %loop
end:
  %r1 = fadd <8 x float> %t0, %t1
  %r2 = fadd <8 x float> %r1, %t2
  %r3 = fadd <8 x float> %r2, %t3
  %r4 = fadd <8 x float> %r3, %t4
  %r5 = fadd <8 x float> %r4, %t5
  %r6 = fadd <8 x float> %r5, %t6
  %r7 = fadd <8 x float> %r6, %t7
  %r8 = fadd <8 x float> %r7, %t8
  %r9 = fadd <8 x float> %r8, %t9
  %r10 = fadd <8 x float> %r9, %t10
  %r11 = fadd <8 x float> %r10, %t11
  %r12 = fadd <8 x float> %r11, %t12
  %r13 = fadd <8 x float> %r12, %t13
  %r14 = fadd <8 x float> %r13, %t14
  %r15 = fadd <8 x float> %r14, %t15
  %r16 = fadd <8 x float> %r15, %t16
  %r17 = fadd <8 x float> %r16, %t17
  %r18 = fadd <8 x float> %r17, %t18
  %r19 = fadd <8 x float> %r18, %t19
  ret <8 x float> %r19
}
