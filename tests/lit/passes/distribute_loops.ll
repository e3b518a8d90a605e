; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=distribute-loops,verify %s -S | FileCheck %s

; A number that follows by itself comes first; then what lanes compute; a sum under a condition, in
; order, adds nothing, -0, where the condition does not hold.
; CHECK-LABEL: define void @known(
; CHECK-NOT: loop.item{{.*}}phi
; CHECK: first:
; CHECK: store i32 %bits
; CHECK: lshr i32
; CHECK: parallel:
; CHECK: body.parallel:
; CHECK: %[[I:iteration.*]] = phi i64
; CHECK: load i32, ptr %{{.*}}
; CHECK: fdiv float
; CHECK: %chosen{{.*}} = phi float [ -0.000000e+00, %body.parallel ], [ %w{{.*}}, %add.parallel ]
; CHECK: store float %chosen
; CHECK: br i1 %{{.*}}, label %parallel.end, label %body.parallel, !llvm.loop ![[LANES:[0-9]+]]
; CHECK: ordered:
; CHECK: %sum{{.*}} = phi float [ 5.000000e-01, %parallel.end ]
; CHECK-NOT: select
; CHECK: fadd float %sum
; CHECK-NOT: fdiv
; CHECK: ret void
define void @known(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %out, i32 %start) {
entry:
  br label %loop.item
loop.item:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %body
body:
  %i = phi i64 [ 0, %loop.item ], [ %i.next, %latch ]
  %sum = phi float [ 0.5, %loop.item ], [ %sum.next, %latch ]
  %bits = phi i32 [ %start, %loop.item ], [ %bits.next, %latch ]
  %place = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %place
  %a = fmul float %v, %v
  %b = fadd float %a, 3.0
  %c = fdiv float %a, %b
  %d = fmul float %c, %v
  %e = fadd float %d, %c
  %f = fmul float %e, %e
  %g = fsub float %f, %b
  %h = fmul float %g, %d
  %k = fadd float %h, %g
  %l = fmul float %k, %h
  %m = fsub float %l, %e
  %odd = trunc i32 %bits to i1
  br i1 %odd, label %add, label %latch
add:
  %w = fmul float %m, %l
  %added = fadd float %sum, %w
  br label %latch
latch:
  %sum.next = phi float [ %sum, %body ], [ %added, %add ]
  %bits.next = lshr i32 %bits, 1
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 32
  br i1 %more, label %body, label %end
end:
  %last = phi float [ %sum.next, %latch ]
  store float %last, ptr addrspace(1) %out
  %next.item = add nuw nsw i64 %item, 1
  %done = icmp eq i64 %next.item, 1
  br i1 %done, label %exit, label %loop.item, !llvm.loop !0
exit:
  ret void
}

; Rounds of 64 iterations, where nobody knows how many there are, and the loop as it was for few.
; CHECK-LABEL: define void @rounds(
; CHECK: icmp ult i64 %{{.*}}, 16
; CHECK: br i1 %{{.*}}, label %serial, label %distributed
; CHECK: distributed.round:
; CHECK: %done{{.*}} = phi i64
; CHECK: call i64 @llvm.umin.i64(i64 %{{.*}}, i64 64)
; CHECK: body.parallel:
; CHECK: ordered:
; CHECK: fadd float
define void @rounds(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  br label %loop.item
loop.item:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %body
body:
  %i = phi i64 [ 0, %loop.item ], [ %i.next, %body ]
  %sum = phi float [ 0.5, %loop.item ], [ %sum.next, %body ]
  %place = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %place
  %a = fmul float %v, %v
  %b = fadd float %a, 3.0
  %c = fdiv float %a, %b
  %d = fmul float %c, %v
  %e = fadd float %d, %c
  %f = fmul float %e, %e
  %sum.next = fadd float %sum, %f
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %body, label %end
end:
  %last = phi float [ %sum.next, %body ]
  store float %last, ptr addrspace(1) %out
  %next.item = add nuw nsw i64 %item, 1
  %done = icmp eq i64 %next.item, 1
  br i1 %done, label %exit, label %loop.item, !llvm.loop !0
exit:
  ret void
}

; Each iteration reads what the one before has written.
; CHECK-LABEL: define void @dependent(
; CHECK: loop.item:
; CHECK-NEXT: %item = phi
; CHECK-NOT: parallel
; CHECK: ret void
define void @dependent(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %out) {
entry:
  br label %loop.item
loop.item:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %body
body:
  %i = phi i64 [ 0, %loop.item ], [ %i.next, %body ]
  %sum = phi float [ 0.5, %loop.item ], [ %sum.next, %body ]
  %place = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %place
  %a = fmul float %v, %v
  %b = fadd float %a, 3.0
  %c = fdiv float %a, %b
  %d = fmul float %c, %v
  %e = fadd float %d, %c
  %f = fmul float %e, %e
  %i.next = add nuw nsw i64 %i, 1
  %behind = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i.next
  store float %f, ptr addrspace(1) %behind
  %sum.next = fadd float %sum, %f
  %more = icmp ult i64 %i.next, 32
  br i1 %more, label %body, label %end
end:
  %last = phi float [ %sum.next, %body ]
  store float %last, ptr addrspace(1) %out
  %next.item = add nuw nsw i64 %item, 1
  %done = icmp eq i64 %next.item, 1
  br i1 %done, label %exit, label %loop.item, !llvm.loop !0
exit:
  ret void
}

; Two work-items have lanes of their own.
; CHECK-LABEL: define void @items(
; CHECK: loop.item:
; CHECK-NEXT: %item = phi
; CHECK-NOT: parallel
; CHECK: ret void
define void @items(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %out) {
entry:
  br label %loop.item
loop.item:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %body
body:
  %i = phi i64 [ 0, %loop.item ], [ %i.next, %body ]
  %sum = phi float [ 0.5, %loop.item ], [ %sum.next, %body ]
  %place = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %place
  %a = fmul float %v, %v
  %b = fadd float %a, 3.0
  %c = fdiv float %a, %b
  %d = fmul float %c, %v
  %e = fadd float %d, %c
  %f = fmul float %e, %e
  %sum.next = fadd float %sum, %f
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 32
  br i1 %more, label %body, label %end
end:
  %last = phi float [ %sum.next, %body ]
  store float %last, ptr addrspace(1) %out
  %next.item = add nuw nsw i64 %item, 1
  %done = icmp eq i64 %next.item, 2
  br i1 %done, label %exit, label %loop.item, !llvm.loop !0
exit:
  ret void
}

; CHECK: ![[LANES]] = distinct !{![[LANES]], !{{[0-9]+}}, !{{[0-9]+}}}
!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
