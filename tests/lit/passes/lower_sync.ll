; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=add-work-item-parameter,lower-sync,verify %s -S | FileCheck %s

; CHECK-LABEL: define void @barriers(
; CHECK-NEXT: fence release, !mmra ![[#LOCAL:]]
; CHECK-NEXT: call void @weft_barrier(ptr %item, i32 4)
; CHECK-NEXT: fence acquire, !mmra ![[#LOCAL]]
; CHECK-NEXT: call void @weft_barrier(ptr %item, i32 5)
; CHECK-NEXT: ret void
define void @barriers() {
  call void @__weft_numbered_barrier(i32 1, i32 1, i32 4)
  call void @__weft_numbered_barrier(i32 0, i32 1, i32 5)
  ret void
}

; A relaxed fence and one on no memory order nothing; an order that is not constant is the strongest,
; and flags that are not constant name all memory.
; CHECK-LABEL: define void @fences(
; CHECK-NEXT: fence acq_rel, !mmra ![[#BOTH:]]
; CHECK-NEXT: fence seq_cst, !mmra ![[#GLOBAL:]]
; CHECK-NEXT: fence syncscope("singlethread") acquire, !mmra ![[#IMAGE:]]
; CHECK-NEXT: fence seq_cst, !mmra ![[#LOCAL]]
; CHECK-NEXT: fence acquire{{$}}
; CHECK-NEXT: ret void
define void @fences(i32 %order) {
  call void @__weft_fence(i32 3, i32 4, i32 1)
  call void @__weft_fence(i32 2, i32 5, i32 2)
  call void @__weft_fence(i32 4, i32 2, i32 0)
  call void @__weft_fence(i32 1, i32 0, i32 1)
  call void @__weft_fence(i32 0, i32 5, i32 1)
  call void @__weft_fence(i32 1, i32 %order, i32 1)
  call void @__weft_fence(i32 %order, i32 2, i32 1)
  ret void
}

; CHECK-NOT: @__weft
; CHECK: ![[#LOCAL]] = !{!"opencl-fence-space", !"local"}
; CHECK: ![[#BOTH]] = !{![[#LOCAL]], ![[#GLOBAL]]}
; CHECK: ![[#GLOBAL]] = !{!"opencl-fence-space", !"global"}
; CHECK: ![[#IMAGE]] = !{!"opencl-fence-space", !"image"}

declare void @__weft_numbered_barrier(i32, i32, i32)
declare void @__weft_fence(i32, i32, i32)
