; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=fields --variant=flat --width=8 --cpu=x86-64-v4 %s -S | FileCheck %s --check-prefix=MASKS
; RUN: weft-opt --prepare --kernel=fields --variant=flat --width=8 --cpu=x86-64-v3 %s -S | FileCheck %s --check-prefix=NONE
; RUN: weft-opt --prepare --kernel=one_field --variant=flat --width=8 --cpu=x86-64-v4 %s -S | FileCheck %s --check-prefix=ONE
;
; Some fields of structures are written by wide stores with gaps where masks are registers, and one by
; one where a store with a mask takes as long as many without; lanes that a row has not all of apart.
; Where a register holds a field of one structure alone, there is nothing to mask: code generation takes
; seconds to find that out for a block with hundreds of them.

target triple = "spir64"

; MASKS-LABEL: define {{.*}}void @fields.
; MASKS: masked.store{{.*}}<i1 true, i1 true, i1 false
; NONE-LABEL: define {{.*}}void @fields.
; NONE-NOT: masked.store{{.*}}<i1 true

define spir_kernel void @fields(ptr addrspace(1) %out, ptr addrspace(1) %in) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %record = getelementptr inbounds [8 x i32], ptr addrspace(1) %out, i64 %id
  %y = mul i32 %x, 3
  store i32 %x, ptr addrspace(1) %record
  %second = getelementptr inbounds i8, ptr addrspace(1) %record, i64 4
  store i32 %y, ptr addrspace(1) %second
  %sixth = getelementptr inbounds i8, ptr addrspace(1) %record, i64 20
  store i32 %x, ptr addrspace(1) %sixth
  %last = getelementptr inbounds i8, ptr addrspace(1) %record, i64 28
  store i32 %y, ptr addrspace(1) %last
  ret void
}

; ONE-LABEL: define {{.*}}void @one_field.
; ONE-NOT: masked.store{{.*}}<i1 true, i1 false
; ONE: store i32 {{.*}}, align 4
; ONE-NOT: masked.store{{.*}}<i1 true, i1 false

define spir_kernel void @one_field(ptr addrspace(1) %out, ptr addrspace(1) %in) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %record = getelementptr inbounds [8 x i32], ptr addrspace(1) %out, i64 %id
  store i32 %x, ptr addrspace(1) %record
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)

!0 = !{i32 1, i32 1}
!1 = !{!"none", !"none"}
!2 = !{!"int*", !"int*"}
!3 = !{!"", !""}
