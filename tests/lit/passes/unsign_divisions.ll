; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='unsign-divisions' %s -S | FileCheck %s

; Local ids are below the group's size, and so are the rows and columns that they are taken apart
; into.
; CHECK-LABEL: define i32 @powers
; CHECK: lshr i32 %id, 3
; CHECK: and i32 %id, 15
; CHECK-NOT: div
; CHECK-NOT: rem
define i32 @powers(ptr %item) {
  %x.long = load i64, ptr %item, !range !0
  %at = getelementptr i8, ptr %item, i64 8
  %y.long = load i64, ptr %at, !range !0
  %x = trunc i64 %x.long to i32
  %y = trunc i64 %y.long to i32
  %first = shl i32 %y, 4
  %id = add i32 %first, %x
  %q = sdiv i32 %id, 8
  %r = srem i32 %id, 16
  %s = add i32 %q, %r
  ret i32 %s
}

; CHECK-LABEL: define i32 @others
; CHECK: udiv i32 %x, 12
; CHECK: urem i32 %x, %size
define i32 @others(ptr %item, i32 %n) {
  %x.long = load i64, ptr %item, !range !0
  %x = trunc i64 %x.long to i32
  %size = lshr i32 %n, 1
  %q = sdiv i32 %x, 12
  %r = srem i32 %x, %size
  %s = add i32 %q, %r
  ret i32 %s
}

; What may be negative rounds towards zero, and so does what is divided by it.
; CHECK-LABEL: define i32 @signed
; CHECK: sdiv i32 %n, 8
; CHECK: srem i32 %x, %n
; CHECK: sdiv i32 %x, -8
define i32 @signed(ptr %item, i32 %n) {
  %x.long = load i64, ptr %item, !range !0
  %x = trunc i64 %x.long to i32
  %q = sdiv i32 %n, 8
  %r = srem i32 %x, %n
  %t = sdiv i32 %x, -8
  %s = add i32 %q, %r
  %u = add i32 %s, %t
  ret i32 %u
}

!0 = !{i64 0, i64 16}
