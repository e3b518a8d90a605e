; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=pairs --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=LOCAL
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=shared --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=GLOBAL
; RUN: weft-opt --cpu=x86-64-v4 --width=8 --prepare --kernel=written --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=WRITTEN
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=padded --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=PADDED

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

; What nobody has loaded is not read: others may just have been written, in pieces that begin elsewhere.
; WRITTEN-LABEL: define dso_local void @written.group
; WRITTEN-NOT: load <8 x i32>
; WRITTEN: call void @llvm.masked.store.v8i32
; WRITTEN: br i1
define spir_kernel void @written(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = shl i64 %l, 1
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %first
  store i32 7, ptr addrspace(3) %p, align 4
  ret void
}

; Pairs in two rows of 17, element by element of both: the rows are known to be apart, though the
; number of the row is multiplied after one is added to it.
; PADDED-LABEL: define dso_local void @padded.group
; PADDED-COUNT-2: store <16 x i32>
; PADDED-NOT: store
; PADDED: br i1
define spir_kernel void @padded(ptr addrspace(3) %a, i32 %x, i32 %y, i32 %m) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l.32 = trunc nuw nsw i64 %l to i32
  %first = mul nsw i32 %l.32, 2
  %second = add nsw i32 1, %first
  %row = mul nsw i32 %m, 2
  %next = add nsw i32 1, %row
  %begin = mul nsw i32 %row, 17
  %begin.next = mul nsw i32 %next, 17
  %i0 = add nsw i32 %begin, %first
  %i1 = add nsw i32 %begin.next, %first
  %i2 = add nsw i32 %begin, %second
  %i3 = add nsw i32 %begin.next, %second
  %j0 = sext i32 %i0 to i64
  %j1 = sext i32 %i1 to i64
  %j2 = sext i32 %i2 to i64
  %j3 = sext i32 %i3 to i64
  %p0 = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %j0
  %p1 = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %j1
  %p2 = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %j2
  %p3 = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %j3
  store i32 %x, ptr addrspace(3) %p0, align 4
  store i32 %x, ptr addrspace(3) %p1, align 4
  store i32 %y, ptr addrspace(3) %p2, align 4
  store i32 %y, ptr addrspace(3) %p3, align 4
  ret void
}
