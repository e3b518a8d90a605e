; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=complete-checks,verify %s -S | FileCheck %s
; RUN: weft-opt --passes=complete-checks,loop-vectorize,drop-zeros,verify %s -S | FileCheck %s --check-prefix=VECTORS
; What the loop vectoriser asks about numbers that start at 0 includes that their product with the
; trip count fits.

; Whether the index wraps depends on n.
; CHECK-LABEL: @may_wrap(
; CHECK: %zero = call i32 @weft.zero.i32(), !range
; CHECK: [[PRODUCT:%.*]] = mul i32 %j, 3
; CHECK: [[START:%.*]] = add i32 [[PRODUCT]], %zero
; CHECK: and i32 [[START]], 255
; VECTORS-LABEL: @may_wrap(
; VECTORS: umul.with.overflow.i8(i8 3,
; VECTORS: vector.body:
; VECTORS-NOT: weft.zero
define void @may_wrap(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i32 %n) {
entry:
  %count = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = trunc i64 %i to i32
  %product = mul i32 %j, 3
  %byte = and i32 %product, 255
  %at = zext nneg i32 %byte to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %count
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; It does wrap, so nothing is to be asked.
; CHECK-LABEL: @wraps(
; CHECK: [[PRODUCT:%.*]] = mul i32 %j, 3
; CHECK: [[HIDDEN:%.*]] = xor i32 [[PRODUCT]], %zero
; CHECK: and i32 [[HIDDEN]], 63
; VECTORS-LABEL: @wraps(
; VECTORS-NOT: overflow
; VECTORS: vector.body:
; VECTORS: ret void
define void @wraps(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = trunc i64 %i to i32
  %product = mul i32 %j, 3
  %low = and i32 %product, 63
  %at = zext nneg i32 %low to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 64
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; It does not: nothing changes.
; CHECK-LABEL: @fits(
; CHECK-NOT: %zero
; CHECK: and i32 %product, 255
define void @fits(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %j = trunc i64 %i to i32
  %product = mul i32 %j, 3
  %byte = and i32 %product, 255
  %at = zext nneg i32 %byte to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 64
  br i1 %again, label %loop, label %end
end:
  ret void
}

; A counter of its own, which is an induction only if it does not wrap, is none any more.
; CHECK-LABEL: @counter(
; CHECK: [[CUT:%.*]] = trunc i64 %at to i8
; CHECK: [[START:%.*]] = add i8 [[CUT]], %zero
; CHECK: zext i8 [[START]] to i64
; VECTORS-LABEL: @counter(
; VECTORS-NOT: vector.body
; VECTORS: ret void
define void @counter(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i32 %n) {
entry:
  %count = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = phi i64 [ 0, %entry ], [ %after, %loop ]
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %cut = trunc i64 %at to i8
  %low = zext i8 %cut to i64
  %after = add i64 %low, 3
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %count
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; Where s is asked to be one the index starts at 0.
; CHECK-LABEL: @stride(
; CHECK: [[START:%.*]] = add i64 %sum, %zero
; CHECK: and i64 [[START]], 255
; VECTORS-LABEL: @stride(
; VECTORS-DAG: %ident.check = icmp ne i64 %s, 1
; VECTORS-DAG: umul.with.overflow.i8(i8 3,
define void @stride(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i64 %n, i64 %s) {
entry:
  %before = add i64 %s, -1
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %far = mul nsw i64 %i, %s
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %far
  %product = mul i64 %i, 3
  %sum = add i64 %product, %before
  %at = and i64 %sum, 255
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The first lane of a vector may be idle, and its difference wrap.
; CHECK-LABEL: @masked_difference(
; CHECK: sub i32 %j, %s
; VECTORS-LABEL: @masked_difference(
; VECTORS: [[START:%.*]] = sub i32 %first, %s
; VECTORS: icmp slt i32 {{%.*}}, [[START]]
; VECTORS: vector.body:
define void @masked_difference(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i64 %n, i32 %first, i32 %s, ptr addrspace(1) noalias %b) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %low = trunc i64 %i to i32
  %j = add i32 %low, %first
  %when = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %c = load i32, ptr addrspace(1) %when, align 4
  %runs = icmp ne i32 %c, 0
  br i1 %runs, label %run, label %latch
run:
  %difference = sub nsw i32 %j, %s
  %at = sext i32 %difference to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  br label %latch
latch:
  %y = phi i32 [ %x, %run ], [ 0, %loop ]
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %y, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; What every iteration needs keeps its promise.
; CHECK-LABEL: @difference(
; CHECK: sub nsw i32 %j, %s
define void @difference(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i64 %n, i32 %first, i32 %s) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i32
  %j = add i32 %low, %first
  %difference = sub nsw i32 %j, %s
  %at = sext i32 %difference to i64
  %from = getelementptr i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; There is no place for the zero: no vectors.
; CHECK-LABEL: @entered_twice(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[OFF:![0-9]+]]
define void @entered_twice(ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %a, i32 %n, i1 %c) {
entry:
  %count = zext i32 %n to i64
  br i1 %c, label %loop, label %other
other:
  store i32 1, ptr addrspace(1) %o, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ 0, %other ], [ %next, %loop ]
  %j = trunc i64 %i to i32
  %product = mul i32 %j, 3
  %byte = and i32 %product, 255
  %at = zext nneg i32 %byte to i64
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %x = load i32, ptr addrspace(1) %from, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %o, i64 %i
  store i32 %x, ptr addrspace(1) %to, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %count
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK: [[OFF]] = distinct !{[[OFF]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.vectorize.enable", i32 0}

; Vectors whether they pay or not.
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
!2 = !{!"llvm.loop.vectorize.width", i32 4}
