; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=32 --kernel=halves --local-size=32,1,1 %s -S | FileCheck %s --check-prefix=HALVES
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=32 --kernel=bytes --local-size=32,1,1 %s -S | FileCheck %s --check-prefix=BYTES
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=sums --local-size=64,1,1 --explain %s | FileCheck %s --check-prefix=FEW
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --kernel=extremes --local-size=64,1,1 --explain %s | FileCheck %s --check-prefix=MANY
; Counts in local memory: places that have to come out of vectors one by one are read from memory in
; a loop over lanes, unrolled by a few; bytes are cut out of words for all lanes.

target triple = "spir64"
@halves.bins = internal addrspace(3) global [256 x i32] undef, align 4
@bytes.bins = internal addrspace(3) global [256 x i32] undef, align 4

; HALVES-LABEL: define {{.*}}@halves.
; HALVES: store <32 x {{.*}}, ptr %lanes
; HALVES: phi i64 [ 0,
; HALVES-COUNT-8: store i32 %{{.*}}, ptr addrspace(3)
; HALVES-NOT: store i32 %{{.*}}, ptr addrspace(3)
; HALVES: br i1
define spir_kernel void @halves(ptr addrspace(1) %a, ptr addrspace(1) %out) convergent {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %p = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %g
  %v = load i16, ptr addrspace(1) %p, align 2
  %wide = zext i16 %v to i32
  %bin = and i32 %wide, 255
  %at = zext i32 %bin to i64
  %q = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %at
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 syncscope("workgroup") monotonic, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %r = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %l
  %n = load i32, ptr addrspace(3) %r, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %g
  store i32 %n, ptr addrspace(1) %to, align 4
  ret void
}

; BYTES-LABEL: define {{.*}}@bytes.
; BYTES: extractelement <4 x i64>
; BYTES-COUNT-32: store i32 %{{.*}}, ptr addrspace(3)
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %out) convergent {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %p = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %g
  %v = load i8, ptr addrspace(1) %p, align 1
  %at = zext i8 %v to i64
  %q = getelementptr inbounds [256 x i32], ptr addrspace(3) @bytes.bins, i64 0, i64 %at
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 syncscope("workgroup") monotonic, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %r = getelementptr inbounds [256 x i32], ptr addrspace(3) @bytes.bins, i64 0, i64 %l
  %n = load i32, ptr addrspace(3) %r, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %g
  store i32 %n, ptr addrspace(1) %to, align 4
  ret void
}

; What the processor has learnt of stores and loads reaches for a few lanes: no more of them where they mostly
; count. Minima and maxima are several instructions, which it takes for misplaced but in a loop.
; FEW: from here: vectorised (8)
; MANY: from here: vectorised (32)
define spir_kernel void @sums(ptr addrspace(1) %a, ptr addrspace(1) %out) convergent {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %loop
loop:
  %e = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul nuw nsw i64 %e, 4096
  %place = add nuw nsw i64 %row, %g
  %p = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %place
  %v = load i16, ptr addrspace(1) %p, align 2
  %wide = zext i16 %v to i32
  %bin = and i32 %wide, 255
  %at = zext i32 %bin to i64
  %q = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %at
  %old = atomicrmw add ptr addrspace(3) %q, i32 %wide syncscope("workgroup") monotonic, align 4
  %next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %end
end:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %r = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %l
  %n = load i32, ptr addrspace(3) %r, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %g
  store i32 %n, ptr addrspace(1) %to, align 4
  ret void
}

define spir_kernel void @extremes(ptr addrspace(1) %a, ptr addrspace(1) %out) convergent {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %loop
loop:
  %e = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = mul nuw nsw i64 %e, 4096
  %place = add nuw nsw i64 %row, %g
  %p = getelementptr inbounds i16, ptr addrspace(1) %a, i64 %place
  %v = load i16, ptr addrspace(1) %p, align 2
  %wide = zext i16 %v to i32
  %bin = and i32 %wide, 255
  %at = zext i32 %bin to i64
  %q = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %at
  %old = atomicrmw umax ptr addrspace(3) %q, i32 %wide syncscope("workgroup") monotonic, align 4
  %next = add nuw nsw i64 %e, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %loop, label %end
end:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %r = getelementptr inbounds [256 x i32], ptr addrspace(3) @halves.bins, i64 0, i64 %l
  %n = load i32, ptr addrspace(3) %r, align 4
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %g
  store i32 %n, ptr addrspace(1) %to, align 4
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent
