; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=count --variant=group --width=1 %s -S | FileCheck %s --implicit-check-not="atomicrmw add ptr addrspace(3)" --implicit-check-not="addrspace(4)"
; Functions of OpenCL C 2.0 take generic pointers: what these point to is known by the time that
; local atomics lose their locks.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"

; CHECK: define internal void @count.
; CHECK: load i32, ptr addrspace(3)
; CHECK: store atomic i32 {{.*}}, ptr addrspace(3) {{.*}} monotonic
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}, i32 1 monotonic
define spir_kernel void @count(ptr addrspace(1) %g, ptr addrspace(3) %l, i64 %i) {
  %local = addrspacecast ptr addrspace(3) %l to ptr addrspace(4)
  %in_local = getelementptr inbounds i32, ptr addrspace(4) %local, i64 %i
  %a = call spir_func i32 @__weft_atomic_add_i32_as4(ptr addrspace(4) %in_local, i32 1, i32 5, i32 2)
  call spir_func void @__weft_atomic_store_i32_as4(ptr addrspace(4) %local, i32 %a, i32 5, i32 2)
  %global = addrspacecast ptr addrspace(1) %g to ptr addrspace(4)
  %b = call spir_func i32 @__weft_atomic_add_i32_as4(ptr addrspace(4) %global, i32 1, i32 0, i32 1)
  ret void
}
declare spir_func i32 @__weft_atomic_add_i32_as4(ptr addrspace(4), i32, i32, i32)
declare spir_func void @__weft_atomic_store_i32_as4(ptr addrspace(4), i32, i32, i32)
