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
