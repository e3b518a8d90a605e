; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=retarget,jam-rows,verify --variant=loops %s -S | FileCheck %s
; Rows of a group load together what they share: all eight of them where registers hold eight sums
; and the vector, four where each is in two registers.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @product.fn(
; CHECK: inner:
; CHECK: load <8 x float>, ptr addrspace(3)
; CHECK-COUNT-8: load float, ptr addrspace(3)
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner
define void @product(ptr addrspace(3) %a, ptr addrspace(3) %b, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  %first = getelementptr float, ptr addrspace(3) %b, i64 %row
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %rows ], [ %more, %inner ]
  %column = getelementptr <8 x float>, ptr addrspace(3) %a, i64 %k
  %x = load <8 x float>, ptr addrspace(3) %column
  %line = mul i64 %k, 8
  %place = getelementptr float, ptr addrspace(3) %first, i64 %line
  %y = load float, ptr addrspace(3) %place
  %one = insertelement <8 x float> poison, float %y, i64 0
  %all = shufflevector <8 x float> %one, <8 x float> poison, <8 x i32> zeroinitializer
  %term = fmul <8 x float> %x, %all
  %more = fadd <8 x float> %sum, %term
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi <8 x float> [ %more, %inner ]
  %to = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %row
  store <8 x float> %result, ptr addrspace(1) %to
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; Behind the loop inside there may be several blocks.
; CHECK-LABEL: @apart.fn(
; CHECK: inner:
; CHECK: load <8 x float>, ptr addrspace(3)
; CHECK-COUNT-8: load float, ptr addrspace(3)
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner
define void @apart(ptr addrspace(3) %a, ptr addrspace(3) %b, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %next.rows ]
  %first = getelementptr float, ptr addrspace(3) %b, i64 %row
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi <8 x float> [ zeroinitializer, %rows ], [ %more, %inner ]
  %column = getelementptr <8 x float>, ptr addrspace(3) %a, i64 %k
  %x = load <8 x float>, ptr addrspace(3) %column
  %line = mul i64 %k, 8
  %place = getelementptr float, ptr addrspace(3) %first, i64 %line
  %y = load float, ptr addrspace(3) %place
  %one = insertelement <8 x float> poison, float %y, i64 0
  %all = shufflevector <8 x float> %one, <8 x float> poison, <8 x i32> zeroinitializer
  %term = fmul <8 x float> %x, %all
  %more = fadd <8 x float> %sum, %term
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi <8 x float> [ %more, %inner ]
  %to = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %row
  store <8 x float> %result, ptr addrspace(1) %to
  br label %next.rows

next.rows:
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @large.fn(
; CHECK: inner:
; CHECK: load <16 x float>, ptr addrspace(3)
; CHECK-COUNT-4: load float, ptr addrspace(3)
; CHECK-NOT: load
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner
define void @large(ptr addrspace(3) %a, ptr addrspace(3) %b, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  %first = getelementptr float, ptr addrspace(3) %b, i64 %row
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi <16 x float> [ zeroinitializer, %rows ], [ %more, %inner ]
  %column = getelementptr <16 x float>, ptr addrspace(3) %a, i64 %k
  %x = load <16 x float>, ptr addrspace(3) %column
  %line = mul i64 %k, 8
  %place = getelementptr float, ptr addrspace(3) %first, i64 %line
  %y = load float, ptr addrspace(3) %place
  %one = insertelement <16 x float> poison, float %y, i64 0
  %all = shufflevector <16 x float> %one, <16 x float> poison, <16 x i32> zeroinitializer
  %term = fmul <16 x float> %x, %all
  %more = fadd <16 x float> %sum, %term
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi <16 x float> [ %more, %inner ]
  %to = getelementptr <16 x float>, ptr addrspace(1) %c, i64 %row
  store <16 x float> %result, ptr addrspace(1) %to
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; Two blocks of four vectors each, one after the other, and the four sums of two rows are as many as
; there are registers for.
; CHECK-LABEL: @blocks.fn(
; CHECK: inner:
; CHECK-COUNT-2: load float, ptr addrspace(3)
; CHECK-NOT: load float
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner
define void @blocks(ptr addrspace(3) %a, ptr addrspace(3) %d, ptr addrspace(3) %b, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  %first = getelementptr float, ptr addrspace(3) %b, i64 %row
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %s0 = phi <8 x float> [ zeroinitializer, %rows ], [ %n0, %inner ]
  %s1 = phi <8 x float> [ zeroinitializer, %rows ], [ %n1, %inner ]
  %s2 = phi <8 x float> [ zeroinitializer, %rows ], [ %n2, %inner ]
  %s3 = phi <8 x float> [ zeroinitializer, %rows ], [ %n3, %inner ]
  %k0 = mul i64 %k, 2
  %k1 = add i64 %k0, 1
  %a.at0 = getelementptr <8 x float>, ptr addrspace(3) %a, i64 %k0
  %a0 = load <8 x float>, ptr addrspace(3) %a.at0
  %a.at1 = getelementptr <8 x float>, ptr addrspace(3) %a, i64 %k1
  %a1 = load <8 x float>, ptr addrspace(3) %a.at1
  %a.t0 = shufflevector <8 x float> %a0, <8 x float> %a1, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %a.t1 = shufflevector <8 x float> %a0, <8 x float> %a1, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %a.t2 = shufflevector <8 x float> %a0, <8 x float> %a1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %a.t3 = shufflevector <8 x float> %a0, <8 x float> %a1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %line = mul i64 %k, 8
  %place = getelementptr float, ptr addrspace(3) %first, i64 %line
  %y = load float, ptr addrspace(3) %place
  %one = insertelement <8 x float> poison, float %y, i64 0
  %all = shufflevector <8 x float> %one, <8 x float> poison, <8 x i32> zeroinitializer
  %b.at0 = getelementptr <8 x float>, ptr addrspace(3) %d, i64 %k0
  %b0 = load <8 x float>, ptr addrspace(3) %b.at0
  %b.at1 = getelementptr <8 x float>, ptr addrspace(3) %d, i64 %k1
  %b1 = load <8 x float>, ptr addrspace(3) %b.at1
  %b.t0 = shufflevector <8 x float> %b0, <8 x float> %b1, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %b.t1 = shufflevector <8 x float> %b0, <8 x float> %b1, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %b.t2 = shufflevector <8 x float> %b0, <8 x float> %b1, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %b.t3 = shufflevector <8 x float> %b0, <8 x float> %b1, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %x0 = fmul <8 x float> %a.t0, %all
  %m0 = fadd <8 x float> %s0, %x0
  %y0 = fmul <8 x float> %b.t0, %all
  %n0 = fadd <8 x float> %m0, %y0
  %x1 = fmul <8 x float> %a.t1, %all
  %m1 = fadd <8 x float> %s1, %x1
  %y1 = fmul <8 x float> %b.t1, %all
  %n1 = fadd <8 x float> %m1, %y1
  %x2 = fmul <8 x float> %a.t2, %all
  %m2 = fadd <8 x float> %s2, %x2
  %y2 = fmul <8 x float> %b.t2, %all
  %n2 = fadd <8 x float> %m2, %y2
  %x3 = fmul <8 x float> %a.t3, %all
  %m3 = fadd <8 x float> %s3, %x3
  %y3 = fmul <8 x float> %b.t3, %all
  %n3 = fadd <8 x float> %m3, %y3
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %r0 = phi <8 x float> [ %n0, %inner ]
  %r1 = phi <8 x float> [ %n1, %inner ]
  %r2 = phi <8 x float> [ %n2, %inner ]
  %r3 = phi <8 x float> [ %n3, %inner ]
  %at0 = mul i64 %row, 4
  %at1 = add i64 %at0, 1
  %at2 = add i64 %at0, 2
  %at3 = add i64 %at0, 3
  %to0 = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %at0
  store <8 x float> %r0, ptr addrspace(1) %to0
  %to1 = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %at1
  store <8 x float> %r1, ptr addrspace(1) %to1
  %to2 = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %at2
  store <8 x float> %r2, ptr addrspace(1) %to2
  %to3 = getelementptr <8 x float>, ptr addrspace(1) %c, i64 %at3
  store <8 x float> %r3, ptr addrspace(1) %to3
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; Not where the loop writes, where rows share a variable, where something is volatile, and in loops
; of another kind.
; CHECK-LABEL: @writes.fn(
; CHECK-COUNT-1: load i32
; CHECK-NOT: load i32
define void @writes(ptr addrspace(3) %a, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %column = getelementptr i32, ptr addrspace(3) %a, i64 %k
  %x = load i32, ptr addrspace(3) %column
  %to = getelementptr i32, ptr addrspace(1) %c, i64 %row
  store i32 %x, ptr addrspace(1) %to
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @shared.fn(
; CHECK-COUNT-1: load i32, ptr addrspace(3)
; CHECK-NOT: load i32, ptr addrspace(3)
define void @shared(ptr addrspace(3) %a, ptr addrspace(1) %c) {
entry:
  %variable = alloca i64
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  store i64 %row, ptr %variable
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi i32 [ 0, %rows ], [ %more, %inner ]
  %column = getelementptr i32, ptr addrspace(3) %a, i64 %k
  %x = load i32, ptr addrspace(3) %column
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi i32 [ %more, %inner ]
  %own = load i64, ptr %variable
  %to = getelementptr i32, ptr addrspace(1) %c, i64 %own
  store i32 %result, ptr addrspace(1) %to
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @volatile.fn(
; CHECK-COUNT-1: load volatile i32
; CHECK-NOT: load volatile i32
define void @volatile(ptr addrspace(3) %a, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi i32 [ 0, %rows ], [ %more, %inner ]
  %column = getelementptr i32, ptr addrspace(3) %a, i64 %k
  %x = load volatile i32, ptr addrspace(3) %column
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi i32 [ %more, %inner ]
  %to = getelementptr i32, ptr addrspace(1) %c, i64 %row
  store i32 %result, ptr addrspace(1) %to
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @others.fn(
; CHECK-COUNT-1: load i32
; CHECK-NOT: load i32
define void @others(ptr addrspace(3) %a, ptr addrspace(1) %c) {
entry:
  br label %rows

rows:
  %row = phi i64 [ 0, %entry ], [ %next.row, %end ]
  br label %inner

inner:
  %k = phi i64 [ 0, %rows ], [ %next, %inner ]
  %sum = phi i32 [ 0, %rows ], [ %more, %inner ]
  %column = getelementptr i32, ptr addrspace(3) %a, i64 %k
  %x = load i32, ptr addrspace(3) %column
  %more = add i32 %sum, %x
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %end, label %inner

end:
  %result = phi i32 [ %more, %inner ]
  %to = getelementptr i32, ptr addrspace(1) %c, i64 %row
  store i32 %result, ptr addrspace(1) %to
  %next.row = add nuw nsw i64 %row, 1
  %last = icmp eq i64 %next.row, 8
  br i1 %last, label %exit, label %rows

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.rows"}
