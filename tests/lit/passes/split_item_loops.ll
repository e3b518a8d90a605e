; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=stencil --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),split-item-loops,verify,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=STENCIL
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=data --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),split-item-loops,verify' %s -S | FileCheck %s --check-prefix=DATA
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=clamped --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),split-item-loops,verify,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=CLAMP
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=edges --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),split-item-loops,verify,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=EDGES

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

; The neighbours before and behind are within the limits from the second work-item on, up to the last
; but one: those have a loop of their own, a multiple of 64 times, in which nobody asks.
; STENCIL-LABEL: define dso_local void @stencil.flat
; STENCIL: %[[LOWER:.*]] = sub i64 1, %[[BASE:.*]]
; STENCIL: %[[BEGIN:.*]] = call i64 @llvm.smax.i64(i64 0, i64 %[[LOWER]])
; STENCIL: %[[LIMIT:.*]] = add i64 %{{.*}}, -1
; STENCIL: %[[UPPER:.*]] = sub i64 %[[LIMIT]], %[[BASE]]
; STENCIL: call i64 @llvm.smin.i64(i64 %{{.*}}, i64 %[[UPPER]])
; STENCIL: and i64 %{{.*}}, -16
; STENCIL: loop.item:
; STENCIL: icmp sgt i32
; STENCIL: br i1
; STENCIL: ends:
; STENCIL: ends.start:
; STENCIL: add nuw i64 %{{.*}}, %ends.from, !weft.first_id
; STENCIL: middle.start:
; STENCIL: add nuw i64 %{{.*}}, %{{.*}}, !weft.first_id
; STENCIL: loop.item.middle:
; STENCIL-NOT: icmp s
; STENCIL: load i32
; STENCIL-NOT: icmp s
; STENCIL: load i32
; STENCIL-NOT: icmp s
; STENCIL: store i32
define spir_kernel void @stencil(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %before = icmp sgt i32 %i, 0
  br i1 %before, label %left, label %next
left:
  %l = add nsw i32 %i, -1
  %l.at = sext i32 %l to i64
  %l.place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %l.at
  %l.value = load i32, ptr addrspace(1) %l.place, align 4
  br label %next
next:
  %a = phi i32 [ %l.value, %left ], [ 0, %entry ]
  %r = add nsw i32 %i, 1
  %behind = icmp slt i32 %r, %n
  br i1 %behind, label %right, label %last
right:
  %r.at = sext i32 %r to i64
  %r.place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %r.at
  %r.value = load i32, ptr addrspace(1) %r.place, align 4
  br label %last
last:
  %b = phi i32 [ %r.value, %right ], [ 0, %next ]
  %sum = add i32 %a, %b
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %sum, ptr addrspace(1) %place, align 4
  ret void
}

; A clamped id is the id itself between the limits that it is clamped to.
; CLAMP-LABEL: define dso_local void @clamped.flat
; CLAMP: and i64 %{{.*}}, -16
; CLAMP: loop.item:
; CLAMP: call i32 @llvm.smax.i32
; CLAMP: call i32 @llvm.smin.i32
; CLAMP: loop.item.middle:
; CLAMP-NOT: @llvm.s
; CLAMP: store i32
define spir_kernel void @clamped(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %last = add nsw i32 %n, -1
  %before = add nsw i32 %i, -2
  %low = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %clamped = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %at = sext i32 %clamped to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %value = load i32, ptr addrspace(1) %place, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %value, ptr addrspace(1) %to, align 4
  ret void
}

; The first work-item and the last one are borders, too.
; EDGES-LABEL: define dso_local void @edges.flat
; EDGES: loop.item.middle:
; EDGES-NOT: br i1
; EDGES: store i32 7
; EDGES-NOT: store
; EDGES: br i1 %{{.*}}, label %{{.*}}, label %loop.item.middle
define spir_kernel void @edges(ptr addrspace(1) %out, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  %last = add nsw i32 %n, -1
  %is.first = icmp eq i32 %i, 0
  %not.last = icmp ne i32 %i, %last
  br i1 %is.first, label %edge, label %ask
ask:
  br i1 %not.last, label %between, label %edge
between:
  store i32 7, ptr addrspace(1) %to, align 4
  ret void
edge:
  store i32 9, ptr addrspace(1) %to, align 4
  ret void
}

; What was read is no limit, nor are ids that may wrap when something is added.
; DATA-LABEL: define dso_local void @data.flat
; DATA-NOT: loop.item.middle
; DATA: ret void
define spir_kernel void @data(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %id
  %value = load i32, ptr addrspace(1) %place, align 4
  %larger = icmp sgt i32 %value, %i
  %wraps = add i32 %i, 5
  %near = icmp slt i32 %wraps, %n
  %both = and i1 %larger, %near
  br i1 %both, label %write, label %exit
write:
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %value, ptr addrspace(1) %to, align 4
  br label %exit
exit:
  ret void
}
