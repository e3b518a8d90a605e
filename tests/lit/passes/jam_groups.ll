; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --passes=retarget,jam-groups,verify --variant=flat %s -S | FileCheck %s
; Two lane groups at once where vectorize-items asks for that, and one more where their number is
; odd.

target triple = "x86_64-unknown-linux-gnu"
declare <64 x float> @llvm.fma.v64f32(<64 x float>, <64 x float>, <64 x float>)

; CHECK-LABEL: @any.fn(
; CHECK: inner:
; CHECK-COUNT-2: call <64 x float> @llvm.fma.v64f32(
; CHECK-NOT: call
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner
; CHECK: inner.epil:
; CHECK-COUNT-1: call <64 x float> @llvm.fma.v64f32(
; CHECK-NOT: call
; CHECK: ret void
define void @any(ptr addrspace(1) %p, <64 x float> %f, i64 %count) {
entry:
  br label %groups

groups:
  %first = phi i64 [ 0, %entry ], [ %behind, %end ]
  %place = getelementptr float, ptr addrspace(1) %p, i64 %first
  %start = load <64 x float>, ptr addrspace(1) %place
  br label %inner

inner:
  %k = phi i64 [ 0, %groups ], [ %next, %inner ]
  %x = phi <64 x float> [ %start, %groups ], [ %more, %inner ]
  %more = call <64 x float> @llvm.fma.v64f32(<64 x float> %x, <64 x float> %f, <64 x float> %f)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %inner

end:
  store <64 x float> %more, ptr addrspace(1) %place
  %behind = add nuw nsw i64 %first, 64
  %last = icmp eq i64 %behind, %count
  br i1 %last, label %exit, label %groups, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: @even.fn(
; CHECK: inner:
; CHECK-COUNT-2: call <64 x float> @llvm.fma.v64f32(
; CHECK-NOT: call
; CHECK: ret void
define void @even(ptr addrspace(1) %p, <64 x float> %f) {
entry:
  br label %groups

groups:
  %first = phi i64 [ 0, %entry ], [ %behind, %end ]
  %place = getelementptr float, ptr addrspace(1) %p, i64 %first
  %start = load <64 x float>, ptr addrspace(1) %place
  br label %inner

inner:
  %k = phi i64 [ 0, %groups ], [ %next, %inner ]
  %x = phi <64 x float> [ %start, %groups ], [ %more, %inner ]
  %more = call <64 x float> @llvm.fma.v64f32(<64 x float> %x, <64 x float> %f, <64 x float> %f)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %inner

end:
  store <64 x float> %more, ptr addrspace(1) %place
  %behind = add nuw nsw i64 %first, 64
  %last = icmp eq i64 %behind, 256
  br i1 %last, label %exit, label %groups, !llvm.loop !0

exit:
  ret void
}

; All groups write to one place, in their order.
; CHECK-LABEL: @shared.fn(
; CHECK-COUNT-1: call <64 x float> @llvm.fma.v64f32(
; CHECK-NOT: call
; CHECK: ret void
define void @shared(ptr addrspace(1) %p, <64 x float> %f, i64 %count) {
entry:
  br label %groups

groups:
  %first = phi i64 [ 0, %entry ], [ %behind, %end ]
  %place = getelementptr float, ptr addrspace(1) %p, i64 %first
  %start = load <64 x float>, ptr addrspace(1) %place
  br label %inner

inner:
  %k = phi i64 [ 0, %groups ], [ %next, %inner ]
  %x = phi <64 x float> [ %start, %groups ], [ %more, %inner ]
  %more = call <64 x float> @llvm.fma.v64f32(<64 x float> %x, <64 x float> %f, <64 x float> %f)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %end, label %inner

end:
  store volatile <64 x float> %more, ptr addrspace(1) %p
  %behind = add nuw nsw i64 %first, 64
  %last = icmp eq i64 %behind, %count
  br i1 %last, label %exit, label %groups, !llvm.loop !0

exit:
  ret void
}

; The loop inside runs as often as each group's first work-item says.
; CHECK-LABEL: @differs.fn(
; CHECK-COUNT-1: call <64 x float> @llvm.fma.v64f32(
; CHECK-NOT: call
; CHECK: ret void
define void @differs(ptr addrspace(1) %p, <64 x float> %f, i64 %count) {
entry:
  br label %groups

groups:
  %first = phi i64 [ 0, %entry ], [ %behind, %end ]
  %place = getelementptr float, ptr addrspace(1) %p, i64 %first
  %start = load <64 x float>, ptr addrspace(1) %place
  %times = add nuw nsw i64 %first, 1
  br label %inner

inner:
  %k = phi i64 [ 0, %groups ], [ %next, %inner ]
  %x = phi <64 x float> [ %start, %groups ], [ %more, %inner ]
  %more = call <64 x float> @llvm.fma.v64f32(<64 x float> %x, <64 x float> %f, <64 x float> %f)
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %times
  br i1 %done, label %end, label %inner

end:
  store <64 x float> %more, ptr addrspace(1) %place
  %behind = add nuw nsw i64 %first, 64
  %last = icmp eq i64 %behind, %count
  br i1 %last, label %exit, label %groups, !llvm.loop !0

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.groups_at_once", i32 2}
