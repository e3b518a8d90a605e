; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=exchange --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores,verify' %s -S | FileCheck %s --check-prefix=EXCHANGE
; RUN: weft-opt --prepare --kernel=shared --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores' %s -S | FileCheck %s --check-prefix=SHARED
; RUN: weft-opt --prepare --kernel=both --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores' %s -S | FileCheck %s --check-prefix=BOTH
; RUN: weft-opt --prepare --kernel=upper --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores' %s -S | FileCheck %s --check-prefix=UPPER
; RUN: weft-opt --prepare --kernel=written --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores' %s -S | FileCheck %s --check-prefix=WRITTEN
; RUN: weft-opt --prepare --kernel=buffer --variant=group --local-size=64,1,1 --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify),speculate-stores' %s -S | FileCheck %s --check-prefix=BUFFER

target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)

; Pairs that each have one work-item: both places get what they have, or what the other one has.
; EXCHANGE-LABEL: define dso_local void @exchange.group
; EXCHANGE: %[[SWAP:.*]] = icmp sgt i32 %[[A:.*]], %[[B:.*]]
; EXCHANGE: %[[LOW:.*]] = select i1 %[[SWAP]], i32 %[[B]], i32 %[[A]]
; EXCHANGE: store i32 %[[LOW]], ptr addrspace(3) %p
; EXCHANGE: %[[HIGH:.*]] = select i1 %[[SWAP]], i32 %[[A]], i32 %[[B]]
; EXCHANGE: store i32 %[[HIGH]], ptr addrspace(3) %q
; EXCHANGE-NOT: br i1 %[[SWAP]]
; EXCHANGE: ret void
define spir_kernel void @exchange(ptr addrspace(3) %c) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %twice = shl i64 %l, 1
  %low = and i64 %l, 3
  %i = sub i64 %twice, %low
  %j = add i64 %i, 4
  %p = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %i
  %q = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %j
  %a = load i32, ptr addrspace(3) %p, align 4
  %b = load i32, ptr addrspace(3) %q, align 4
  %swap = icmp sgt i32 %a, %b
  br i1 %swap, label %work, label %exit
work:
  store i32 %b, ptr addrspace(3) %p, align 4
  store i32 %a, ptr addrspace(3) %q, align 4
  br label %exit
exit:
  ret void
}

; Eight work-items share a flag: one that sets it is not to be undone by the next one.
; SHARED-LABEL: define dso_local void @shared.group
; SHARED-NOT: select
; SHARED: br i1 %set
; SHARED: store i32 1
define spir_kernel void @shared(ptr addrspace(3) %c, i32 %n) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = lshr i64 %l, 3
  %p = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %i
  %a = load i32, ptr addrspace(3) %p, align 4
  %set = icmp slt i32 %a, %n
  br i1 %set, label %work, label %exit
work:
  store i32 1, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; Both work-items of a pair may exchange it.
; BOTH-LABEL: define dso_local void @both.group
; BOTH-NOT: select
; BOTH: br i1 %swap
define spir_kernel void @both(ptr addrspace(3) %c) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %j = xor i64 %l, 4
  %p = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %l
  %q = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %j
  %a = load i32, ptr addrspace(3) %p, align 4
  %b = load i32, ptr addrspace(3) %q, align 4
  %swap = icmp sgt i32 %a, %b
  br i1 %swap, label %work, label %exit
work:
  store i32 %b, ptr addrspace(3) %p, align 4
  store i32 %a, ptr addrspace(3) %q, align 4
  br label %exit
exit:
  ret void
}

; Only the lower one does: who comes here is known.
; UPPER-LABEL: define dso_local void @upper.group
; UPPER: br i1 %lower
; UPPER: select i1 %swap
; UPPER: select i1 %swap
; UPPER-NOT: br i1 %swap
; UPPER: ret void
define spir_kernel void @upper(ptr addrspace(3) %c) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %j = xor i64 %l, 4
  %lower = icmp ugt i64 %j, %l
  br i1 %lower, label %pair, label %exit
pair:
  %p = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %l
  %q = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %j
  %a = load i32, ptr addrspace(3) %p, align 4
  %b = load i32, ptr addrspace(3) %q, align 4
  %swap = icmp sgt i32 %a, %b
  br i1 %swap, label %work, label %exit
work:
  store i32 %b, ptr addrspace(3) %p, align 4
  store i32 %a, ptr addrspace(3) %q, align 4
  br label %exit
exit:
  ret void
}

; What has been read may no longer be there.
; WRITTEN-LABEL: define dso_local void @written.group
; WRITTEN-NOT: select
; WRITTEN: br i1 %set
define spir_kernel void @written(ptr addrspace(3) %c) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(3) %c, i64 %l
  %a = load i32, ptr addrspace(3) %p, align 4
  store i32 9, ptr addrspace(3) %c, align 4
  %set = icmp slt i32 %a, 5
  br i1 %set, label %work, label %exit
work:
  store i32 1, ptr addrspace(3) %p, align 4
  br label %exit
exit:
  ret void
}

; Others see global memory.
; BUFFER-LABEL: define dso_local void @buffer.group
; BUFFER-NOT: select
; BUFFER: br i1 %set
define spir_kernel void @buffer(ptr addrspace(1) %c) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %l
  %a = load i32, ptr addrspace(1) %p, align 4
  %set = icmp slt i32 %a, 5
  br i1 %set, label %work, label %exit
work:
  store i32 1, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}
