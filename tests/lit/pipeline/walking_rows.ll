; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=rows --explain %s | FileCheck %s --check-prefix=ROWS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=far --explain %s | FileCheck %s --check-prefix=FAR
; Lanes that each go along a row of their own are as many as a set of the first-level cache has
; lines; those that go down columns find nothing of what they have read there again.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; ROWS: remark: kernel 'rows': flat form, vectorised (8)
define spir_kernel void @rows(ptr addrspace(1) %a, ptr addrspace(1) %x, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %x, i64 %k
  %w = load float, ptr addrspace(1) %q, align 4
  %product = fmul float %v, %w
  %half = fmul float %product, 0.5
  %more = fadd float %sum, %half
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %more, ptr addrspace(1) %r, align 4
  ret void
}

; FAR: remark: kernel 'far': flat form, vectorised ({{16|32|64}})
define spir_kernel void @far(ptr addrspace(1) %a, ptr addrspace(1) %x, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %place = mul nuw nsw i64 %k, 1000
  %at = add nuw nsw i64 %start, %place
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds float, ptr addrspace(1) %x, i64 %k
  %w = load float, ptr addrspace(1) %q, align 4
  %product = fmul float %v, %w
  %half = fmul float %product, 0.5
  %more = fadd float %sum, %half
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %more, ptr addrspace(1) %r, align 4
  ret void
}
