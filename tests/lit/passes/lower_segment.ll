; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a generic pointer points to is a constant where that is known, and found by comparing
; addresses where it is not.
; RUN: weft-opt --passes=add-work-item-parameter,lower-segment,verify %s -S | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

@local = internal addrspace(3) global i32 undef, align 4

declare i32 @__weft_segment(ptr addrspace(4))

; CHECK-NOT: __weft_segment

; CHECK-LABEL: define i32 @of_private(
; CHECK: ret i32 0
define i32 @of_private() {
  %variable = alloca [4 x i32], align 4
  %element = getelementptr i32, ptr %variable, i64 2
  %generic = addrspacecast ptr %element to ptr addrspace(4)
  %segment = call i32 @__weft_segment(ptr addrspace(4) %generic)
  ret i32 %segment
}

; CHECK-LABEL: define i32 @of_local(
; CHECK: ret i32 3
define i32 @of_local() {
  %segment = call i32 @__weft_segment(ptr addrspace(4) addrspacecast (ptr addrspace(3) @local to ptr addrspace(4)))
  ret i32 %segment
}

; A null pointer is in no address space.
; CHECK-LABEL: define i32 @of_global(
; CHECK: %[[NULL:.*]] = icmp eq ptr addrspace(4) %{{.*}}, null
; CHECK: %[[SEGMENT:.*]] = select i1 %[[NULL]], i32 4, i32 1
; CHECK: ret i32 %[[SEGMENT]]
define i32 @of_global(ptr addrspace(1) %p) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %segment = call i32 @__weft_segment(ptr addrspace(4) %generic)
  ret i32 %segment
}

; CHECK-LABEL: define i32 @of_anything(
; CHECK: call ptr @llvm.stacksave
; CHECK: %[[PRIVATE:.*]] = select i1 %{{.*}}, i32 0, i32 1
; CHECK: %[[FOUND:.*]] = select i1 %{{.*}}, i32 3, i32 %[[PRIVATE]]
; CHECK: select i1 %{{.*}}, i32 4, i32 %[[FOUND]]
define i32 @of_anything(ptr addrspace(4) %p) {
  %segment = call i32 @__weft_segment(ptr addrspace(4) %p)
  ret i32 %segment
}
