; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A block's kernel is known by its number, and the address of its function by nothing.
;
; RUN: weft-opt --passes=retarget,lower-blocks,verify %s -S | FileCheck %s

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

%literal = type <{ i32, i32, ptr addrspace(4) }>

; CHECK: @global = internal {{.*}} %literal <{ i32 16, i32 8, ptr addrspace(4) null }>
@global = internal addrspace(1) constant %literal <{ i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr @__g_block_invoke to ptr addrspace(4)) }>

declare spir_func i32 @use(ptr addrspace(4), ptr addrspace(4))

; CHECK-LABEL: define {{.*}}void @k(
define spir_kernel void @k(ptr addrspace(1) %out) {
  %block = alloca %literal
  %invoke = getelementptr %literal, ptr %block, i32 0, i32 2
; CHECK: store ptr addrspace(4) null
  store ptr addrspace(4) addrspacecast (ptr @__k_block_invoke to ptr addrspace(4)), ptr %invoke
  %generic = addrspacecast ptr %block to ptr addrspace(4)
; CHECK: call i32 @use(ptr addrspace(4) null, ptr
  %a = call spir_func i32 @use(ptr addrspace(4) addrspacecast (ptr @__k_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) %generic)
; CHECK: call i32 @use(ptr addrspace(4) inttoptr (i64 1 to ptr addrspace(4)), ptr
  %b = call spir_func i32 @use(ptr addrspace(4) addrspacecast (ptr @__g_block_invoke_kernel to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @global to ptr addrspace(4)))
; CHECK: call void @__k_block_invoke.fn(
  call spir_func void @__k_block_invoke(ptr addrspace(4) %generic)
  ret void
}

define internal spir_func void @__k_block_invoke(ptr addrspace(4) %literal) {
  ret void
}

define internal spir_func void @__g_block_invoke(ptr addrspace(4) %literal) {
  ret void
}

; CHECK: define dso_local void @__k_block_invoke_kernel({{.*}}) #[[FIRST:[0-9]+]]
define internal spir_kernel void @__k_block_invoke_kernel(ptr addrspace(4) %literal) {
  call spir_func void @__k_block_invoke(ptr addrspace(4) %literal)
  ret void
}

; CHECK: define dso_local void @__g_block_invoke_kernel({{.*}}) #[[SECOND:[0-9]+]]
define internal spir_kernel void @__g_block_invoke_kernel(ptr addrspace(4) %literal) {
  call spir_func void @__g_block_invoke(ptr addrspace(4) %literal)
  ret void
}

; CHECK: attributes #[[FIRST]] = {{.*}}"weft-block"="0"
; CHECK: attributes #[[SECOND]] = {{.*}}"weft-block"="1"
