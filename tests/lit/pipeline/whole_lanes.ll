; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=border %s -S | FileCheck %s --check-prefix=BORDER
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=border %s -S | FileCheck %s --check-prefix=BORDER
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=data %s -S | FileCheck %s --check-prefix=DATA
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=data %s -S | FileCheck %s --check-prefix=DATA
; RUN: weft-opt --prepare --variant=group --width=64 --kernel=count %s -S | FileCheck %s --check-prefix=COUNT

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; Where ids decide over a block it has a form without masks, for all lanes.
; BORDER: load <16 x i32>, ptr addrspace(1)
; BORDER: store <16 x i32>
; BORDER: call void @llvm.masked.store.v16i32.p1
define spir_kernel void @border(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = and i64 %i, 255
  %in = icmp ne i64 %column, 0
  br i1 %in, label %work, label %exit
work:
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %v = load i32, ptr addrspace(1) %pa, align 4
  store i32 %v, ptr addrspace(1) %pb, align 4
  br label %exit
exit:
  ret void
}

; Where data decides it has masks alone.
; DATA-NOT: store <16 x i32>
; DATA: call void @llvm.masked.store.v16i32.p1
; DATA-NOT: store <16 x i32>
define spir_kernel void @data(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %pa, align 4
  %in = icmp ne i32 %v, 0
  br i1 %in, label %work, label %exit
work:
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 %v, ptr addrspace(1) %pb, align 4
  br label %exit
exit:
  ret void
}

; Lanes that count in local memory load a cache line at once and take their bytes out of words.
; COUNT: lshr i64 %{{.*}}, 56
; COUNT-COUNT-50: store i32
define spir_kernel void @count(ptr addrspace(1) %in, ptr addrspace(3) %bins, i64 %n) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = shl i64 %k, 16
  %at = add i64 %row, %i
  %p = getelementptr inbounds i8, ptr addrspace(1) %in, i64 %at
  %v = load i8, ptr addrspace(1) %p, align 1
  %bin = zext i8 %v to i64
  %q = getelementptr inbounds i32, ptr addrspace(3) %bins, i64 %bin
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 monotonic, align 4
  %next = add i64 %k, 1
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
