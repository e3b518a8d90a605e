; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=hoist-launch-fields,verify %s -S | FileCheck %s
; Sizes are read once, before the loops; what the program itself says is invariant stays where it is,
; and so does what lies beyond the group and its launch.

; CHECK-LABEL: define void @sizes(
; CHECK: %launch = load ptr, ptr %{{.*}}, align 8, !invariant.load
; CHECK: %size = load i64, ptr %{{.*}}, align 8, !invariant.load
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NOT: load i64, ptr {{.*}}, align 8, !invariant.load !{{[0-9]+}}, !noundef
; CHECK: add i64 %size, %size
; CHECK: %own = load i64, ptr %table, align 8, !invariant.load
; CHECK: %beyond = load i64, ptr %far, align 8, !invariant.load
define void @sizes(ptr %group) {
entry:
  br label %loop
loop:
  %id = phi i64 [ 0, %entry ], [ %id.next, %more ]
  %launch = load ptr, ptr %group, align 8, !invariant.load !0, !noundef !0
  %place = getelementptr inbounds i8, ptr %launch, i64 8
  %size = load i64, ptr %place, align 8, !invariant.load !0, !noundef !0, !noalias !1
  %id.next = add i64 %id, 1
  %some = icmp ult i64 %id.next, %size
  br i1 %some, label %more, label %end
more:
  %again = getelementptr inbounds i8, ptr %launch, i64 8
  %same = load i64, ptr %again, align 8, !invariant.load !0, !noundef !0
  %sum = add i64 %size, %same
  %at = getelementptr inbounds i8, ptr %launch, i64 104
  %arguments = load ptr, ptr %at, align 8, !invariant.load !0
  %table = load ptr, ptr %arguments, align 8, !invariant.load !0
  %own = load i64, ptr %table, align 8, !invariant.load !0, !noundef !0
  %far = getelementptr inbounds i8, ptr %group, i64 65536
  %beyond = load i64, ptr %far, align 8, !invariant.load !0, !noundef !0
  %x = add i64 %own, %beyond
  %y = add i64 %x, %sum
  %more.of.them = icmp ne i64 %y, 0
  br i1 %more.of.them, label %loop, label %end, !llvm.loop !4
end:
  ret void
}

!0 = !{}
!1 = !{!2}
!2 = distinct !{!2, !3}
!3 = distinct !{!3}
!4 = distinct !{!4, !5}
!5 = !{!"weft.items"}
