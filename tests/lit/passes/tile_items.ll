; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=tile-items,verify %s -S | FileCheck %s
; Work-items of four rows write what lies side by side at once.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @transpose(
; CHECK: loop.row:
; CHECK: %[[NEXT:.*]] = add nuw i64 %id.row, 4
; CHECK: %[[FITS:.*]] = icmp ule i64 %[[NEXT]], %rows
; CHECK: %[[THIRD:.*]] = icmp slt i64 %row2, %h
; CHECK: br i1 %{{.*}}, label %tile, label %items.split
; Four blocks of four rows fill a line of the cache, as far as there are so many that all go on.
; CHECK: tile:
; CHECK: %[[BLOCKS:.*]] = udiv i64 %{{.*}}, 4
; CHECK: %[[MOST:.*]] = call i64 @llvm.umin.i64(i64 %[[BLOCKS]], i64 4)
; CHECK: tile.count:
; CHECK: %blocks = phi i64 [ 1, %tile ]
; CHECK: icmp ult i64 %blocks, %[[MOST]]
; CHECK-COUNT-4: icmp slt i64 %{{.*}}, %h
; CHECK: br i1 %{{.*}}, label %tile.count, label %tile.counted
; CHECK: %[[ROWS:.*]] = mul nuw i64 %blocks, 4
; CHECK: tile.items:
; CHECK: tile.rows:
; CHECK: load float
; CHECK: load float
; CHECK: load float
; CHECK: load float
; CHECK: store <4 x float> %{{.*}}, ptr addrspace(1) %{{.*}}, align 4, !alias.scope
; CHECK: icmp ult i64 %{{.*}}, %blocks
; CHECK: br i1 %{{.*}}, label %tile.rows, label %tile.next, !llvm.loop ![[OFBLOCKS:[0-9]+]]
; CHECK: br i1 %{{.*}}, label %tile.end, label %tile.items, !llvm.loop ![[TILE:[0-9]+]]
; CHECK: next.row:
; CHECK: %rows{{.*}} = phi i64 {{.*}}[ %[[ROWS]], %tile.end ]
; CHECK: %{{.*}} = add nuw nsw i64 %id.row, %rows
define void @transpose(ptr %group, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %w, i64 %h, i64 %rows, i64 %count) {
entry:
  br label %loop.row
loop.row:
  %id.row = phi i64 [ 0, %entry ], [ %row.next, %next.row ]
  br label %items
items:
  br label %loop.item
loop.item:
  %id.item = phi i64 [ 0, %items ], [ %item.next, %next.item ]
  %is.inside = icmp slt i64 %id.row, %h
  br i1 %is.inside, label %body, label %next.item
body:
  %line = mul nsw i64 %id.row, %w
  %from = add nsw i64 %line, %id.item
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %from
  %v = load float, ptr addrspace(1) %p, align 4
  %column = mul nsw i64 %id.item, %h
  %to = add nsw i64 %column, %id.row
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to
  store float %v, ptr addrspace(1) %q, align 4, !alias.scope !6
  br label %next.item
next.item:
  %item.next = add nuw nsw i64 %id.item, 1
  %item.last = icmp eq i64 %item.next, %count
  br i1 %item.last, label %next.row, label %loop.item, !llvm.loop !0
next.row:
  %row.next = add nuw nsw i64 %id.row, 1
  %row.last = icmp eq i64 %row.next, %rows
  br i1 %row.last, label %exit, label %loop.row, !llvm.loop !2
exit:
  ret void
}

; Vectors stay where they are, those of four rows that fill a line next to each other in time.
; CHECK-LABEL: @vectors(
; CHECK: tile.rows:
; CHECK-COUNT-4: load <4 x float>
; CHECK-COUNT-4: store <4 x float>
; CHECK: icmp ult i64 %{{.*}}, 1
; CHECK: ret void
define void @vectors(ptr %group, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %w, i64 %h, i64 %rows, i64 %count) {
entry:
  br label %loop.row
loop.row:
  %id.row = phi i64 [ 0, %entry ], [ %row.next, %next.row ]
  br label %loop.item
loop.item:
  %id.item = phi i64 [ 0, %loop.row ], [ %item.next, %loop.item ]
  %line = mul nsw i64 %id.row, %w
  %from = add nsw i64 %line, %id.item
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %in, i64 %from
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %column = mul nsw i64 %id.item, %h
  %to = add nsw i64 %column, %id.row
  %q = getelementptr inbounds <4 x float>, ptr addrspace(1) %out, i64 %to
  store <4 x float> %v, ptr addrspace(1) %q, align 16
  %item.next = add nuw nsw i64 %id.item, 1
  %item.last = icmp eq i64 %item.next, %count
  br i1 %item.last, label %next.row, label %loop.item, !llvm.loop !0
next.row:
  %row.next = add nuw nsw i64 %id.row, 1
  %row.last = icmp eq i64 %row.next, %rows
  br i1 %row.last, label %exit, label %loop.row, !llvm.loop !2
exit:
  ret void
}

; Not what a row writes side by side anyway, nor where the number of work-items depends on the row, nor
; what is atomic.
; CHECK-LABEL: @copy(
; CHECK-NOT: tile
; CHECK-LABEL: @triangle(
; CHECK-NOT: tile
; CHECK-LABEL: @atomic(
; CHECK-NOT: tile
; CHECK: ![[OFBLOCKS]] = distinct !{![[OFBLOCKS]], ![[ROWBLOCKS:[0-9]+]]}
; CHECK: ![[ROWBLOCKS]] = !{!"weft.row_blocks"}
; CHECK: ![[TILE]] = distinct !{![[TILE]], ![[ITEMS:[0-9]+]]}
; CHECK: ![[ITEMS]] = !{!"weft.items"}
define void @copy(ptr %group, ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %w, i64 %rows, i64 %count) {
entry:
  br label %loop.row
loop.row:
  %id.row = phi i64 [ 0, %entry ], [ %row.next, %next.row ]
  br label %loop.item
loop.item:
  %id.item = phi i64 [ 0, %loop.row ], [ %item.next, %loop.item ]
  %line = mul nsw i64 %id.row, %w
  %from = add nsw i64 %line, %id.item
  %p = getelementptr inbounds float, ptr addrspace(1) %in, i64 %from
  %v = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %from
  store float %v, ptr addrspace(1) %q, align 4
  %item.next = add nuw nsw i64 %id.item, 1
  %item.last = icmp eq i64 %item.next, %count
  br i1 %item.last, label %next.row, label %loop.item, !llvm.loop !0
next.row:
  %row.next = add nuw nsw i64 %id.row, 1
  %row.last = icmp eq i64 %row.next, %rows
  br i1 %row.last, label %exit, label %loop.row, !llvm.loop !2
exit:
  ret void
}

define void @triangle(ptr %group, ptr addrspace(1) %out, i64 %h, i64 %rows) {
entry:
  br label %loop.row
loop.row:
  %id.row = phi i64 [ 0, %entry ], [ %row.next, %next.row ]
  %count = add nuw nsw i64 %id.row, 1
  br label %loop.item
loop.item:
  %id.item = phi i64 [ 0, %loop.row ], [ %item.next, %loop.item ]
  %column = mul nsw i64 %id.item, %h
  %to = add nsw i64 %column, %id.row
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to
  store float 1.0, ptr addrspace(1) %q, align 4
  %item.next = add nuw nsw i64 %id.item, 1
  %item.last = icmp eq i64 %item.next, %count
  br i1 %item.last, label %next.row, label %loop.item, !llvm.loop !0
next.row:
  %row.next = add nuw nsw i64 %id.row, 1
  %row.last = icmp eq i64 %row.next, %rows
  br i1 %row.last, label %exit, label %loop.row, !llvm.loop !2
exit:
  ret void
}

define void @atomic(ptr %group, ptr addrspace(1) %out, i64 %h, i64 %rows, i64 %count) {
entry:
  br label %loop.row
loop.row:
  %id.row = phi i64 [ 0, %entry ], [ %row.next, %next.row ]
  br label %loop.item
loop.item:
  %id.item = phi i64 [ 0, %loop.row ], [ %item.next, %loop.item ]
  %column = mul nsw i64 %id.item, %h
  %to = add nsw i64 %column, %id.row
  %q = getelementptr inbounds float, ptr addrspace(1) %out, i64 %to
  store atomic float 1.0, ptr addrspace(1) %q monotonic, align 4
  %item.next = add nuw nsw i64 %id.item, 1
  %item.last = icmp eq i64 %item.next, %count
  br i1 %item.last, label %next.row, label %loop.item, !llvm.loop !0
next.row:
  %row.next = add nuw nsw i64 %id.row, 1
  %row.last = icmp eq i64 %row.next, %rows
  br i1 %row.last, label %exit, label %loop.row, !llvm.loop !2
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
!2 = distinct !{!2, !3}
!3 = !{!"weft.rows"}
!6 = !{!7}
!7 = distinct !{!7, !8}
!8 = distinct !{!8}
