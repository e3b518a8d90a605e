; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=fences --variant=group --width=1 --object %s -o %t.o
; RUN: objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=FENCES --implicit-check-not=mfence --implicit-check-not="lock "
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=barriers --variant=loops --local-size=64,1,1 --object %s -o %t.o
; RUN: objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=BARRIERS --implicit-check-not=mfence --implicit-check-not="lock "
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=strongest --variant=group --width=1 --object %s -o %t.o
; RUN: objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=STRONGEST
; Acquire and release fences of a work-group, and barriers, order the compiler alone on x86, whatever
; memory they name: there is no instruction for them. One that is sequentially consistent in global
; memory has one.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"

; FENCES: <fences.group.w1.s0.group>:
; FENCES: movl{{ +}}$0x1,
; FENCES-NEXT: movl{{ +}}$0x2,
; FENCES-NEXT: movl{{ +}}$0x3,
; FENCES-NEXT: movl{{ +}}$0x4,
define spir_kernel void @fences(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  call spir_func void @__weft_fence(i32 2, i32 3, i32 1)
  store i32 2, ptr addrspace(1) %a
  call spir_func void @__weft_fence(i32 3, i32 4, i32 1)
  store i32 3, ptr addrspace(1) %a
  call spir_func void @__weft_fence(i32 1, i32 5, i32 1)
  store i32 4, ptr addrspace(1) %a
  call spir_func void @__weft_fence(i32 3, i32 2, i32 1)
  ret void
}

; BARRIERS: <barriers.loops.w1.s0.l64.l1.l1>:
; BARRIERS-NOT: call
; BARRIERS: ret
define spir_kernel void @barriers(ptr addrspace(1) %a) convergent {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  call spir_func void @__weft_barrier(i32 3, i32 1) convergent
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  %x = load i32, ptr addrspace(1) %q
  call spir_func void @__weft_barrier(i32 2, i32 1) convergent
  store i32 %x, ptr addrspace(1) %p
  ret void
}

; STRONGEST: <strongest.group.w1.s0.group>:
; STRONGEST: movl{{ +}}$0x1,
; STRONGEST-NEXT: {{mfence|lock}}
define spir_kernel void @strongest(ptr addrspace(1) %a) {
  store i32 1, ptr addrspace(1) %a
  call spir_func void @__weft_fence(i32 2, i32 5, i32 1)
  %q = getelementptr i32, ptr addrspace(1) %a, i64 100
  %x = load i32, ptr addrspace(1) %q
  %p = getelementptr i32, ptr addrspace(1) %a, i64 1
  store i32 %x, ptr addrspace(1) %p
  ret void
}

declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func void @__weft_fence(i32, i32, i32)
declare spir_func i64 @_Z13get_global_idj(i32)
