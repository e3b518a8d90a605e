; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=reroll-sums,verify %s -S | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Terms in any order; a load is aligned no more than all, and nobody promises what one does not.
; CHECK-LABEL: define i32 @products
; CHECK: [[END:%.*]] = add i64 {{.*}}, 4
; CHECK: terms:
; CHECK-NEXT: %index = phi i64 [ 0, %ahead ], [ %index.next, %terms ]
; CHECK-NEXT: %sum = phi i32 [ 0, %ahead ], [ [[SUM:%.*]], %terms ]
; CHECK-NEXT: %element{{[0-9]*}} = getelementptr i16, ptr %a, i64 %index
; CHECK-NEXT: load i16, ptr %element{{[0-9]*}}, align 2
; CHECK-NEXT: %element{{[0-9]*}} = getelementptr i16, ptr %b, i64 %index
; CHECK-NEXT: load i16, ptr %element{{[0-9]*}}, align 2
; CHECK-NEXT: sext i16
; CHECK-NEXT: sext i16
; CHECK-NEXT: [[PRODUCT:%.*]] = mul i32
; CHECK-NEXT: [[SUM]] = add i32 %sum, [[PRODUCT]]
; CHECK-NEXT: %index.next = add nuw nsw i64 %index, 1
; CHECK-NEXT: [[MORE:%.*]] = icmp ne i64 %index.next, [[END]]
; CHECK-NEXT: br i1 [[MORE]], label %terms, label %done
define i32 @products(ptr %a, ptr %b, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %sum = phi i32 [ 0, %ahead ], [ %sum.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %i2 = add nuw nsw i64 %i, 2
  %i3 = add nuw nsw i64 %i, 3
  %a0.p = getelementptr inbounds i16, ptr %a, i64 %i
  %a0 = load i16, ptr %a0.p, align 16
  %b0.p = getelementptr inbounds i16, ptr %b, i64 %i
  %b0 = load i16, ptr %b0.p, align 2
  %x0 = sext i16 %a0 to i32
  %y0 = sext i16 %b0 to i32
  %p0 = mul nsw i32 %x0, %y0
  %a1.p = getelementptr inbounds i16, ptr %a, i64 %i1
  %a1 = load i16, ptr %a1.p, align 2
  %b1.p = getelementptr inbounds i16, ptr %b, i64 %i1
  %b1 = load i16, ptr %b1.p, align 2
  %x1 = sext i16 %a1 to i32
  %y1 = sext i16 %b1 to i32
  %p1 = mul nsw i32 %x1, %y1
  %a2.p = getelementptr inbounds i16, ptr %a, i64 %i2
  %a2 = load i16, ptr %a2.p, align 2
  %b2.p = getelementptr inbounds i16, ptr %b, i64 %i2
  %b2 = load i16, ptr %b2.p, align 2
  %x2 = sext i16 %a2 to i32
  %y2 = sext i16 %b2 to i32
  %p2 = mul i32 %x2, %y2
  %a3.p = getelementptr inbounds i16, ptr %a, i64 %i3
  %a3 = load i16, ptr %a3.p, align 2
  %b3.p = getelementptr inbounds i16, ptr %b, i64 %i3
  %b3 = load i16, ptr %b3.p, align 2
  %x3 = sext i16 %a3 to i32
  %y3 = sext i16 %b3 to i32
  %p3 = mul nsw i32 %x3, %y3
  %s1 = add i32 %p2, %p1
  %s2 = add i32 %s1, %sum
  %s3 = add i32 %s2, %p0
  %sum.next = add i32 %p3, %s3
  %i.next = add nuw nsw i64 %i, 4
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  ret i32 %sum.next
exit:
  ret i32 0
}

; Variables that are added up behind the loop.
; CHECK-LABEL: define i32 @two_variables
; CHECK: terms:
; CHECK: [[AT:%element[0-9]*]] = getelementptr i32, ptr %a, i64 %index
; CHECK-NEXT: [[ELEMENT:%.*]] = load i32, ptr [[AT]], align 4
; CHECK-NEXT: [[SUM:%sum[0-9]*]] = add i32 %s, [[ELEMENT]]
; CHECK-NEXT: %index.next
; CHECK: done:
; CHECK-NEXT: %s.end = phi i32 [ [[SUM]], %terms ]
; CHECK-NEXT: %t.end = phi i32 [ 0, %terms ]
define i32 @two_variables(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi i32 [ 0, %ahead ], [ %s.next, %terms ]
  %t = phi i32 [ 0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i1
  %a1 = load i32, ptr %a1.p, align 4
  %s.next = add i32 %s, %a0
  %t.next = add i32 %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi i32 [ %s.next, %terms ]
  %t.end = phi i32 [ %t.next, %terms ]
  %all = add i32 %s.end, %t.end
  ret i32 %all
exit:
  ret i32 0
}

; One of them is seen by itself.
; CHECK-LABEL: define i32 @seen_alone
; CHECK: add nuw nsw i64 %i, 2
define i32 @seen_alone(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi i32 [ 0, %ahead ], [ %s.next, %terms ]
  %t = phi i32 [ 0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i1
  %a1 = load i32, ptr %a1.p, align 4
  %s.next = add i32 %s, %a0
  %t.next = add i32 %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi i32 [ %s.next, %terms ]
  %t.end = phi i32 [ %t.next, %terms ]
  store i32 %t.end, ptr %out, align 4
  %all = add i32 %s.end, %t.end
  ret i32 %all
exit:
  ret i32 0
}

; Floating-point sums keep their order
; CHECK-LABEL: define float @exact
; CHECK: add nuw nsw i64 %i, 2
define float @exact(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi float [ 0.0, %ahead ], [ %s.next, %terms ]
  %t = phi float [ 0.0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds float, ptr %a, i64 %i
  %a0 = load float, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds float, ptr %a, i64 %i1
  %a1 = load float, ptr %a1.p, align 4
  %s.next = fadd float %s, %a0
  %t.next = fadd float %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi float [ %s.next, %terms ]
  %t.end = phi float [ %t.next, %terms ]
  %all = fadd float %s.end, %t.end
  ret float %all
exit:
  ret float 0.0
}

; unless they may be reordered.
; CHECK-LABEL: define float @any_order
; CHECK: %sum{{[0-9]*}} = fadd reassoc float %s,
; CHECK-NEXT: %index.next
define float @any_order(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi float [ 0.0, %ahead ], [ %s.next, %terms ]
  %t = phi float [ 0.0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds float, ptr %a, i64 %i
  %a0 = load float, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds float, ptr %a, i64 %i1
  %a1 = load float, ptr %a1.p, align 4
  %s.next = fadd reassoc nsz float %s, %a0
  %t.next = fadd reassoc float %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi float [ %s.next, %terms ]
  %t.end = phi float [ %t.next, %terms ]
  %all = fadd reassoc float %s.end, %t.end
  ret float %all
exit:
  ret float 0.0
}

; Twice the same element.
; CHECK-LABEL: define i32 @same_element
; CHECK: add nuw nsw i64 %i, 2
define i32 @same_element(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi i32 [ 0, %ahead ], [ %s.next, %terms ]
  %t = phi i32 [ 0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a1 = load i32, ptr %a1.p, align 4
  %s.next = add i32 %s, %a0
  %t.next = add i32 %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi i32 [ %s.next, %terms ]
  %t.end = phi i32 [ %t.next, %terms ]
  %all = add i32 %s.end, %t.end
  ret i32 %all
exit:
  ret i32 0
}

; Elements with one in between that is of another iteration.
; CHECK-LABEL: define i32 @gap
; CHECK: add nuw nsw i64 %i, 2
define i32 @gap(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %s = phi i32 [ 0, %ahead ], [ %s.next, %terms ]
  %t = phi i32 [ 0, %ahead ], [ %t.next, %terms ]
  %i1 = add nuw nsw i64 %i, 3
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i1
  %a1 = load i32, ptr %a1.p, align 4
  %s.next = add i32 %s, %a0
  %t.next = add i32 %t, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  %s.end = phi i32 [ %s.next, %terms ]
  %t.end = phi i32 [ %t.next, %terms ]
  %all = add i32 %s.end, %t.end
  ret i32 %all
exit:
  ret i32 0
}

; Something is stored.
; CHECK-LABEL: define i32 @stores
; CHECK: add nuw nsw i64 %i, 2
define i32 @stores(ptr %a, ptr %out, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %sum = phi i32 [ 0, %ahead ], [ %sum.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i1
  %a1 = load i32, ptr %a1.p, align 4
  store i32 %a0, ptr %out, align 4
  %s1 = add i32 %sum, %a0
  %sum.next = add i32 %s1, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  ret i32 %sum.next
exit:
  ret i32 0
}

; Other functions of the elements.
; CHECK-LABEL: define i32 @functions
; CHECK: add nuw nsw i64 %i, 2
define i32 @functions(ptr %a, i32 %x, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %sum = phi i32 [ 0, %ahead ], [ %sum.next, %terms ]
  %i1 = add nuw nsw i64 %i, 1
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %i
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %i1
  %a1 = load i32, ptr %a1.p, align 4
  %m = sub i32 %a1, %x
  %k = sub i32 %x, %a0
  %s1 = add i32 %sum, %k
  %sum.next = add i32 %s1, %m
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  ret i32 %sum.next
exit:
  ret i32 0
}

; Members of structures that follow each other.
; CHECK-LABEL: define i32 @members
; CHECK: [[AT:%element[0-9]*]] = getelementptr [8 x i8], ptr %a, i64 %index
; CHECK-NEXT: load i32, ptr [[AT]], align 4
define i32 @members(ptr %a, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %ahead, label %exit
ahead:
  br label %terms
terms:
  %i = phi i64 [ 0, %ahead ], [ %i.next, %terms ]
  %sum = phi i32 [ 0, %ahead ], [ %sum.next, %terms ]
  %j = shl nuw nsw i64 %i, 1
  %j2 = add nuw nsw i64 %j, 2
  %a0.p = getelementptr inbounds i32, ptr %a, i64 %j
  %a0 = load i32, ptr %a0.p, align 4
  %a1.p = getelementptr inbounds i32, ptr %a, i64 %j2
  %a1 = load i32, ptr %a1.p, align 4
  %s1 = add i32 %sum, %a0
  %sum.next = add i32 %s1, %a1
  %i.next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %terms, label %done
done:
  ret i32 %sum.next
exit:
  ret i32 0
}
