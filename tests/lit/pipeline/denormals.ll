; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --kernel=flushes %s -S | FileCheck %s --check-prefix=FLUSHES
; RUN: weft-opt --prepare --variant=flat --kernel=keeps %s -S | FileCheck %s --check-prefix=KEEPS
; Whether denormal numbers are zeros depends on the kernel, in what it calls too.

target triple = "spir64"

; FLUSHES: define {{.*}}@helper{{.*}} #[[HELPER:[0-9]+]]
; FLUSHES: define {{.*}}@flushes{{.*}} #[[ENTRY:[0-9]+]]
; FLUSHES-DAG: attributes #[[ENTRY]] = {{.*}}"denormal-fp-math-f32"="preserve-sign,preserve-sign"
; FLUSHES-DAG: attributes #[[HELPER]] = {{.*}}"denormal-fp-math-f32"="preserve-sign,preserve-sign"
define spir_kernel void @flushes(ptr addrspace(1) %p) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %x = load float, ptr addrspace(1) %p
  %y = call spir_func float @helper(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
; KEEPS: define {{.*}}@other
; KEEPS: define {{.*}}@keeps
; KEEPS-NOT: denormal-fp-math
define spir_kernel void @keeps(ptr addrspace(1) %p) {
  %x = load float, ptr addrspace(1) %p
  %y = call spir_func float @other(float %x)
  store float %y, ptr addrspace(1) %p
  ret void
}
define spir_func float @helper(float %x) noinline {
  %y = fmul float %x, 3.0
  ret float %y
}
define spir_func float @other(float %x) noinline "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %y = fmul float %x, 3.0
  ret float %y
}
