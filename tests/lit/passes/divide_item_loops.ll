; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=between --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),divide-item-loops,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=BETWEEN
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=among --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),divide-item-loops,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=AMONG
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=among --variant=group --local-size=16,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),divide-item-loops,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=ONE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=among --variant=group --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),divide-item-loops,function(simplifycfg)' %s -S | FileCheck %s --check-prefix=ONE

target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)

; A border between lanes: the first half does the one thing, and the second half the other.
; BETWEEN-LABEL: define dso_local void @between.group
; BETWEEN-NOT: icmp slt
; BETWEEN: store i32 2
; BETWEEN: icmp eq i64 %{{.*}}, 32
; BETWEEN: add nuw i64 %{{.*}}, 32
; BETWEEN: store i32 1
; BETWEEN: icmp eq i64 %{{.*}}, 32
; BETWEEN-NOT: store
; BETWEEN: ret void
define spir_kernel void @between(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %l
  %in = icmp slt i32 %i, 32
  br i1 %in, label %low, label %high
low:
  store i32 2, ptr addrspace(3) %p, align 4
  br label %exit
high:
  store i32 1, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; A border among lanes: these ask.
; AMONG-LABEL: define dso_local void @among.group
; AMONG: store i32 2
; AMONG: icmp eq i64 %{{.*}}, 16
; AMONG: add nuw i64 %{{.*}}, 16
; AMONG: icmp sge i32 %{{.*}}, 20
; AMONG: icmp eq i64 %{{.*}}, 16
; AMONG: add nuw i64 %{{.*}}, 32
; AMONG-NOT: icmp sge
; AMONG: store i32 1
; AMONG: icmp eq i64 %{{.*}}, 32
; AMONG: ret void

; Fewer work-items than lanes, or who knows how many.
; ONE-LABEL: define dso_local void @among.group
; ONE: icmp sge
; ONE-NOT: add nuw i64
; ONE: ret void
define spir_kernel void @among(ptr addrspace(3) %a) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = trunc i64 %l to i32
  %p = getelementptr inbounds i32, ptr addrspace(3) %a, i64 %l
  %in = icmp sge i32 %i, 20
  br i1 %in, label %high, label %low
low:
  store i32 2, ptr addrspace(3) %p, align 4
  br label %exit
high:
  store i32 1, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}
