; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=sums --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; A loop that lanes go through together is left at its end: no block of its own for the way back,
; where others would put what is counted.
; CHECK-LABEL: define dso_local void @sums.flat
; CHECK: inner.i.v: {{.*}}preds = %inner.i.v, %
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %inner.i.v
define spir_kernel void @sums(ptr addrspace(1) %a, i32 %n) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %inner

inner:
  %j = phi i32 [ 0, %entry ], [ %next, %inner ]
  %sum = phi i32 [ 0, %entry ], [ %more, %inner ]
  %index = zext i32 %j to i64
  %at = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %index
  %x = load i32, ptr addrspace(1) %at, align 4
  %more = xor i32 %sum, %x
  %next = add nuw nsw i32 %j, 1
  %last = icmp eq i32 %next, %n
  br i1 %last, label %end, label %inner

end:
  %to = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 %more, ptr addrspace(1) %to, align 4
  ret void
}
