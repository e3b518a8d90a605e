; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes='freeze-extracts,function(slp-vectorizer)' %s -S | FileCheck %s

; Elements of two vectors, one value several times, and a constant, which LLVM 19 would lose.
; CHECK-LABEL: define void @together
; CHECK: freeze i8
; CHECK: freeze i8
; CHECK: i8 85
define void @together(<8 x i8> %a, <8 x i8> %b, i8 %s, ptr %p) {
  %x = extractelement <8 x i8> %a, i64 0
  %y = extractelement <8 x i8> %b, i64 0
  store i8 %x, ptr %p
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %s, ptr %p1
  %p2 = getelementptr i8, ptr %p, i64 2
  store i8 %s, ptr %p2
  %p3 = getelementptr i8, ptr %p, i64 3
  store i8 %s, ptr %p3
  %p4 = getelementptr i8, ptr %p, i64 4
  store i8 %y, ptr %p4
  %p5 = getelementptr i8, ptr %p, i64 5
  store i8 %s, ptr %p5
  %p6 = getelementptr i8, ptr %p, i64 6
  store i8 85, ptr %p6
  %p7 = getelementptr i8, ptr %p, i64 7
  store i8 %s, ptr %p7
  ret void
}
