; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=list --explain %s | FileCheck %s --check-prefix=LIST
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=table --explain %s | FileCheck %s --check-prefix=TABLE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=rows --explain %s | FileCheck %s --check-prefix=ROWS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=real_rows --explain %s | FileCheck %s --check-prefix=REAL
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=vectors --explain %s | FileCheck %s --check-prefix=VECTORS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=short_body --explain %s | FileCheck %s --check-prefix=SHORT
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=0 --kernel=short_body -S %s | FileCheck %s --check-prefix=LANES
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=0 --kernel=transposed --explain %s | FileCheck %s --check-prefix=TRANSPOSED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=fours --explain %s | FileCheck %s --check-prefix=FOURS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=sixteens --explain %s | FileCheck %s --check-prefix=SIXTEENS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=indexed --explain %s | FileCheck %s --check-prefix=INDEXED
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=0 --kernel=exchange --explain %s | FileCheck %s --check-prefix=EXCHANGE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=search --explain %s | FileCheck %s --check-prefix=SEARCH
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=counted_search --explain %s | FileCheck %s --check-prefix=COUNTED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=insertion --explain %s | FileCheck %s --check-prefix=INSERTION
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=scaled_rows --explain %s | FileCheck %s --check-prefix=SCALED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=pixels --explain %s | FileCheck %s --check-prefix=PIXELS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=two_of_three --explain %s | FileCheck %s --check-prefix=PARTS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=alike --explain %s | FileCheck %s --check-prefix=ALIKE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=unlike --explain %s | FileCheck %s --check-prefix=UNLIKE
; Loops that do little more than load from scattered places have lanes where each load says where
; the next one is, since these wait together, and none where all can be under way anyhow. Along rows
; of their own work-items go one by one where each of them fills vectors.
; Branches on what was read are worth lanes.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; LIST: remark: kernel 'list': flat form, vectorised ({{8|16|32|64}})
define spir_kernel void @list(ptr addrspace(1) %next, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = trunc i64 %g to i32
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %at = phi i32 [ %first, %entry ], [ %v, %loop ]
  %wide = zext i32 %at to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %next, i64 %wide
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %v, ptr addrspace(1) %r, align 4
  ret void
}

; TABLE: remark: kernel 'table': flat form, not vectorised: it mostly reads or writes places that do not follow each other
define spir_kernel void @table(ptr addrspace(1) %table, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %next, %loop ]
  %hash = mul i64 %g, 1000003
  %mixed = xor i64 %hash, %k
  %index = and i64 %mixed, 65535
  %p = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %index
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %index
  %w = load i32, ptr addrspace(1) %q, align 4
  %both = add i32 %v, %w
  %next = xor i32 %sum, %both
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %next, ptr addrspace(1) %r, align 4
  ret void
}

; ROWS: remark: kernel 'rows': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
; ROWS: remark: kernel 'rows': LLVM: vectorized loop
define spir_kernel void @rows(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %v = load i32, ptr addrspace(1) %p, align 4
  %more = add i32 %sum, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %more, ptr addrspace(1) %r, align 4
  ret void
}

; Pixels of a row, of which all bytes are read and written: LLVM takes several of them apart.
; PIXELS: remark: kernel 'pixels': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
; PIXELS: remark: kernel 'pixels': LLVM: vectorized loop
define spir_kernel void @pixels(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pixels = mul nuw nsw i64 %g, %n
  %start = mul nuw nsw i64 %pixels, 3
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %of.row = mul nuw nsw i64 %k, 3
  %at = add nuw nsw i64 %start, %of.row
  %at0 = add nuw nsw i64 %at, 0
  %p0 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at0
  %v0 = load i8, ptr addrspace(1) %p0, align 1
  %x0 = xor i8 %v0, 85
  %at1 = add nuw nsw i64 %at, 1
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at1
  %v1 = load i8, ptr addrspace(1) %p1, align 1
  %x1 = xor i8 %v1, 85
  %at2 = add nuw nsw i64 %at, 2
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at2
  %v2 = load i8, ptr addrspace(1) %p2, align 1
  %x2 = xor i8 %v2, 85
  %q0 = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %at0
  store i8 %x0, ptr addrspace(1) %q0, align 1
  %q1 = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %at1
  store i8 %x1, ptr addrspace(1) %q1, align 1
  %q2 = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %at2
  store i8 %x2, ptr addrspace(1) %q2, align 1
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; It has no stores with gaps.
; PARTS-NOT: which fill vectors for one work-item
define spir_kernel void @two_of_three(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pixels = mul nuw nsw i64 %g, %n
  %start = mul nuw nsw i64 %pixels, 3
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %of.row = mul nuw nsw i64 %k, 3
  %at = add nuw nsw i64 %start, %of.row
  %at0 = add nuw nsw i64 %at, 0
  %p0 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at0
  %v0 = load i8, ptr addrspace(1) %p0, align 1
  %x0 = xor i8 %v0, 85
  %at1 = add nuw nsw i64 %at, 1
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at1
  %v1 = load i8, ptr addrspace(1) %p1, align 1
  %x1 = xor i8 %v1, 85
  %at2 = add nuw nsw i64 %at, 2
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %a, i64 %at2
  %v2 = load i8, ptr addrspace(1) %p2, align 1
  %x2 = xor i8 %v2, 85
  %q0 = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %at0
  store i8 %x0, ptr addrspace(1) %q0, align 1
  %q1 = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %at1
  store i8 %x1, ptr addrspace(1) %q1, align 1
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; The order of these sums is the program's, and one work-item would wait for each of them.
; REAL: remark: kernel 'real_rows': flat form, vectorised (8)
define spir_kernel void @real_rows(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %more, ptr addrspace(1) %r, align 4
  ret void
}

; VECTORS: remark: kernel 'vectors': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @vectors(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds <4 x i8>, ptr addrspace(1) %a, i64 %at
  %v = load <4 x i8>, ptr addrspace(1) %p, align 4
  %wide = zext <4 x i8> %v to <4 x i32>
  %more = add <4 x i32> %sum, %wide
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds <4 x i32>, ptr addrspace(1) %to, i64 %g
  store <4 x i32> %more, ptr addrspace(1) %r, align 16
  ret void
}

; Four rows have lanes, which transpose. What lanes would make slower of one row, LLVM's vectoriser would too.
; TRANSPOSED: remark: kernel 'transposed': flat form: 2 loops over work-items, 1 of them vectorised (8)
; TRANSPOSED: not vectorised: it mostly reads or writes places that do not follow each other
; TRANSPOSED-NOT: LLVM: vectorized loop
define spir_kernel void @transposed(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %to, i64 %n) {
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul nuw nsw i64 %y, %n
  %from = add nuw nsw i64 %row, %x
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %from
  %v = load float, ptr addrspace(1) %p, align 4
  %column = mul nuw nsw i64 %x, %n
  %there = add nuw nsw i64 %column, %y
  %q = getelementptr inbounds float, ptr addrspace(1) %to, i64 %there
  store float %v, ptr addrspace(1) %q, align 4
  ret void
}

; Little else than the load is in vectors, but one work-item would wait for its sum.
; The processor prefetches each lane's row for a load of its own.
; SHORT: remark: kernel 'short_body': flat form, vectorised (8)
; LANES-COUNT-8: load <4 x float>, ptr addrspace(1)
; LANES: fadd <8 x float>
define spir_kernel void @short_body(ptr addrspace(1) %a, ptr addrspace(1) %to) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, 912
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %more = fadd float %sum, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 912
  br i1 %done, label %end, label %loop

end:
  %q = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %more, ptr addrspace(1) %q, align 4
  ret void
}

; FOURS: remark: kernel 'fours': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @fours(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %at
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %more = fadd <4 x float> %sum, %v
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds <4 x float>, ptr addrspace(1) %to, i64 %g
  store <4 x float> %more, ptr addrspace(1) %r, align 16
  ret void
}

; Where one work-item's vectors fill registers they have nothing from each other's.
; SIXTEENS: remark: kernel 'sixteens': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @sixteens(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, %n
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <16 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds <16 x i8>, ptr addrspace(1) %a, i64 %at
  %v = load <16 x i8>, ptr addrspace(1) %p, align 16
  %wide = sext <16 x i8> %v to <16 x i32>
  %more = add <16 x i32> %sum, %wide
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds <16 x i32>, ptr addrspace(1) %to, i64 %g
  store <16 x i32> %more, ptr addrspace(1) %r, align 64
  ret void
}

; What finds the row is no work that lanes would share.
; INDEXED: remark: kernel 'indexed': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @indexed(ptr addrspace(1) %a, ptr addrspace(2) %b, ptr addrspace(1) %to, i32 %columns) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %g to i32
  br label %loop

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <16 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %row = mul nsw i32 %i, %columns
  %at = add nsw i32 %row, %j
  %k = sext i32 %at to i64
  %p = getelementptr inbounds <16 x i8>, ptr addrspace(1) %a, i64 %k
  %v = load <16 x i8>, ptr addrspace(1) %p, align 16
  %wide = sext <16 x i8> %v to <16 x i32>
  %l = sext i32 %j to i64
  %q = getelementptr inbounds <16 x i8>, ptr addrspace(2) %b, i64 %l
  %w = load <16 x i8>, ptr addrspace(2) %q, align 16
  %other = sext <16 x i8> %w to <16 x i32>
  %product = mul <16 x i32> %wide, %other
  %more = add <16 x i32> %sum, %product
  %next = add nsw i32 %j, 1
  %done = icmp eq i32 %next, %columns
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds <16 x i32>, ptr addrspace(1) %to, i64 %g
  store <16 x i32> %more, ptr addrspace(1) %r, align 64
  ret void
}

; EXCHANGE: remark: kernel 'exchange': flat form, vectorised ({{16|32}}
define spir_kernel void @exchange(ptr addrspace(1) %keys, i64 %distance) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %other = xor i64 %g, %distance
  %p = getelementptr inbounds i32, ptr addrspace(1) %keys, i64 %g
  %q = getelementptr inbounds i32, ptr addrspace(1) %keys, i64 %other
  %a = load i32, ptr addrspace(1) %p, align 4
  %b = load i32, ptr addrspace(1) %q, align 4
  %is_after = icmp slt i32 %b, %a
  br i1 %is_after, label %change, label %end

change:
  store i32 %b, ptr addrspace(1) %p, align 4
  store i32 %a, ptr addrspace(1) %q, align 4
  br label %end

end:
  ret void
}

; Lanes wait for the last one to find what it looks for; where nobody leaves early they do not.
; SEARCH: remark: kernel 'search': flat form, not vectorised: it mostly reads or writes places that do not follow each other
define spir_kernel void @search(ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %wanted, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %g, 211
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %next ]
  %sum = phi i32 [ 0, %entry ], [ %added, %next ]
  %index = add i64 %row, %k
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %index
  %v = load i32, ptr addrspace(1) %p, align 4
  %found = icmp eq i32 %v, %wanted
  br i1 %found, label %end, label %next

next:
  %odd = and i32 %v, 1
  %isOdd = icmp eq i32 %odd, 1
  %half = lshr i32 %v, 1
  %plus = add i32 %sum, %half
  %added = select i1 %isOdd, i32 %sum, i32 %plus
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %total = phi i32 [ %sum, %loop ], [ %added, %next ]
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %total, ptr addrspace(1) %r, align 4
  ret void
}

; COUNTED: remark: kernel 'counted_search': flat form, vectorised
define spir_kernel void @counted_search(ptr addrspace(1) %from, ptr addrspace(1) %to, i32 %wanted, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %g, 211
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %added, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr inbounds i32, ptr addrspace(1) %from, i64 %index
  %v = load i32, ptr addrspace(1) %p, align 4
  %found = icmp eq i32 %v, %wanted
  %odd = and i32 %v, 1
  %isOdd = icmp eq i32 %odd, 1
  %half = lshr i32 %v, 1
  %plus = add i32 %sum, %half
  %either = select i1 %isOdd, i32 %sum, i32 %plus
  %added = select i1 %found, i32 0, i32 %either
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %g
  store i32 %added, ptr addrspace(1) %r, align 4
  ret void
}

; Private arrays are as near in many lanes as in one; bytes whose places are numbers of 32 bits have
; no more lanes than those need.
; INSERTION: remark: kernel 'insertion': flat form, vectorised (32)
define spir_kernel void @insertion(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %n) {
entry:
  %p = alloca [24 x i8], align 1
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %read

read:
  %k = phi i64 [ 0, %entry ], [ %k1, %read ]
  %line = mul i64 %k, %n
  %index = add i64 %line, %g
  %a = getelementptr inbounds i8, ptr addrspace(1) %from, i64 %index
  %x = load i8, ptr addrspace(1) %a, align 1
  %b = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %k
  store i8 %x, ptr %b, align 1
  %k1 = add nuw nsw i64 %k, 1
  %read.done = icmp eq i64 %k1, 24
  br i1 %read.done, label %sort, label %read

sort:
  %j = phi i32 [ 1, %read ], [ %j1, %sort.next ]
  %jw = zext i32 %j to i64
  %c = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %jw
  %v = load i8, ptr %c, align 1
  br label %shift

shift:
  %m = phi i32 [ %j, %sort ], [ %m1, %move ]
  %first = icmp eq i32 %m, 0
  br i1 %first, label %sort.next, label %ask

ask:
  %m1 = add i32 %m, -1
  %m1w = zext i32 %m1 to i64
  %d = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %m1w
  %w = load i8, ptr %d, align 1
  %after = icmp ugt i8 %w, %v
  br i1 %after, label %move, label %sort.next

move:
  %mw = zext i32 %m to i64
  %e = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %mw
  store i8 %w, ptr %e, align 1
  br label %shift

sort.next:
  %mw2 = zext i32 %m to i64
  %f = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %mw2
  store i8 %v, ptr %f, align 1
  %j1 = add nuw nsw i32 %j, 1
  %sorted = icmp eq i32 %j1, 24
  br i1 %sorted, label %write, label %sort

write:
  %o = phi i64 [ 0, %sort.next ], [ %o1, %write ]
  %line2 = mul i64 %o, %n
  %index2 = add i64 %line2, %g
  %q = getelementptr inbounds [24 x i8], ptr %p, i64 0, i64 %o
  %y = load i8, ptr %q, align 1
  %r = getelementptr inbounds i8, ptr addrspace(1) %to, i64 %index2
  store i8 %y, ptr addrspace(1) %r, align 1
  %o1 = add nuw nsw i64 %o, 1
  %write.done = icmp eq i64 %o1, 24
  br i1 %write.done, label %end, label %write

end:
  ret void
}

; Rows that one work-item reads and writes fill its vectors too.
; SCALED: remark: kernel 'scaled_rows': flat form, not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @scaled_rows(ptr addrspace(1) %from, ptr addrspace(1) %to, float %by, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %g, 1216
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %index = add i64 %row, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %from, i64 %index
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %by
  %b = fadd float %a, 1.0
  %c = fmul float %b, %v
  %d = fadd float %c, %by
  %e = fmul float %d, %d
  %f = fsub float %e, %v
  %h = fmul float %f, %by
  %i = fadd float %h, %c
  %j = fmul float %i, %a
  %l = fadd float %j, %b
  %q = getelementptr inbounds float, ptr addrspace(1) %to, i64 %index
  store float %l, ptr addrspace(1) %q, align 4
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; Six elements an iteration that are added alike are rerolled, and fill registers for one work-item.
; ALIKE: not vectorised: it reads rows of its own, which fill vectors for one work-item
define spir_kernel void @alike(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul nuw nsw i64 %id, %n
  %start = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %row
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum5, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %start, i64 %i
  %p0 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 0
  %v0 = load i32, ptr addrspace(1) %p0
  %t0 = mul i32 %v0, 5
  %sum0 = add i32 %sum, %t0
  %p1 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
  %v1 = load i32, ptr addrspace(1) %p1
  %t1 = mul i32 %v1, 5
  %sum1 = add i32 %sum0, %t1
  %p2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 2
  %v2 = load i32, ptr addrspace(1) %p2
  %t2 = mul i32 %v2, 5
  %sum2 = add i32 %sum1, %t2
  %p3 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 3
  %v3 = load i32, ptr addrspace(1) %p3
  %t3 = mul i32 %v3, 5
  %sum3 = add i32 %sum2, %t3
  %p4 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 4
  %v4 = load i32, ptr addrspace(1) %p4
  %t4 = mul i32 %v4, 5
  %sum4 = add i32 %sum3, %t4
  %p5 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 5
  %v5 = load i32, ptr addrspace(1) %p5
  %t5 = mul i32 %v5, 5
  %sum5 = add i32 %sum4, %t5
  %next = add nuw nsw i64 %i, 6
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %id
  store i32 %sum5, ptr addrspace(1) %q
  ret void
}

; Where they are not, LLVM would take them apart.
; UNLIKE: remark: kernel 'unlike': flat form, vectorised (
define spir_kernel void @unlike(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul nuw nsw i64 %id, %n
  %start = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %row
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum5, %loop ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %start, i64 %i
  %p0 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 0
  %v0 = load i32, ptr addrspace(1) %p0
  %t0 = mul i32 %v0, 5
  %sum0 = add i32 %sum, %t0
  %p1 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
  %v1 = load i32, ptr addrspace(1) %p1
  %t1 = mul i32 %v1, 3
  %sum1 = add i32 %sum0, %t1
  %p2 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 2
  %v2 = load i32, ptr addrspace(1) %p2
  %t2 = mul i32 %v2, 7
  %sum2 = add i32 %sum1, %t2
  %p3 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 3
  %v3 = load i32, ptr addrspace(1) %p3
  %t3 = mul i32 %v3, 5
  %sum3 = add i32 %sum2, %t3
  %p4 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 4
  %v4 = load i32, ptr addrspace(1) %p4
  %t4 = mul i32 %v4, 2
  %sum4 = add i32 %sum3, %t4
  %p5 = getelementptr inbounds i32, ptr addrspace(1) %p, i64 5
  %v5 = load i32, ptr addrspace(1) %p5
  %t5 = mul i32 %v5, 9
  %sum5 = add i32 %sum4, %t5
  %next = add nuw nsw i64 %i, 6
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:
  %q = getelementptr inbounds i32, ptr addrspace(1) %to, i64 %id
  store i32 %sum5, ptr addrspace(1) %q
  ret void
}
