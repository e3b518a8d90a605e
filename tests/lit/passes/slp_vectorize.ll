; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --passes=slp-vectorize %s -S | FileCheck %s

; Six arrays, into which one store each goes before one load each. Four of the loads become a
; gather, and then the other two are put together: this must not move stores past the gather.
; CHECK-LABEL: define void @f
; CHECK-NOT: ptrtoint
; CHECK: next:
; CHECK-NOT: gather
; CHECK: store i32 %u0, ptr %g0
; CHECK-NOT: gather
; CHECK: store i32 %u1, ptr %g1
; CHECK-NOT: gather
; CHECK: store i32 %u2, ptr %g2
; CHECK-NOT: gather
; CHECK: store i32 %u3, ptr %g3
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: store <4 x i32>
define void @f(ptr addrspace(1) %in, ptr %arguments) {
  %out = load ptr addrspace(1), ptr %arguments
  %p = alloca [6 x [4 x i32]], align 64
  %s0 = getelementptr inbounds i8, ptr %p, i64 0
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s0
  %t0 = getelementptr inbounds i8, ptr %p, i64 8
  %s1 = getelementptr inbounds i8, ptr %p, i64 16
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s1
  %t1 = getelementptr inbounds i8, ptr %p, i64 24
  %s2 = getelementptr inbounds i8, ptr %p, i64 32
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s2
  %t2 = getelementptr inbounds i8, ptr %p, i64 40
  %s3 = getelementptr inbounds i8, ptr %p, i64 48
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s3
  %t3 = getelementptr inbounds i8, ptr %p, i64 56
  %s4 = getelementptr inbounds i8, ptr %p, i64 64
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s4
  %t4 = getelementptr inbounds i8, ptr %p, i64 72
  %s5 = getelementptr inbounds i8, ptr %p, i64 80
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr %s5
  %t5 = getelementptr inbounds i8, ptr %p, i64 88
  br label %next
next:
  %ia0 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 0
  %a0 = load i32, ptr addrspace(1) %ia0
  %ia1 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 1
  %a1 = load i32, ptr addrspace(1) %ia1
  %ia2 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 2
  %a2 = load i32, ptr addrspace(1) %ia2
  %ia3 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 3
  %a3 = load i32, ptr addrspace(1) %ia3
  %ia4 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 4
  %a4 = load i32, ptr addrspace(1) %ia4
  %ia5 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 5
  %a5 = load i32, ptr addrspace(1) %ia5
  %x0 = xor i32 %a0, %a2
  %x1 = xor i32 %a1, %a3
  %x2 = xor i32 %a2, %a4
  %x3 = xor i32 %a3, %a5
  %x4 = xor i32 %a4, %a0
  %x5 = xor i32 %a5, %a1
  %m0 = and i32 %x0, 3
  %n0 = zext i32 %m0 to i64
  %g0 = getelementptr inbounds i32, ptr %s0, i64 %n0
  %l0 = load i32, ptr %g0
  %u0 = add i32 %l0, %x0
  store i32 %u0, ptr %g0
  %q0 = load i32, ptr %t0
  %r0 = xor i32 %q0, %x0
  %o0 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 0
  %m1 = and i32 %x1, 3
  %n1 = zext i32 %m1 to i64
  %g1 = getelementptr inbounds i32, ptr %s1, i64 %n1
  %l1 = load i32, ptr %g1
  %u1 = add i32 %l1, %x1
  store i32 %u1, ptr %g1
  %q1 = load i32, ptr %t1
  %r1 = xor i32 %q1, %x1
  %o1 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 1
  %m2 = and i32 %x2, 3
  %n2 = zext i32 %m2 to i64
  %g2 = getelementptr inbounds i32, ptr %s2, i64 %n2
  %l2 = load i32, ptr %g2
  %u2 = add i32 %l2, %x2
  store i32 %u2, ptr %g2
  %q2 = load i32, ptr %t2
  %r2 = xor i32 %q2, %x2
  %o2 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 2
  %m3 = and i32 %x3, 3
  %n3 = zext i32 %m3 to i64
  %g3 = getelementptr inbounds i32, ptr %s3, i64 %n3
  %l3 = load i32, ptr %g3
  %u3 = add i32 %l3, %x3
  store i32 %u3, ptr %g3
  %q3 = load i32, ptr %t3
  %r3 = xor i32 %q3, %x3
  %o3 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 3
  %m4 = and i32 %x4, 3
  %n4 = zext i32 %m4 to i64
  %g4 = getelementptr inbounds i32, ptr %s4, i64 %n4
  %l4 = load i32, ptr %g4
  %u4 = add i32 %l4, %x4
  store i32 %u4, ptr %g4
  %q4 = load i32, ptr %t4
  %r4 = xor i32 %q4, %x4
  %o4 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 4
  %m5 = and i32 %x5, 3
  %n5 = zext i32 %m5 to i64
  %g5 = getelementptr inbounds i32, ptr %s5, i64 %n5
  %l5 = load i32, ptr %g5
  %u5 = add i32 %l5, %x5
  store i32 %u5, ptr %g5
  %q5 = load i32, ptr %t5
  %r5 = xor i32 %q5, %x5
  %o5 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 5
  store i32 %r0, ptr addrspace(1) %o0
  store i32 %r1, ptr addrspace(1) %o1
  store i32 %r2, ptr addrspace(1) %o2
  store i32 %r3, ptr addrspace(1) %o3
  store i32 %r4, ptr addrspace(1) %o4
  store i32 %r5, ptr addrspace(1) %o5
  ret void
}

; The same of a structure that a function out of line is given.
; CHECK-LABEL: define void @g
; CHECK-NOT: ptrtoint
; CHECK: next:
; CHECK-NOT: gather
; CHECK: store i32 %u0, ptr %g0
; CHECK-NOT: gather
; CHECK: store i32 %u1, ptr %g1
; CHECK-NOT: gather
; CHECK: store i32 %u2, ptr %g2
; CHECK-NOT: gather
; CHECK: store i32 %u3, ptr %g3
; CHECK: call <4 x i32> @llvm.masked.gather
; CHECK: store <4 x i32>
define void @g(ptr byval([6 x [4 x i32]]) align 4 %p, ptr addrspace(1) %in, ptr %arguments) {
  %out = load ptr addrspace(1), ptr %arguments
  %s0 = getelementptr inbounds i8, ptr %p, i64 0
  %t0 = getelementptr inbounds i8, ptr %p, i64 8
  %s1 = getelementptr inbounds i8, ptr %p, i64 16
  %t1 = getelementptr inbounds i8, ptr %p, i64 24
  %s2 = getelementptr inbounds i8, ptr %p, i64 32
  %t2 = getelementptr inbounds i8, ptr %p, i64 40
  %s3 = getelementptr inbounds i8, ptr %p, i64 48
  %t3 = getelementptr inbounds i8, ptr %p, i64 56
  %s4 = getelementptr inbounds i8, ptr %p, i64 64
  %t4 = getelementptr inbounds i8, ptr %p, i64 72
  %s5 = getelementptr inbounds i8, ptr %p, i64 80
  %t5 = getelementptr inbounds i8, ptr %p, i64 88
  br label %next
next:
  %ia0 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 0
  %a0 = load i32, ptr addrspace(1) %ia0
  %ia1 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 1
  %a1 = load i32, ptr addrspace(1) %ia1
  %ia2 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 2
  %a2 = load i32, ptr addrspace(1) %ia2
  %ia3 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 3
  %a3 = load i32, ptr addrspace(1) %ia3
  %ia4 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 4
  %a4 = load i32, ptr addrspace(1) %ia4
  %ia5 = getelementptr inbounds i32, ptr addrspace(1) %in, i64 5
  %a5 = load i32, ptr addrspace(1) %ia5
  %x0 = xor i32 %a0, %a2
  %x1 = xor i32 %a1, %a3
  %x2 = xor i32 %a2, %a4
  %x3 = xor i32 %a3, %a5
  %x4 = xor i32 %a4, %a0
  %x5 = xor i32 %a5, %a1
  %m0 = and i32 %x0, 3
  %n0 = zext i32 %m0 to i64
  %g0 = getelementptr inbounds i32, ptr %s0, i64 %n0
  %l0 = load i32, ptr %g0
  %u0 = add i32 %l0, %x0
  store i32 %u0, ptr %g0
  %q0 = load i32, ptr %t0
  %r0 = xor i32 %q0, %x0
  %o0 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 0
  %m1 = and i32 %x1, 3
  %n1 = zext i32 %m1 to i64
  %g1 = getelementptr inbounds i32, ptr %s1, i64 %n1
  %l1 = load i32, ptr %g1
  %u1 = add i32 %l1, %x1
  store i32 %u1, ptr %g1
  %q1 = load i32, ptr %t1
  %r1 = xor i32 %q1, %x1
  %o1 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 1
  %m2 = and i32 %x2, 3
  %n2 = zext i32 %m2 to i64
  %g2 = getelementptr inbounds i32, ptr %s2, i64 %n2
  %l2 = load i32, ptr %g2
  %u2 = add i32 %l2, %x2
  store i32 %u2, ptr %g2
  %q2 = load i32, ptr %t2
  %r2 = xor i32 %q2, %x2
  %o2 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 2
  %m3 = and i32 %x3, 3
  %n3 = zext i32 %m3 to i64
  %g3 = getelementptr inbounds i32, ptr %s3, i64 %n3
  %l3 = load i32, ptr %g3
  %u3 = add i32 %l3, %x3
  store i32 %u3, ptr %g3
  %q3 = load i32, ptr %t3
  %r3 = xor i32 %q3, %x3
  %o3 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 3
  %m4 = and i32 %x4, 3
  %n4 = zext i32 %m4 to i64
  %g4 = getelementptr inbounds i32, ptr %s4, i64 %n4
  %l4 = load i32, ptr %g4
  %u4 = add i32 %l4, %x4
  store i32 %u4, ptr %g4
  %q4 = load i32, ptr %t4
  %r4 = xor i32 %q4, %x4
  %o4 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 4
  %m5 = and i32 %x5, 3
  %n5 = zext i32 %m5 to i64
  %g5 = getelementptr inbounds i32, ptr %s5, i64 %n5
  %l5 = load i32, ptr %g5
  %u5 = add i32 %l5, %x5
  store i32 %u5, ptr %g5
  %q5 = load i32, ptr %t5
  %r5 = xor i32 %q5, %x5
  %o5 = getelementptr inbounds i32, ptr addrspace(1) %out, i64 5
  store i32 %r0, ptr addrspace(1) %o0
  store i32 %r1, ptr addrspace(1) %o1
  store i32 %r2, ptr addrspace(1) %o2
  store i32 %r3, ptr addrspace(1) %o3
  store i32 %r4, ptr addrspace(1) %o4
  store i32 %r5, ptr addrspace(1) %o5
  ret void
}
