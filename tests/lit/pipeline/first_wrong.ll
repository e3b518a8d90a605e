; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --first-wrong --kernel=chain --variant=flat --width=4 --global=64 --local-size=64 --args=260 %s | FileCheck %s --check-prefix=CHAIN
; RUN: weft-opt --first-wrong --kernel=chain --variant=fibers --width=4 --global=64 --local-size=64 --args=260 %s | FileCheck %s --check-prefix=FIBERS
; RUN: weft-opt --first-wrong --kernel=square --variant=flat --width=0 --global=64 --local-size=64 --args=256 %s | FileCheck %s --check-prefix=SQUARE
; RUN: not weft-opt --first-wrong --kernel=square --variant=flat --width=0 --global=65 --local-size=64 --args=256 %s 2>&1 | FileCheck %s --check-prefix=BEYOND
; The pass that changes a kernel's results is named.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; Each work-item reads what the one before it has written, if they run one after the other, which
; nobody has promised: the pass that ends it is vectorize-items.
; CHAIN: first wrong after vectorize-items on chain.flat.w4
; FIBERS: first wrong after vectorize-items on chain.fibers.w4
define spir_kernel void @chain(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %to = getelementptr inbounds i8, ptr addrspace(1) %from, i64 4
  %x = load i32, ptr addrspace(1) %from, align 4
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %to, align 4
  ret void
}

; SQUARE: right with all of its {{[0-9]+}} passes
; BEYOND: the kernel fails without any pass that can be left out
define spir_kernel void @square(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %place, align 4
  %y = mul i32 %x, %x
  store i32 %y, ptr addrspace(1) %place, align 4
  ret void
}
