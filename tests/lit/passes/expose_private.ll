; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=expose-private,verify %s -S | FileCheck %s

; Sums in two dimensions, updated in a loop of unknown length: the short loops become straight code,
; and nothing that is never reached keeps the array from becoming four values.
; CHECK-LABEL: define void @blocked
; CHECK-NOT: alloca
; CHECK-COUNT-4: phi float
; CHECK-NOT: phi float
; CHECK: ret void
define void @blocked(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %n) {
entry:
  %sum = alloca [2 x [2 x float]]
  br label %clear

clear:
  %i = phi i32 [ 0, %entry ], [ %i.next, %clear.next ]
  %i.less = icmp slt i32 %i, 2
  br i1 %i.less, label %clear.row, label %body

clear.row:
  %j = phi i32 [ 0, %clear ], [ %j.next, %clear.one ]
  %j.less = icmp slt i32 %j, 2
  br i1 %j.less, label %clear.one, label %clear.next

clear.one:
  %i.wide = sext i32 %i to i64
  %clear.p = getelementptr inbounds [2 x [2 x float]], ptr %sum, i64 0, i64 %i.wide
  %j.wide = sext i32 %j to i64
  %clear.q = getelementptr inbounds [2 x float], ptr %clear.p, i64 0, i64 %j.wide
  store float 0.0, ptr %clear.q
  %j.next = add nsw i32 %j, 1
  br label %clear.row

clear.next:
  %i.next = add nsw i32 %i, 1
  br label %clear

body:
  %k = phi i32 [ 0, %clear ], [ %k.next, %body.next ]
  %k.less = icmp slt i32 %k, %n
  br i1 %k.less, label %rows, label %done

rows:
  %r = phi i32 [ 0, %body ], [ %r.next, %rows.next ]
  %r.less = icmp slt i32 %r, 2
  br i1 %r.less, label %columns, label %body.next

columns:
  %s = phi i32 [ 0, %rows ], [ %s.next, %columns.one ]
  %s.less = icmp slt i32 %s, 2
  br i1 %s.less, label %columns.one, label %rows.next

columns.one:
  %s.wide = sext i32 %s to i64
  %r.wide = sext i32 %r to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %s.wide
  %value = load float, ptr addrspace(1) %from
  %row = getelementptr inbounds [2 x [2 x float]], ptr %sum, i64 0, i64 %r.wide
  %place = getelementptr inbounds [2 x float], ptr %row, i64 0, i64 %s.wide
  %old = load float, ptr %place
  %new = fadd float %old, %value
  store float %new, ptr %place
  %s.next = add nsw i32 %s, 1
  br label %columns

rows.next:
  %r.next = add nsw i32 %r, 1
  br label %rows

body.next:
  %k.next = add nsw i32 %k, 1
  br label %body

done:
  %last = getelementptr inbounds [2 x [2 x float]], ptr %sum, i64 0, i64 1, i64 1
  %result = load float, ptr %last
  store float %result, ptr addrspace(1) %c
  ret void
}

; Sixteen iterations of a dozen instructions are more than LLVM unrolls by itself.
; CHECK-LABEL: define void @writes_out
; CHECK-NOT: alloca
; CHECK-COUNT-16: store float
; CHECK: ret void
define void @writes_out(ptr addrspace(1) %a, ptr addrspace(1) %c, i32 %ldc, float %alpha, float %beta) {
entry:
  %sum = alloca [16 x float]
  br label %read

read:
  %i = phi i32 [ 0, %entry ], [ %i.next, %read.one ]
  %i.less = icmp slt i32 %i, 16
  br i1 %i.less, label %read.one, label %write

read.one:
  %i.wide = sext i32 %i to i64
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %i.wide
  %value = load float, ptr addrspace(1) %from
  %into = getelementptr inbounds [16 x float], ptr %sum, i64 0, i64 %i.wide
  store float %value, ptr %into
  %i.next = add nsw i32 %i, 1
  br label %read

write:
  %k = phi i32 [ 0, %read ], [ %k.next, %write.one ]
  %to = phi ptr addrspace(1) [ %c, %read ], [ %to.next, %write.one ]
  %k.less = icmp slt i32 %k, 16
  br i1 %k.less, label %write.one, label %done

write.one:
  %k.wide = sext i32 %k to i64
  %place = getelementptr inbounds [16 x float], ptr %sum, i64 0, i64 %k.wide
  %x = load float, ptr %place
  %old = load float, ptr addrspace(1) %to
  %scaled = fmul float %beta, %old
  %y = call float @llvm.fmuladd.f32(float %alpha, float %x, float %scaled)
  store float %y, ptr addrspace(1) %to
  %k.next = add nsw i32 %k, 1
  %step = sext i32 %ldc to i64
  %to.next = getelementptr inbounds float, ptr addrspace(1) %to, i64 %step
  br label %write

done:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

; What is left of a structure that is copied whole becomes integers, as wide as its alignment, and
; no variable.
; CHECK-LABEL: define void @copies
; CHECK-NOT: alloca
; CHECK-NOT: llvm.memcpy
; CHECK-COUNT-2: load i32, ptr addrspace(1)
; CHECK-NOT: load
; CHECK-COUNT-2: store i32
; CHECK: ret void
define void @copies(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %part = alloca { i32, float }, align 4
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %part, ptr addrspace(1) align 4 %from, i64 8, i1 false)
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) align 4 %to, ptr align 4 %part, i64 8, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @llvm.memcpy.p1.p0.i64(ptr addrspace(1), ptr, i64, i1)

; An array of places in another one: the places are constants once that one is gone, and only then can
; the other go.
@order = internal unnamed_addr constant [4 x i32] [i32 2, i32 0, i32 3, i32 1]
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define void @permutes
; CHECK-NOT: alloca
; CHECK: ret void
define void @permutes(ptr addrspace(1) %to, ptr addrspace(1) %from) {
entry:
  %data = alloca [4 x float]
  %order = alloca [4 x i32]
  br label %read
read:
  %i = phi i32 [ 0, %entry ], [ %i.next, %read ]
  %p = getelementptr inbounds float, ptr addrspace(1) %from, i32 %i
  %x = load float, ptr addrspace(1) %p
  %q = getelementptr inbounds [4 x float], ptr %data, i64 0, i32 %i
  store float %x, ptr %q
  %i.next = add nsw i32 %i, 1
  %i.less = icmp slt i32 %i.next, 4
  br i1 %i.less, label %read, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %order, ptr align 4 @order, i64 16, i1 false)
  br label %write
write:
  %j = phi i32 [ 0, %copy ], [ %j.next, %write ]
  %o = getelementptr inbounds [4 x i32], ptr %order, i64 0, i32 %j
  %place = load i32, ptr %o
  %r = getelementptr inbounds [4 x float], ptr %data, i64 0, i32 %place
  %y = load float, ptr %r
  %s = getelementptr inbounds float, ptr addrspace(1) %to, i32 %j
  store float %y, ptr addrspace(1) %s
  %j.next = add nsw i32 %j, 1
  %j.less = icmp slt i32 %j.next, 4
  br i1 %j.less, label %write, label %done
done:
  ret void
}
