; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=far_apart %s -S | FileCheck %s --check-prefix=APART
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=8 --kernel=far_apart %s -S | FileCheck %s --check-prefix=MASKED
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=fields %s -S | FileCheck %s --check-prefix=FIELDS
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=pairs %s -S | FileCheck %s --check-prefix=PAIRS
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=gap %s -S | FileCheck %s --check-prefix=GAP
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=meets --any-buffers %s -S | FileCheck %s --check-prefix=MEETS
; Accesses to fields of structures that follow each other: wide ones and shuffles. The widths of
; pieces are those of hosts with registers of 128 bits at least.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

%point = type { float, float, float }

; All fields share the loads of the whole structures, and the stores.
; FIELDS-NOT: gather
; FIELDS: load <[[N:[0-9]+]] x float>, ptr addrspace(1)
; FIELDS: shufflevector
; FIELDS: store <[[N]] x float>
; FIELDS-NOT: scatter
define spir_kernel void @fields(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds %point, ptr addrspace(1) %a, i64 %i, i32 0
  %x = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds %point, ptr addrspace(1) %a, i64 %i, i32 1
  %y = load float, ptr addrspace(1) %py, align 4
  %pz = getelementptr inbounds %point, ptr addrspace(1) %a, i64 %i, i32 2
  %z = load float, ptr addrspace(1) %pz, align 4
  %qx = getelementptr inbounds %point, ptr addrspace(1) %b, i64 %i, i32 0
  %qy = getelementptr inbounds %point, ptr addrspace(1) %b, i64 %i, i32 1
  %qz = getelementptr inbounds %point, ptr addrspace(1) %b, i64 %i, i32 2
  %s = fadd float %x, %y
  store float %s, ptr addrspace(1) %qz, align 4
  store float %z, ptr addrspace(1) %qx, align 4
  store float %y, ptr addrspace(1) %qy, align 4
  ret void
}

; Nothing behind the last lane's last element is read: the last piece begins earlier.
; PAIRS: %[[LAST:.*]] = getelementptr {{.*}}, i64 {{60|92|108}}
; PAIRS: load <{{.*}} x i32>, ptr addrspace(1) %[[LAST]]
define spir_kernel void @pairs(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %j = mul i64 %i, 2
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %j
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 %v, ptr addrspace(1) %q, align 4
  ret void
}

; What lies between the fields is never written; the last of one structure and the first of the
; next may be written together.
; GAP-NOT: store <{{[3-9]|1[0-9]}}
; GAP: ret void
define spir_kernel void @gap(ptr addrspace(1) %a) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds %point, ptr addrspace(1) %a, i64 %i, i32 0
  store float 1.0, ptr addrspace(1) %px, align 4
  %pz = getelementptr inbounds %point, ptr addrspace(1) %a, i64 %i, i32 2
  store float 2.0, ptr addrspace(1) %pz, align 4
  ret void
}

; The second field may be what was written through another pointer: it is read after that.
; MEETS: load <
; MEETS: store <16 x i32>
; MEETS: load <
; MEETS: store <16 x i32>
define spir_kernel void @meets(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %j = mul i64 %i, 2
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %j
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 %v, ptr addrspace(1) %q, align 4
  %j1 = add i64 %j, 1
  %p1 = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %j1
  %w = load i32, ptr addrspace(1) %p1, align 4
  %b1 = getelementptr inbounds i32, ptr addrspace(1) %q, i64 1000
  store i32 %w, ptr addrspace(1) %b1, align 4
  ret void
}

; Where masks are no registers, stores with large gaps are made one by one.
; APART-LABEL: define{{.*}} @far_apart
; APART-NOT: masked.store
; APART-COUNT-8: store float
; MASKED-LABEL: define{{.*}} @far_apart
; MASKED: llvm.masked.store
define spir_kernel void @far_apart(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %to) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %g
  %v = load float, ptr addrspace(1) %pa, align 4
  %five = mul nuw nsw i64 %g, 5
  %pt = getelementptr inbounds float, ptr addrspace(1) %to, i64 %five
  store float %v, ptr addrspace(1) %pt, align 4
  ret void
}
