; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=sum %s -S | FileCheck %s --check-prefix=SUM
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=sum --explain %s | FileCheck %s --check-prefix=WIDTH
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=ordered %s -S | FileCheck %s --check-prefix=ORDERED
; Lanes update one place together, which alone is worth lanes, where the update orders nothing else.

target triple = "spir64"

; WIDTH: remark: kernel 'sum': flat form, vectorised
; SUM-LABEL: define {{.*}}@sum.
; SUM: call i32 @llvm.vector.reduce.add.v{{[0-9]+}}i32(
; SUM-NEXT: atomicrmw add ptr addrspace(1) %{{.*}}, i32 %{{.*}} monotonic
define spir_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %old = atomicrmw add ptr addrspace(1) %out, i32 %v monotonic, align 4
  ret void
}

; ORDERED-LABEL: define {{.*}}@ordered.
; ORDERED-NOT: vector.reduce
; ORDERED-COUNT-8: atomicrmw add ptr addrspace(1) %{{.*}} acq_rel
define spir_kernel void @ordered(ptr addrspace(1) %a, ptr addrspace(1) %out) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %old = atomicrmw add ptr addrspace(1) %out, i32 %v acq_rel, align 4
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
