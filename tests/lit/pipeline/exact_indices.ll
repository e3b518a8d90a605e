; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a launch has to say for an index that may wrap, and the code for launches that do and do not.
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s --check-prefix=INFO
; RUN: weft-opt --prepare --variant=flat --width=8 --cpu=x86-64-v4 --kernel=move %s -S | FileCheck %s --check-prefix=EXACT
; RUN: weft-opt --prepare --variant=flat --width=8 --cpu=x86-64-v4 --kernel=move --plain %s -S | FileCheck %s --check-prefix=PLAIN
; RUN: weft-opt --prepare --variant=flat --width=8 --cpu=x86-64-v4 --kernel=thrice %s -S | FileCheck %s --check-prefix=THRICE
; RUN: weft-opt --prepare --variant=flat --width=8 --cpu=x86-64-v4 --kernel=walk %s -S | FileCheck %s --check-prefix=WALK
target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; INFO: kernel move
; INFO: exact #0 global-id-0
; INFO-NEXT: exact #1 argument@16
; INFO-NEXT: exact #2 add #0 #1
; INFO-NEXT: exact #3 fits #2
; INFO: is-positive

; EXACT-NOT: gather
; EXACT: load <8 x i32>, ptr addrspace(1)
; EXACT-NOT: gather

; Lane groups are asked whether the index wraps between their lanes.
; PLAIN: define {{.*}}@move.flat.w8.s0.plain.separate(
; PLAIN-DAG: load <8 x i32>, ptr addrspace(1)
; PLAIN-DAG: call <8 x i32> @llvm.masked.gather
define spir_kernel void @move(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %j = add i32 %i, %n
  %from = zext i32 %j to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %from
  %x = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %x, ptr addrspace(1) %q
  ret void
}

; Factors come first in what the front end leaves of `3 * i`. All launches are such that it is exact.
; INFO: kernel thrice
; INFO-NOT: exact
; THRICE-NOT: gather
; THRICE: load <8 x i32>, ptr addrspace(1)
; THRICE-NOT: gather
define spir_kernel void @thrice(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %j = mul nsw i32 3, %i
  %from = sext i32 %j to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %from
  %x = load i32, ptr addrspace(1) %p
  %j1 = add nsw i32 %j, 2
  %from1 = sext i32 %j1 to i64
  %p1 = getelementptr i32, ptr addrspace(1) %in, i64 %from1
  %x1 = load i32, ptr addrspace(1) %p1
  %sum = add i32 %x, %x1
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %sum, ptr addrspace(1) %q
  ret void
}

; A sum of three parts with which a loop begins: away from where it wraps, idle lanes are as well.
; INFO: kernel walk
; INFO: fits
; WALK-NOT: gather
; WALK: load <8 x i32>, ptr addrspace(1)
; WALK-NOT: gather
define spir_kernel void @walk(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %pitch, i32 %offset, i32 %columns, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row.id = call spir_func i64 @_Z13get_global_idj(i32 1)
  %i = trunc i64 %id to i32
  %j = trunc i64 %row.id to i32
  %inside = icmp slt i32 %i, %columns
  br i1 %inside, label %start, label %end
start:
  %row = mul i32 %j, %pitch
  %column = add i32 %i, %offset
  %first = add i32 %row, %column
  br label %loop
loop:
  %at = phi i32 [ %first, %start ], [ %next, %loop ]
  %k = phi i32 [ 0, %start ], [ %k.next, %loop ]
  %sum = phi i32 [ 0, %start ], [ %sum.next, %loop ]
  %at64 = sext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %at64
  %x = load i32, ptr addrspace(1) %p
  %sum.next = add i32 %sum, %x
  %next = add nsw i32 %at, %pitch
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %sum.next, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
