; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=unroll-pieces,verify %s -S | FileCheck %s

; Three elements of each work-item's own, beside its neighbours'. What they are counted from is one value.
; CHECK-LABEL: define void @piece(
; CHECK: items:
; CHECK-COUNT-1: mul nuw nsw i64 %item, 3
; CHECK-NOT: mul
; CHECK-NOT: phi
; CHECK-COUNT-3: store float %v
; CHECK-NOT: store
; CHECK: ret void
define void @piece(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  %from = getelementptr float, ptr addrspace(1) %y, i64 %item
  %v = load float, ptr addrspace(1) %from
  br label %piece
piece:
  %d = phi i64 [ 0, %items ], [ %d.next, %piece ]
  %first = mul nuw nsw i64 %item, 3
  %place = add nuw nsw i64 %first, %d
  %to = getelementptr float, ptr addrspace(1) %x, i64 %place
  store float %v, ptr addrspace(1) %to
  %d.next = add nuw nsw i64 %d, 1
  %more = icmp ult i64 %d.next, 3
  br i1 %more, label %piece, label %end
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, %count
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; A piece of a longer row.
; CHECK-LABEL: define void @part(
; CHECK: %d = phi
; CHECK: ret void
define void @part(ptr addrspace(1) %x, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %piece
piece:
  %d = phi i64 [ 0, %items ], [ %d.next, %piece ]
  %first = mul nuw nsw i64 %item, 4
  %place = add nuw nsw i64 %first, %d
  %to = getelementptr float, ptr addrspace(1) %x, i64 %place
  store float 0.0, ptr addrspace(1) %to
  %d.next = add nuw nsw i64 %d, 1
  %more = icmp ult i64 %d.next, 3
  br i1 %more, label %piece, label %end
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, %count
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Pieces of any size.
; CHECK-LABEL: define void @unknown(
; CHECK: %d = phi
; CHECK: ret void
define void @unknown(ptr addrspace(1) %x, i64 %count, i64 %n) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %piece
piece:
  %d = phi i64 [ 0, %items ], [ %d.next, %piece ]
  %first = mul nuw nsw i64 %item, %n
  %place = add nuw nsw i64 %first, %d
  %to = getelementptr float, ptr addrspace(1) %x, i64 %place
  store float 0.0, ptr addrspace(1) %to
  %d.next = add nuw nsw i64 %d, 1
  %more = icmp ult i64 %d.next, %n
  br i1 %more, label %piece, label %end
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, %count
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Rows of two elements, which lie beside those of neighbours each: all of it is in one block.
; CHECK-LABEL: define void @rows(
; CHECK: %item = phi
; CHECK-NOT: phi
; CHECK-COUNT-4: store float %v
; CHECK-NOT: br
; CHECK: br i1 %last
define void @rows(ptr addrspace(3) %x, ptr addrspace(1) %y, i64 %count) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  %from = getelementptr float, ptr addrspace(1) %y, i64 %item
  %v = load float, ptr addrspace(1) %from
  br label %piece
piece:
  %d = phi i64 [ 0, %items ], [ %d.next, %piece.end ]
  br label %row
row:
  %r = phi i64 [ 0, %piece ], [ %r.next, %row ]
  %first = mul nuw nsw i64 %item, 2
  %place = add nuw nsw i64 %first, %d
  %row.first = mul nuw nsw i64 %r, 64
  %in.row = add nuw nsw i64 %place, %row.first
  %to = getelementptr float, ptr addrspace(3) %x, i64 %in.row
  store float %v, ptr addrspace(3) %to
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp ult i64 %r.next, 2
  br i1 %r.more, label %row, label %piece.end
piece.end:
  %d.next = add nuw nsw i64 %d, 1
  %more = icmp ult i64 %d.next, 2
  br i1 %more, label %piece, label %end
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, %count
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

; Any number of them.
; CHECK-LABEL: define void @any_rows(
; CHECK: %d = phi
; CHECK: %r = phi
; CHECK: ret void
define void @any_rows(ptr addrspace(3) %x, i64 %count, i64 %n) {
entry:
  br label %items
items:
  %item = phi i64 [ 0, %entry ], [ %next.item, %end ]
  br label %piece
piece:
  %d = phi i64 [ 0, %items ], [ %d.next, %piece.end ]
  br label %row
row:
  %r = phi i64 [ 0, %piece ], [ %r.next, %row ]
  %first = mul nuw nsw i64 %item, 2
  %place = add nuw nsw i64 %first, %d
  %row.first = mul nuw nsw i64 %r, 64
  %in.row = add nuw nsw i64 %place, %row.first
  %to = getelementptr float, ptr addrspace(3) %x, i64 %in.row
  store float 0.0, ptr addrspace(3) %to
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp ult i64 %r.next, %n
  br i1 %r.more, label %row, label %piece.end
piece.end:
  %d.next = add nuw nsw i64 %d, 1
  %more = icmp ult i64 %d.next, 2
  br i1 %more, label %piece, label %end
end:
  %next.item = add nuw nsw i64 %item, 1
  %last = icmp eq i64 %next.item, %count
  br i1 %last, label %exit, label %items, !llvm.loop !0
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"weft.items"}
