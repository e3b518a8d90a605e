; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=list --explain %s | FileCheck %s --check-prefix=LIST
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=table --explain %s | FileCheck %s --check-prefix=TABLE
; Loops that do little more than load from scattered places have lanes where each load says where
; the next one is, since these wait together, and none where all can be under way anyhow.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; LIST: remark: kernel 'list': flat form, vectorised ({{8|16|32|64}})
define spir_kernel void @list(ptr addrspace(1) %next, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = trunc i64 %g to i32
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = phi i32 [ %first, %entry ], [ %v, %loop ]
  %wide = zext i32 %at to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %next, i64 %wide
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %v, ptr addrspace(1) %r, align 4
  ret void
}

; TABLE: remark: kernel 'table': flat form, not vectorised: it mostly reads or writes places that do not follow each other
define spir_kernel void @table(ptr addrspace(1) %table, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %hash = mul i64 %g, 1000003
  %mixed = xor i64 %hash, %k
  %index = and i64 %mixed, 65535
  %p = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %index
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %index
  %w = load i32, ptr addrspace(1) %q, align 4
  %both = add i32 %v, %w
  %next = xor i32 %sum, %both
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %next, ptr addrspace(1) %r, align 4
  ret void
}
