; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=relax-convergence,verify %s -S | FileCheck %s

; CHECK: define void @plain(){{ *}}{
; CHECK: call void @leaf(){{$}}
define void @plain() convergent {
  call void @leaf() convergent
  ret void
}
; CHECK: define void @leaf(){{ *}}{
define void @leaf() convergent {
  ret void
}
; CHECK: define void @meets() #[[C:[0-9]+]]
; CHECK: call void @deeper() #[[C]]
define void @meets() convergent {
  call void @deeper() convergent
  ret void
}
; CHECK: define void @deeper() #[[C]]
; CHECK: call void @__weft_numbered_barrier(i32 1, i32 1, i32 0) #[[C]]
define void @deeper() convergent {
  call void @__weft_numbered_barrier(i32 1, i32 1, i32 0) convergent
  ret void
}
; CHECK: attributes #[[C]] = { convergent }
declare void @__weft_numbered_barrier(i32, i32, i32) convergent
