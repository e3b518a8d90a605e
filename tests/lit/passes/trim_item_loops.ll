; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=limit --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=LIMIT
; RUN: weft-opt --prepare --kernel=followed --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=FOLLOWED
; RUN: weft-opt --prepare --kernel=plane --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops,function(loop-simplify)' %s -S | FileCheck %s --check-prefix=PLANE
; RUN: weft-opt --prepare --kernel=multiple --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=MULTIPLE
; RUN: weft-opt --prepare --kernel=halves --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=HALVES
; RUN: weft-opt --prepare --kernel=difference --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=DIFFERENCE
; RUN: weft-opt --prepare --kernel=step --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=STEP
; RUN: weft-opt --prepare --kernel=step_between --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=STEP_BETWEEN
; RUN: weft-opt --prepare --kernel=step_negative --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=STEP_NEGATIVE
; RUN: weft-opt --prepare --kernel=step_global --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),trim-item-loops' %s -S | FileCheck %s --check-prefix=STEP_GLOBAL

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

; A limit on a multiple of the id is one on the id.
; MULTIPLE-LABEL: define dso_local void @multiple.group
; MULTIPLE: loop.item:
; MULTIPLE-NOT: br i1
; MULTIPLE: store i32 7
; MULTIPLE: icmp eq i64 %{{.*}}, 16
define spir_kernel void @multiple(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %next = add nsw i32 %i, 1
  %scaled = shl nsw i32 %next, 2
  %place = sub nsw i32 %scaled, 1
  %in = icmp slt i32 %place, 64
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %place
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; So is one that counts down.
; DIFFERENCE-LABEL: define dso_local void @difference.group
; DIFFERENCE: loop.item:
; DIFFERENCE-NOT: br i1
; DIFFERENCE: store i32 7
; DIFFERENCE: icmp eq i64 %{{.*}}, 27
define spir_kernel void @difference(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %scaled = mul nsw i32 %i, 2
  %left = sub nsw i32 60, %scaled
  %in = icmp sgt i32 %left, 6
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %left
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; The lower ones of pairs, four of each eight.
; HALVES-LABEL: define dso_local void @halves.group
; HALVES: loop.item:
; HALVES: %[[INDEX:.*]] = phi i64 [ 0, %items ]
; HALVES: %[[TWICE:.*]] = shl nuw nsw i64 %[[INDEX]], 1
; HALVES: %[[LOW:.*]] = and i64 %[[INDEX]], 3
; HALVES: %[[ID:.*]] = sub nuw nsw i64 %[[TWICE]], %[[LOW]]
; HALVES-NOT: br i1
; HALVES: trunc i64 %[[ID]] to i32
; HALVES: store i32 7
; HALVES: icmp eq i64 %{{.*}}, 32
define spir_kernel void @halves(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %other = xor i32 %i, 4
  %in = icmp sgt i32 %other, %i
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i32 %i
  store i32 7, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; Each fourth work-item, from the third one on, is what is counted.
; STEP-LABEL: define dso_local void @step.group
; STEP: loop.item:
; STEP: %[[INDEX:.*]] = phi i64 [ 0, %items ]
; STEP: %[[SCALED:.*]] = mul nuw nsw i64 %[[INDEX]], 4
; STEP: %[[ID:.*]] = add nuw nsw i64 %[[SCALED]], 2
; STEP-NOT: br i1
; STEP: trunc i64 %[[ID]] to i32
; STEP: store i32 7
; STEP: icmp eq i64 %{{.*}}, 16
define spir_kernel void @step(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %next = add nsw i32 %i, 1
  %rest = urem i32 %next, 4
  %in = icmp eq i32 %rest, 3
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i32 %i
  store i32 7, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; A number below the first id has a rest of its own.
; STEP_BETWEEN-LABEL: define dso_local void @step_between.group
; STEP_BETWEEN: srem
; STEP_BETWEEN: store i32 7
define spir_kernel void @step_between(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %before = sub nsw i32 %i, 1
  %rest = srem i32 %before, 4
  %in = icmp eq i32 %rest, 3
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i32 %i
  store i32 7, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; What a negative number leaves is no step of its own, however few bits it has.
; STEP_NEGATIVE-LABEL: define dso_local void @step_negative.group
; STEP_NEGATIVE: srem i16 %{{.*}}, -4
; STEP_NEGATIVE: br i1
; STEP_NEGATIVE: store i32 7
define spir_kernel void @step_negative(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i16
  %rest = srem i16 %i, -4
  %in = icmp eq i16 %rest, 0
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %l
  store i32 7, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; Lanes side by side with every other one idle store faster than those that are apart, unless most
; would be idle.
; STEP_GLOBAL-LABEL: define dso_local void @step_global.group
; STEP_GLOBAL: urem i32 %{{.*}}, 4
; STEP_GLOBAL: store i32 7
define spir_kernel void @step_global(ptr addrspace(1) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %rest = urem i32 %i, 4
  %in = icmp eq i32 %rest, 3
  br i1 %in, label %work, label %exit
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i32 %i
  store i32 7, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

declare spir_func i64 @_Z12get_local_idj(i32)
