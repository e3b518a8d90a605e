; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=pairs %s -S | FileCheck %s
; A macro that has nothing to do for numbers like these leaves a loop of no effect between the two
; elements of a pair. Pairs of neighbours are stored as one row all the same.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define{{.*}} @pairs
; CHECK: store <16 x float>
; CHECK: ret void
define spir_kernel void @pairs(ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %conjugate) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = shl nuw nsw i64 %i, 1
  br label %element

element:
  %d = phi i64 [ 0, %entry ], [ %d.next, %element.end ]
  %more = icmp ult i64 %d, 2
  br i1 %more, label %body, label %end

body:
  %at = add nuw nsw i64 %first, %d
  %p = getelementptr inbounds float, ptr addrspace(1) %from, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %w = fadd float %v, 1.0
  %q = getelementptr inbounds float, ptr addrspace(1) %to, i64 %at
  store float %w, ptr addrspace(1) %q, align 4
  %asked = icmp ne i32 %conjugate, 0
  br i1 %asked, label %component, label %element.end

component:
  %c = phi i32 [ 0, %body ], [ %c.next, %component.body ]
  %c.more = icmp slt i32 %c, 1
  br i1 %c.more, label %component.body, label %element.end

component.body:
  %c.next = add nsw i32 %c, 1
  br label %component

element.end:
  %d.next = add nuw nsw i64 %d, 1
  br label %element

end:
  ret void
}
