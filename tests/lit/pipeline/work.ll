; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s
; How much work a work-item does, in postfix order: instructions, times trip counts.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; CHECK-LABEL: kernel straight
; CHECK: {{^}}  work {{[0-9]$}}
define spir_kernel void @straight(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p, align 4
  ret void
}

; A trip count in the code is one number with what is around it.
; CHECK-LABEL: kernel known
; CHECK: {{^}}  work {{5[0-9][0-9]$}}
define spir_kernel void @known(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, 100
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; One that an argument says, by its place in the block.
; CHECK-LABEL: kernel asked
; CHECK: {{^}}  work {{[0-9]+}} 0 argument@8 max {{[0-9]+}} * +{{$}}
define spir_kernel void @asked(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %loop, label %exit
loop:
  %at = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; By the range: half of the ids are less.
; CHECK-LABEL: kernel triangle
; CHECK: {{^}}  work {{.*}}global-size-0 2 /{{.*}} * +{{$}}
define spir_kernel void @triangle(ptr addrspace(1) %a) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %head
head:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %more = icmp ult i64 %k, %i
  br i1 %more, label %loop, label %exit
loop:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add nuw i64 %k, 1
  br label %head
exit:
  ret void
}

; What memory says is not known, and taken to be long; so is what a function is given.
; CHECK-LABEL: kernel searches
; CHECK: {{^}}  work {{[0-9][0-9][0-9]$}}
define spir_kernel void @searches(ptr addrspace(1) %a) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %k
  %v = load volatile i32, ptr addrspace(1) %p, align 4
  %next = add i64 %k, 1
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A signed quotient of an argument.
; CHECK-LABEL: kernel tiles
; CHECK: {{^}}  work {{[0-9]+}} 0 argument@8 64 / max {{[0-9]+}} * +{{$}}
define spir_kernel void @tiles(ptr addrspace(1) %a, i32 %n) {
entry:
  %count = sdiv i32 %n, 64
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %more = icmp slt i32 %k, %count
  br i1 %more, label %loop, label %exit
loop:
  %at = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; The limit is computed in the loop, and the range of its type says nothing.
; CHECK-LABEL: kernel tiles_anew
; CHECK: {{^}}  work {{[0-9]+}} argument@8 64 / 0 max {{[0-9]+}} * +{{$}}
define spir_kernel void @tiles_anew(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %count = sdiv i32 %n, 64
  %more = icmp slt i32 %k, %count
  br i1 %more, label %loop, label %exit
loop:
  %at = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; Nor does that of a value from memory.
; CHECK-LABEL: kernel as_memory_says
; CHECK: {{^}}  work {{[0-9][0-9][0-9][0-9]?$}}
define spir_kernel void @as_memory_says(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %head
head:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %count = load volatile i32, ptr addrspace(1) %a
  %few = and i32 %count, 16777215
  %more = icmp slt i32 %k, %few
  br i1 %more, label %loop, label %exit
loop:
  %at = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = add nsw i32 %k, 1
  br label %head
exit:
  ret void
}

; Steps that double are few.
; CHECK-LABEL: kernel doubles
; CHECK: {{^}}  work {{[0-9][0-9]$}}
define spir_kernel void @doubles(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %head
head:
  %k = phi i32 [ 1, %entry ], [ %next, %loop ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %loop, label %exit
loop:
  %at = sext i32 %k to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  store volatile i32 1, ptr addrspace(1) %p, align 4
  %next = shl i32 %k, 1
  br label %head
exit:
  ret void
}
