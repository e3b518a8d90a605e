; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=split-irreducible %s -S | FileCheck %s
; A loop that is entered in two places keeps one entry; who came in at the other runs a copy of what
; lies between.

declare void @barrier() convergent

; CHECK: define i32 @two
; CHECK: br i1 %second, label %b.copy, label %a
; CHECK: a:
; CHECK-NEXT: phi i32 [ %z.copy, %b.copy ], [ %z, %b ], [ %n, %entry ]
; CHECK: b:
; CHECK-NOT: %entry
; CHECK: br i1 {{.*}}, label %a, label %end
; CHECK: b.copy:
; CHECK-NEXT: %z.copy = add i32 %n, 7
; CHECK: br i1 {{.*}}, label %a, label %end
define i32 @two(i1 %second, i32 %n) {
entry:
  br i1 %second, label %b, label %a
a:
  %x = phi i32 [ %n, %entry ], [ %z, %b ]
  %y = mul i32 %x, 3
  %y1 = xor i32 %y, 11
  %y2 = mul i32 %y1, 5
  br label %b
b:
  %v = phi i32 [ %n, %entry ], [ %y2, %a ]
  %z = add i32 %v, 7
  %more = icmp slt i32 %z, 1000
  br i1 %more, label %a, label %end
end:
  ret i32 %z
}

; Barriers are not copied.
; CHECK: define void @waits
; CHECK: br i1 %second, label %b, label %a
; CHECK-NOT: .copy
; CHECK: ret void
define void @waits(i1 %second, ptr %p) {
entry:
  br i1 %second, label %b, label %a
a:
  call void @barrier() convergent
  br label %b
b:
  call void @barrier() convergent
  %more = load volatile i1, ptr %p
  br i1 %more, label %a, label %end
end:
  ret void
}

; What the other entries lead to is copied as far as the one that stays.
; CHECK: define i32 @nested
; CHECK-NOT: c.copy
; CHECK: a.copy:
; CHECK-NOT: c.copy
define i32 @nested(i1 %second, i32 %n) {
entry:
  br i1 %second, label %c, label %a
a:
  %x = phi i32 [ %n, %entry ], [ %w, %d ]
  %odd = trunc i32 %x to i1
  br i1 %odd, label %c, label %b
b:
  %y = phi i32 [ %x, %a ], [ %z, %c ]
  %y1 = add i32 %y, 3
  br label %c
c:
  %v = phi i32 [ %n, %entry ], [ %x, %a ], [ %y1, %b ]
  %z = add i32 %v, 7
  %again = icmp slt i32 %z, 500
  br i1 %again, label %b, label %d
d:
  %w = add i32 %z, 1
  %more = icmp slt i32 %w, 1000
  br i1 %more, label %a, label %end
end:
  ret i32 %w
}
