; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=idle --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.fptoui.sat.i32.f32(float)

; What is the same for all work-items is computed even when none of them comes there, and then of
; values that are none: the call must not promise that it is not.
; CHECK-LABEL: define dso_local void @idle.flat
; CHECK: call i32 @llvm.fptoui.sat.i32.f32(float %
; CHECK-NOT: noundef{{.*}} @llvm.fptoui
define spir_kernel void @idle(ptr addrspace(1) %a, float %f) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p, align 4
  %some = icmp ugt i32 %x, 7
  br i1 %some, label %then, label %end

then:
  %g = fmul float %f, 2.0
  %y = call noundef i32 @llvm.fptoui.sat.i32.f32(float noundef %g)
  store i32 %y, ptr addrspace(1) %p, align 4
  br label %end

end:
  ret void
}
