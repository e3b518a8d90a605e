; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=pairs --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=LOCAL
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=shared --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=GLOBAL

target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)

; Second halves of pairs in local memory: first halves are stored as they are, in pieces that begin
; where those that were loaded do.
; LOCAL-LABEL: define dso_local void @pairs.group
; LOCAL: load <8 x i32>, ptr addrspace(3) %p
; LOCAL: %[[PIECE:.*]] = getelementptr i8, ptr addrspace(3) %q{{.*}}, i64 -4
; LOCAL: %[[KEPT:.*]] = load <8 x i32>, ptr addrspace(3) %[[PIECE]], align 4
; LOCAL: %[[ALL:.*]] = select <8 x i1> <i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true>, <8 x i32> %{{.*}}, <8 x i32> %[[KEPT]]
; LOCAL: store <8 x i32> %[[ALL]], ptr addrspace(3) %[[PIECE]]
; LOCAL-NOT: store i32
; LOCAL: br i1
define spir_kernel void @pairs(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = shl i64 %l, 1
  %second = or disjoint i64 %first, 1
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %first
  %q = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %second
  %x = load i32, ptr addrspace(3) %p, align 4
  %y = load i32, ptr addrspace(3) %q, align 4
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %q, align 4
  ret void
}

; Others may write first halves in global memory.
; GLOBAL-LABEL: define dso_local void @shared.group
; GLOBAL: add <8 x i32>
; GLOBAL-NOT: store <8 x i32>
; GLOBAL: store i32
; GLOBAL: br i1
define spir_kernel void @shared(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = shl i64 %l, 1
  %second = or disjoint i64 %first, 1
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %first
  %q = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %second
  %x = load i32, ptr addrspace(1) %p, align 4
  %y = load i32, ptr addrspace(1) %q, align 4
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(1) %q, align 4
  ret void
}
