; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=take-addresses,verify %s -S | FileCheck %s

; Each lane's place is a number away from a pointer of all lanes.
; CHECK-LABEL: @known(
; CHECK: %[[FIRST:.*]] = getelementptr inbounds i8, ptr addrspace(3) %p, i64 8
; CHECK: %[[SUM:.*]] = getelementptr i8, ptr addrspace(3) %[[FIRST]], i64 %n
; CHECK-NOT: extractelement
; CHECK: store i32 1, ptr addrspace(3) %[[SUM]]
; CHECK-NOT: extractelement
; CHECK: ret void
define void @known(ptr addrspace(3) %p, i64 %n) {
  %lanes = getelementptr inbounds i8, ptr addrspace(3) %p, <4 x i64> <i64 0, i64 8, i64 16, i64 24>
  %sums = getelementptr i8, <4 x ptr addrspace(3)> %lanes, i64 %n
  %b = extractelement <4 x ptr addrspace(3)> %sums, i64 1
  store i32 1, ptr addrspace(3) %b
  %d = extractelement <4 x ptr addrspace(3)> %sums, i64 3
  store i32 1, ptr addrspace(3) %d
  ret void
}

; What is in a vector, and what is no lane, is left alone.
; CHECK-LABEL: @unknown(
; CHECK: extractelement <4 x ptr addrspace(3)> %lanes, i64 1
; CHECK: extractelement <4 x ptr addrspace(3)> %lanes, i64 %n
; CHECK: extractelement <4 x ptr addrspace(3)> %others, i64 7
define void @unknown(ptr addrspace(3) %p, <4 x i64> %v, i64 %n) {
  %lanes = getelementptr i8, ptr addrspace(3) %p, <4 x i64> %v
  %b = extractelement <4 x ptr addrspace(3)> %lanes, i64 1
  store i32 1, ptr addrspace(3) %b
  %d = extractelement <4 x ptr addrspace(3)> %lanes, i64 %n
  store i32 1, ptr addrspace(3) %d
  %others = getelementptr i8, ptr addrspace(3) %p, <4 x i64> <i64 0, i64 8, i64 16, i64 24>
  %e = extractelement <4 x ptr addrspace(3)> %others, i64 7
  store i32 1, ptr addrspace(3) %e
  ret void
}
