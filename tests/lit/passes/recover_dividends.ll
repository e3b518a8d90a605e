; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=total-division,early-cse,recover-dividends,adce,verify %s -S | FileCheck %s
; A row and a column of an index, put together again, are the index.

target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: @place(
; CHECK-NEXT: ret i32 %i
define i32 @place(i32 noundef %i, i32 noundef %w) {
  %y = udiv i32 %i, %w
  %x = urem i32 %i, %w
  %row = mul i32 %y, %w
  %place = add i32 %row, %x
  ret i32 %place
}

; Neighbours keep their distance; what else is in the sum stays.
; CHECK-LABEL: @neighbour(
; CHECK-NEXT: %[[ROWS:.*]] = mul i32 2, %w
; CHECK-NEXT: add i32 %from, %[[ROWS]]
; CHECK-NEXT: add i32 %{{.*}}, %i
; CHECK-NEXT: add i32 %{{.*}}, -1
; CHECK-NEXT: ret i32
define i32 @neighbour(i32 noundef %i, i32 noundef %w, i32 %from) {
  %y = sdiv i32 %i, %w
  %x = srem i32 %i, %w
  %below = add nsw i32 %y, 2
  %row = mul nsw i32 %w, %below
  %start = add nsw i32 %from, %row
  %right = sub nsw i32 %x, 1
  %place = add nsw i32 %start, %right
  ret i32 %place
}

; In four, whose quotients are divided once more, signed ones too.
; CHECK-LABEL: @deeper(
; CHECK-NEXT: ret i64 %i
define i64 @deeper(i64 noundef %i, i64 noundef %w, i64 noundef %h, i64 noundef %d) {
  %x = srem i64 %i, %w
  %rows = sdiv i64 %i, %w
  %y = srem i64 %rows, %h
  %planes = sdiv i64 %rows, %h
  %z = srem i64 %planes, %d
  %t = sdiv i64 %planes, %d
  %times = mul nsw i64 %t, %d
  %plane = add nsw i64 %times, %z
  %down = mul nsw i64 %plane, %h
  %row = add nsw i64 %down, %y
  %across = mul nsw i64 %row, %w
  %place = add nsw i64 %across, %x
  ret i64 %place
}

; In three dimensions, the inner ones first.
; CHECK-LABEL: @deep(
; CHECK-NEXT: ret i64 %i
define i64 @deep(i64 noundef %i, i64 noundef %w, i64 noundef %h) {
  %rest = udiv i64 %i, %w
  %x = urem i64 %i, %w
  %z = udiv i64 %rest, %h
  %y = urem i64 %rest, %h
  %a = mul i64 %z, %h
  %b = add i64 %a, %y
  %c = mul i64 %b, %w
  %place = add i64 %c, %x
  ret i64 %place
}

; Where the parts are extended the whole is.
; CHECK-LABEL: @extended(
; CHECK-NEXT: %[[WIDE:.*]] = sext i32 %i to i64
; CHECK-NEXT: ret i64 %[[WIDE]]
define i64 @extended(i32 noundef %i) {
  %y = sdiv i32 %i, -7
  %x = srem i32 %i, -7
  %wideY = sext i32 %y to i64
  %wideX = sext i32 %x to i64
  %row = mul nsw i64 %wideY, -7
  %place = add nsw i64 %row, %wideX
  ret i64 %place
}

; Negative parts are no larger than what they are taken from only as they are.
; CHECK-LABEL: @mixed(
; CHECK: sdiv
; CHECK: srem
; CHECK: ret i64 %place
define i64 @mixed(i32 noundef %i, i32 noundef %w) {
  %y = sdiv i32 %i, %w
  %x = srem i32 %i, %w
  %wideY = zext i32 %y to i64
  %wideX = zext i32 %x to i64
  %wideW = zext i32 %w to i64
  %row = mul i64 %wideY, %wideW
  %place = add i64 %row, %wideX
  ret i64 %place
}

; Another divisor, another number.
; CHECK-LABEL: @others(
; CHECK: udiv
; CHECK: urem
; CHECK: ret i32 %place
define i32 @others(i32 noundef %i, i32 noundef %w, i32 noundef %h) {
  %y = udiv i32 %i, %w
  %x = urem i32 %i, %h
  %row = mul i32 %y, %w
  %place = add i32 %row, %x
  ret i32 %place
}
