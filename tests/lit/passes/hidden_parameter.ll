; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=add-work-item-parameter,lower-sync,verify %s -S | FileCheck %s
; RUN: not weft-opt --passes=add-work-item-parameter %S/Inputs/address_taken.ll -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=TAKEN
; The item reaches a barrier through any depth of calls; attributes of parameters move along.

; CHECK: define void @k(ptr noalias nocapture noundef nonnull readonly align 8 dereferenceable(64) %item, ptr addrspace(1) noundef align 4 %p, ptr byval([4 x i32]) align 4 %s)
; CHECK: call void @outer(ptr %item, ptr addrspace(1) noundef %p)
; CHECK: call i32 @pure(i32 1)
define void @k(ptr addrspace(1) noundef align 4 %p, ptr byval([4 x i32]) align 4 %s) "weft-kernel" {
  call void @outer(ptr addrspace(1) noundef %p)
  %x = call i32 @pure(i32 1)
  ret void
}
; CHECK: define void @outer(ptr {{.*}}%item, ptr addrspace(1) noundef %p)
; CHECK: call void @inner(ptr %item)
define void @outer(ptr addrspace(1) noundef %p) {
  call void @inner()
  ret void
}
; CHECK: define void @inner(ptr {{.*}}%item)
; CHECK: call void @weft_barrier(ptr %item, i32 7)
define void @inner() {
  call void @__weft_numbered_barrier(i32 1, i32 1, i32 7)
  ret void
}
; CHECK: define i32 @pure(i32 %x)
define i32 @pure(i32 %x) {
  ret i32 %x
}
declare void @__weft_numbered_barrier(i32, i32, i32)
; TAKEN: error: the address of function 'f' is used
