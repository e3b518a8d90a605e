; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=keep-order,verify %s -S | FileCheck %s
; Loops keep the promise that their iterations are independent, unless accesses of one iteration
; touch the same place and could be exchanged.

; Loads of b behind a store to a, which may be b, would go up to those before it.
; CHECK-LABEL: @butterfly(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[SERIAL:![0-9]+]]
define void @butterfly(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %even = shl nuw nsw i64 %i, 1
  %odd = or disjoint i64 %even, 1
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %even
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %odd
  %b0 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %even
  %b1 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %odd
  %x0 = load i32, ptr addrspace(1) %b0, align 4, !llvm.access.group !0
  %x1 = load i32, ptr addrspace(1) %b1, align 4, !llvm.access.group !0
  %sum = add i32 %x0, %x1
  store i32 %sum, ptr addrspace(1) %a0, align 4, !llvm.access.group !0
  %y0 = load i32, ptr addrspace(1) %b0, align 4, !llvm.access.group !0
  %y1 = load i32, ptr addrspace(1) %b1, align 4, !llvm.access.group !0
  %difference = sub i32 %y0, %y1
  store i32 %difference, ptr addrspace(1) %a1, align 4, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !1
end:
  ret void
}

; All loads come before all stores.
; CHECK-LABEL: @loads_first(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[PARALLEL:![0-9]+]]
define void @loads_first(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %even = shl nuw nsw i64 %i, 1
  %odd = or disjoint i64 %even, 1
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %even
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %odd
  %b0 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %even
  %b1 = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %odd
  %x0 = load i32, ptr addrspace(1) %b0, align 4, !llvm.access.group !0
  %x1 = load i32, ptr addrspace(1) %b1, align 4, !llvm.access.group !0
  %sum = add i32 %x0, %x1
  %difference = sub i32 %x0, %x1
  store i32 %sum, ptr addrspace(1) %a0, align 4, !llvm.access.group !0
  store i32 %difference, ptr addrspace(1) %a1, align 4, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !1
end:
  ret void
}

; Rows are in no group, whatever they may overlap.
; CHECK-LABEL: @rows(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[PARALLEL]]
define void @rows(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 1, ptr addrspace(1) %pa, align 4, !llvm.access.group !0
  %x = load i32, ptr addrspace(1) %pb, align 4, !llvm.access.group !0
  store i32 %x, ptr addrspace(1) %pa, align 4, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !1
end:
  ret void
}

; The store between two that would meet goes to one of their places, nobody knows which.
; CHECK-LABEL: @between(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[BETWEEN:![0-9]+]]
define void @between(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %even = shl nuw nsw i64 %i, 1
  %odd = or disjoint i64 %even, 1
  %bit = and i64 %i, 1
  %one = or disjoint i64 %even, %bit
  %a0 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %even
  %a1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %odd
  %some = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %one
  store i32 6, ptr addrspace(1) %a0, align 4, !llvm.access.group !0
  store i32 7, ptr addrspace(1) %some, align 4, !llvm.access.group !0
  store i32 9, ptr addrspace(1) %a1, align 4, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !1
end:
  ret void
}

; Fields of one structure do not overlap.
; CHECK-LABEL: @fields(
; CHECK: br i1 %again, label %loop, label %end, !llvm.loop [[PARALLEL]]
define void @fields(ptr addrspace(1) %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a0 = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %a, i64 %i, i32 0
  %a1 = getelementptr inbounds { i32, i32 }, ptr addrspace(1) %a, i64 %i, i32 1
  %x = load i32, ptr addrspace(1) %a0, align 4, !llvm.access.group !0
  store i32 7, ptr addrspace(1) %a0, align 4, !llvm.access.group !0
  %y = load i32, ptr addrspace(1) %a1, align 4, !llvm.access.group !0
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %a1, align 4, !llvm.access.group !0
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !1
end:
  ret void
}

; CHECK-DAG: [[SERIAL]] = distinct !{[[SERIAL]], [[ITEMS:![0-9]+]]}
; CHECK-DAG: [[BETWEEN]] = distinct !{[[BETWEEN]], [[ITEMS]]}
; CHECK-DAG: [[ITEMS]] = !{!"weft.items"}
; CHECK-DAG: [[PARALLEL]] = distinct !{[[PARALLEL]], {{.*}}[[ITEMS]]}
!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"weft.items"}
