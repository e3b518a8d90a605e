; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=columns --local-size=32,8,1 --explain %s | FileCheck %s --check-prefix=COLUMNS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=column --local-size=32,8,1 --explain %s | FileCheck %s --check-prefix=COLUMN
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=vectors --local-size=32,8,1 --explain %s | FileCheck %s --check-prefix=VECTORS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=rows --explain %s | FileCheck %s --check-prefix=ROWS
; Columns of a tile in local memory that become rows of global memory are worth lanes, in loops and
; without, but not those of vectors that fill registers. Rows that compete for places in the cache
; have few lanes where their distance is known.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
declare float @llvm.fma.f32(float, float, float)

; COLUMNS: remark: kernel 'columns': barrier-loops form, work-groups of 32 x 8 x 1, vectorised (
define spir_kernel void @columns(ptr addrspace(3) %tile, ptr addrspace(1) %to, i64 %n) convergent {
entry:
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %first = call spir_func i64 @_Z12get_local_idj(i32 1)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %loop
loop:
  %y = phi i64 [ %first, %entry ], [ %next, %loop ]
  %column = mul nuw nsw i64 %x, 33
  %at = add nuw nsw i64 %column, %y
  %p = getelementptr inbounds i32, ptr addrspace(3) %tile, i64 %at
  %v = load i32, ptr addrspace(3) %p, align 4
  %row = mul nuw nsw i64 %y, %n
  %place = add nuw nsw i64 %row, %x
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %place
  store i32 %v, ptr addrspace(1) %q, align 4
  %next = add nuw nsw i64 %y, 8
  %more = icmp ult i64 %y, 24
  br i1 %more, label %loop, label %end
end:
  ret void
}

; COLUMN: remark: kernel 'column': barrier-loops form, work-groups of 32 x 8 x 1: 2 loops over work-items, 2 of them vectorised (
define spir_kernel void @column(ptr addrspace(3) %tile, ptr addrspace(1) %to, i64 %n) convergent {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %column = mul nuw nsw i64 %x, 33
  %at = add nuw nsw i64 %column, %y
  %p = getelementptr inbounds i32, ptr addrspace(3) %tile, i64 %at
  %v = load i32, ptr addrspace(3) %p, align 4
  %row = mul nuw nsw i64 %y, %n
  %place = add nuw nsw i64 %row, %x
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %place
  store i32 %v, ptr addrspace(1) %q, align 4
  ret void
}

; VECTORS: remark: kernel 'vectors': barrier-loops form, work-groups of 32 x 8 x 1, not vectorised: it mostly reads or writes places
define spir_kernel void @vectors(ptr addrspace(3) %tile, ptr addrspace(1) %to, i64 %n) convergent {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %column = mul nuw nsw i64 %x, 33
  %at = add nuw nsw i64 %column, %y
  %p = getelementptr inbounds <4 x i32>, ptr addrspace(3) %tile, i64 %at
  %v = load <4 x i32>, ptr addrspace(3) %p, align 16
  %row = mul nuw nsw i64 %y, %n
  %place = add nuw nsw i64 %row, %x
  %q = getelementptr inbounds <4 x i32>, ptr addrspace(1) %to, i64 %place
  store <4 x i32> %v, ptr addrspace(1) %q, align 16
  ret void
}

; ROWS: remark: kernel 'rows': flat form, vectorised (8)
define spir_kernel void @rows(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %to) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, 512
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 0.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 0.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 0.0, %entry ], [ %t3, %loop ]
  %s4 = phi float [ 0.0, %entry ], [ %y4, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %four = shl nuw nsw i64 %k, 2
  %q0 = getelementptr inbounds float, ptr addrspace(1) %b, i64 %four
  %q1 = getelementptr inbounds i8, ptr addrspace(1) %q0, i64 4
  %q2 = getelementptr inbounds i8, ptr addrspace(1) %q0, i64 8
  %q3 = getelementptr inbounds i8, ptr addrspace(1) %q0, i64 12
  %x0 = load float, ptr addrspace(1) %q0, align 4
  %x1 = load float, ptr addrspace(1) %q1, align 4
  %x2 = load float, ptr addrspace(1) %q2, align 4
  %x3 = load float, ptr addrspace(1) %q3, align 4
  %t0 = call float @llvm.fma.f32(float %v, float %x0, float %s0)
  %t1 = call float @llvm.fma.f32(float %v, float %x1, float %s1)
  %t2 = call float @llvm.fma.f32(float %v, float %x2, float %s2)
  %t3 = call float @llvm.fma.f32(float %v, float %x3, float %s3)
  %y0 = fmul float %t0, %v
  %y1 = fmul float %t1, %v
  %y2 = fadd float %y0, %y1
  %y3 = fmul float %y2, %v
  %y4 = fadd float %s4, %y3
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 512
  br i1 %done, label %end, label %loop
end:
  %u = fadd float %t0, %t1
  %z = fadd float %t2, %t3
  %w = fadd float %z, %y4
  %r = fadd float %u, %w
  %o = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %r, ptr addrspace(1) %o, align 4
  ret void
}
