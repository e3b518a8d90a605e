; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=sparse %s -S | FileCheck %s --check-prefix=SPARSE
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=sums %s -S | FileCheck %s --check-prefix=SUMS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=shared %s -S | FileCheck %s --check-prefix=SHARED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=one_row %s -S | FileCheck %s --check-prefix=ROW
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=search %s -S | FileCheck %s --check-prefix=SEARCH
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=own %s -S | FileCheck %s --check-prefix=OWN
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=short %s -S | FileCheck %s --check-prefix=SHORT
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=alike %s -S | FileCheck %s --check-prefix=ALIKE
; Rows that an inner loop jumps between are asked for two lane groups ahead: of what other rows of
; work-items read too, where that is little beside all else that the loop does. What is left behind the last full lane group asks for nothing.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; A cache line of columns and one of entries, 128 bytes ahead.
; SPARSE-LABEL: define{{.*}} @sparse
; SPARSE-DAG: %[[A:.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 128
; SPARSE-DAG: call void @llvm.prefetch.p1(ptr addrspace(1) %[[A]], i32 0, i32 3, i32 1)
; SPARSE-DAG: %[[B:.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 128
; SPARSE-DAG: call void @llvm.prefetch.p1(ptr addrspace(1) %[[B]], i32 0, i32 3, i32 1)
; SPARSE-NOT: call void @llvm.prefetch
define spir_kernel void @sparse(ptr addrspace(1) %column, ptr addrspace(1) %entries, ptr addrspace(1) %x, ptr addrspace(1) %to, i64 %n, i64 %rows) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %start = mul nuw nsw i64 %k, %rows
  %at = add nuw nsw i64 %start, %g
  %pc = getelementptr inbounds i32, ptr addrspace(1) %column, i64 %at
  %c = load i32, ptr addrspace(1) %pc, align 4
  %pe = getelementptr inbounds float, ptr addrspace(1) %entries, i64 %at
  %e = load float, ptr addrspace(1) %pe, align 4
  %wide = zext i32 %c to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %wide
  %v = load float, ptr addrspace(1) %px, align 4
  %product = fmul float %e, %v
  %next = fadd float %sum, %product
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; No other row of work-items reads what this one does: it is not in a cache.
; SUMS-LABEL: define{{.*}} @sums
; SUMS: call void @llvm.prefetch
; SUMS: load <16 x float>
define spir_kernel void @sums(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n, i64 %columns) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %start = mul nuw nsw i64 %k, %columns
  %at = add nuw nsw i64 %start, %g
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; All rows read the same, as those of products of matrices do. Of little but loads and additions the
; processor begins many iterations.
; SHARED-LABEL: define{{.*}} @shared
; SHARED: load <16 x float>
; SHARED-NOT: llvm.prefetch
define spir_kernel void @shared(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n, i64 %columns) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %h = call spir_func i64 @_Z13get_global_idj(i32 1)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %start = mul nuw nsw i64 %k, %columns
  %at = add nuw nsw i64 %start, %g
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %row = mul nuw nsw i64 %h, %columns
  %place = add nuw nsw i64 %row, %g
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %place
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; All iterations read along one row, which the processor follows.
; ROW-LABEL: define{{.*}} @one_row
; ROW-NOT: llvm.prefetch
define spir_kernel void @one_row(ptr addrspace(1) %column, ptr addrspace(1) %x, ptr addrspace(1) %to, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = add nuw nsw i64 %k, %g
  %pc = getelementptr inbounds i32, ptr addrspace(1) %column, i64 %at
  %c = load i32, ptr addrspace(1) %pc, align 4
  %wide = zext i32 %c to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %wide
  %v = load float, ptr addrspace(1) %px, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; Under masks, which lanes leave one by one, a body is larger than it looks.
; SEARCH-LABEL: define{{.*}} @search
; SEARCH: call void @llvm.prefetch
define spir_kernel void @search(ptr addrspace(1) %a, ptr addrspace(1) %to, i64 %n, i64 %columns, i32 %wanted) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %next ]
  %start = mul nuw nsw i64 %k, %columns
  %at = add nuw nsw i64 %start, %g
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %at
  %v = load i32, ptr addrspace(1) %p, align 4
  %found = icmp eq i32 %v, %wanted
  br i1 %found, label %end, label %next

next:
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, %n
  br i1 %done, label %end, label %loop

end:
  %result = phi i64 [ %k, %loop ], [ -1, %next ]
  %r = getelementptr inbounds i64, ptr addrspace(1) %to, i64 %g
  store i64 %result, ptr addrspace(1) %r, align 8
  ret void
}

; Rows of each lane's own: those of the next 8 lanes, 8 times 1200 bytes ahead of the first one's.
; OWN-LABEL: define{{.*}} @own
; OWN: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 9600
; OWN-COUNT-8: call void @llvm.prefetch
define spir_kernel void @own(ptr addrspace(1) %a, ptr addrspace(1) %to) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, 300
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, 300
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; Rows so short that they are one long row.
; SHORT-LABEL: define{{.*}} @short
; SHORT: load <4 x float>
; SHORT-NOT: llvm.prefetch
define spir_kernel void @short(ptr addrspace(1) %a, ptr addrspace(1) %to) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, 40
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, 40
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}

; Rows that all begin in one set of the cache.
; ALIKE-LABEL: define{{.*}} @alike
; ALIKE: load <4 x float>
; ALIKE-NOT: llvm.prefetch
define spir_kernel void @alike(ptr addrspace(1) %a, ptr addrspace(1) %to) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %start = mul nuw nsw i64 %g, 1024
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %more, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %next, %loop ]
  %at = add nuw nsw i64 %start, %k
  %p = getelementptr inbounds float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p, align 4
  %next = fadd float %sum, %v
  %more = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %more, 1024
  br i1 %done, label %end, label %loop

end:
  %r = getelementptr inbounds float, ptr addrspace(1) %to, i64 %g
  store float %next, ptr addrspace(1) %r, align 4
  ret void
}
