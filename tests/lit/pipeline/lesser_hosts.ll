; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v2 --prepare --variant=flat --width=8 --kernel=guard %s -S | FileCheck %s --check-prefix=GUARD
; RUN: weft-opt --cpu=x86-64-v2 --prepare --variant=flat --width=8 --kernel=guard %s -S | FileCheck %s --check-prefix=NONE
; Where the host cannot mask an access, all lanes are read at once as long as nothing but the page of
; an active lane is touched, and written at once when all are active; otherwise one after the other.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; NONE-NOT: masked.load
; NONE-NOT: masked.store
; GUARD: and i64 %{{.*}}, 4095
; GUARD: icmp ult i64 %{{.*}}, 4081
; GUARD: load <8 x i16>, ptr addrspace(1)
; GUARD-DAG: load i16, ptr addrspace(1)
; GUARD-DAG: store <8 x i16> {{.*}}, ptr addrspace(1)
; GUARD-DAG: store i16 {{.*}}, ptr addrspace(1)
define spir_kernel void @guard(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %odd = and i64 %i, %n
  %in = icmp eq i64 %odd, 0
  br i1 %in, label %work, label %exit
work:
  %pa = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i16, ptr addrspace(1) %b, i64 %i
  %v = load i16, ptr addrspace(1) %pa, align 2
  store i16 %v, ptr addrspace(1) %pb, align 2
  br label %exit
exit:
  ret void
}
