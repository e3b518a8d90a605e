; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=half --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; A loop over eight work-items at once, and a masked iteration for the rest of the row.
; CHECK-LABEL: define dso_local void @half.flat
; CHECK-DAG: [[ROW:%.*]] = load <8 x i32>, ptr addrspace(1)
; CHECK-DAG: lshr <8 x i32>
; CHECK: store <8 x i32>
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p1
; CHECK: call void @llvm.masked.store.v8i32.p1
define spir_kernel void @half(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p, align 4
  %y = lshr i32 %x, 1
  store i32 %y, ptr addrspace(1) %p, align 4
  ret void
}
