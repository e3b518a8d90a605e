; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=limit --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=LIMIT
; RUN: weft-opt --prepare --kernel=followed --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=FOLLOWED
; RUN: weft-opt --prepare --kernel=plane --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops,function(loop-simplify)' %s -S | FileCheck %s --check-prefix=PLANE

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; The limit ends the loop: its trip count is the smaller one of two, and no work-item asks.
; LIMIT-LABEL: define dso_local void @limit.flat
; LIMIT: call i64 @llvm.umin.i64
; LIMIT: loop.item:
; LIMIT-NOT: br i1
; LIMIT: store i32 7
define spir_kernel void @limit(ptr addrspace(1) %a, i64 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %in = icmp ult i64 %i, %n
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; Work-items beyond the limit have something else to do, though no block of its own holds it.
; FOLLOWED-LABEL: define dso_local void @followed.flat
; FOLLOWED-NOT: umin
; FOLLOWED: icmp ult i64 %{{.*}}, %n
; FOLLOWED: store i32 9
define spir_kernel void @followed(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %in = icmp ult i64 %i, %n
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 9, ptr addrspace(1) %q, align 4
  ret void
}

; Of several conditions that ids have to meet, the one on this loop's ends it; the others stay.
; PLANE-LABEL: define dso_local void @plane.flat
; PLANE: freeze i64 %w
; PLANE: call i64 @llvm.umin.i64
; PLANE: loop.item:
; PLANE: %[[OTHERS:.*]] = select i1 %below{{.*}}, i1 true, i1 %behind
; PLANE: br i1 %[[OTHERS]]
; PLANE: store i32 7
define spir_kernel void @plane(ptr addrspace(1) %a, i64 %w, i64 %h) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %below = icmp ult i64 %y, 3
  %right = icmp uge i64 %x, %w
  %behind = icmp uge i64 %y, %h
  %some = select i1 %below, i1 true, i1 %right
  %out = select i1 %some, i1 true, i1 %behind
  br i1 %out, label %exit, label %work
work:
  %row = mul i64 %y, %w
  %i = add i64 %row, %x
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}
