; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=unroll-group-loops,verify %s -S | FileCheck %s

declare void @weft_barrier(ptr, i32) convergent
declare void @use(i32)

; CHECK-LABEL: define void @halves
; CHECK-NOT: phi
; CHECK: call void @use(i32 4)
; CHECK: call void @weft_barrier
; CHECK: call void @use(i32 2)
; CHECK: call void @weft_barrier
; CHECK: call void @use(i32 1)
; CHECK: call void @weft_barrier
; CHECK-NOT: call
; CHECK: ret void
define void @halves(ptr %item) {
entry:
  br label %header
header:
  %s = phi i32 [ 4, %entry ], [ %next, %body ]
  %more = icmp sgt i32 %s, 0
  br i1 %more, label %body, label %done
body:
  call void @use(i32 %s)
  call void @weft_barrier(ptr %item, i32 0) convergent
  %next = lshr i32 %s, 1
  br label %header
done:
  ret void
}

; Steps of one size, an unknown end, and loops without barriers are no business of this pass.
; CHECK-LABEL: define void @others
; CHECK: phi i32
; CHECK: phi i32
; CHECK: phi i32
define void @others(ptr %item, i32 %n) {
entry:
  br label %count
count:
  %i = phi i32 [ 0, %entry ], [ %i.next, %count ]
  call void @use(i32 %i)
  call void @weft_barrier(ptr %item, i32 0) convergent
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, 4
  br i1 %i.more, label %count, label %unknown
unknown:
  %j = phi i32 [ 1, %count ], [ %j.next, %unknown ]
  call void @weft_barrier(ptr %item, i32 1) convergent
  %j.next = shl i32 %j, 1
  %j.more = icmp ult i32 %j.next, %n
  br i1 %j.more, label %unknown, label %alone
alone:
  %k = phi i32 [ 1, %unknown ], [ %k.next, %alone ]
  call void @use(i32 %k)
  %k.next = shl i32 %k, 1
  %k.more = icmp ult i32 %k.next, 16
  br i1 %k.more, label %alone, label %done
done:
  ret void
}

; A bitonic sort: how often the inner loop runs is known in each iteration of the outer one.
; CHECK-LABEL: define void @nest
; CHECK-NOT: phi
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 2)
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 4)
; CHECK: call void @use(i32 2)
; CHECK: call void @use(i32 1)
; CHECK-NOT: call void @use
; CHECK: ret void
define void @nest(ptr %item) {
entry:
  br label %sizes
sizes:
  %size = phi i32 [ 2, %entry ], [ %larger, %step ]
  %more = icmp sle i32 %size, 8
  br i1 %more, label %start, label %done
start:
  %half = sdiv i32 %size, 2
  br label %header
header:
  %s = phi i32 [ %half, %start ], [ %next, %body ]
  %left = icmp sgt i32 %s, 0
  br i1 %left, label %body, label %step
body:
  call void @use(i32 %s)
  call void @weft_barrier(ptr %item, i32 0) convergent
  %next = sdiv i32 %s, 2
  br label %header
step:
  %larger = mul nsw i32 %size, 2
  br label %sizes
done:
  ret void
}
