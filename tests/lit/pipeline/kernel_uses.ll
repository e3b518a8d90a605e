; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s
; What a kernel uses is found through the functions it calls; without argument metadata nothing is
; named.

target triple = "spir64"
@calls.t = internal addrspace(3) global [4 x i32] undef, align 4
@format = internal addrspace(2) constant [3 x i8] c"hi\00"

; CHECK: kernel plain block=8 local=0 private=0 barrier=0 group=0 sub_groups=0 meets=0 printf=0 program_scope=0 ftz=0
; CHECK-NEXT: argument {{.*}}name="" type=""
define spir_kernel void @plain(ptr addrspace(1) %p) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  store i64 %g, ptr addrspace(1) %p
  ret void
}
; CHECK: kernel prints block=0 local=0 private=0 barrier=0 group=1 sub_groups=0 meets=0 printf=1 program_scope=0 ftz=1
define spir_kernel void @prints() "denormal-fp-math"="preserve-sign,preserve-sign" {
  call spir_func void @says() noinline
  ret void
}
define spir_func void @says() noinline {
  %w = call spir_func i64 @_Z12get_group_idj(i32 0)
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  ret void
}
; CHECK: kernel calls block=4 local=16 private=40 barrier=1 group=1
; CHECK: barrier :0
define spir_kernel void @calls(i32 %n) {
  %a = alloca [10 x i32]
  %p = getelementptr [10 x i32], ptr %a, i64 0, i32 %n
  store volatile i32 1, ptr %p
  store i32 1, ptr addrspace(3) @calls.t
  call spir_func void @waits()
  ret void
}
define spir_func void @waits() noinline convergent {
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  ret void
}
; A kernel of a block is not the host's to launch.
; CHECK-NOT: kernel block_invoke
define spir_kernel void @block_invoke_kernel(ptr addrspace(4) %block) {
  ret void
}
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func i32 @printf(ptr addrspace(2), ...)
