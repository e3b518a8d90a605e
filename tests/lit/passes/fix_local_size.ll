; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=sizes --variant=group --local-size=64,0 --passes=fix-local-size %s -S | FileCheck %s
; RUN: weft-opt --prepare --kernel=ids --variant=loops --local-size=48,1,1 --smaller-groups --passes=fix-local-size %s -S | FileCheck %s --check-prefix=IDS

target triple = "spir64"
declare spir_func i64 @_Z14get_local_sizej(i32)
declare spir_func i64 @_Z12get_local_idj(i32)

; Dimension 0 is known, dimension 1 of any size.
; CHECK-LABEL: define {{.*}}void @sizes.body
; CHECK: [[COLUMNS:%.*]] = load i64, ptr {{.*}}, !weft.local_size
; CHECK: add i64 64, [[COLUMNS]]
define spir_kernel void @sizes(ptr addrspace(1) %a) {
  %x = call spir_func i64 @_Z14get_local_sizej(i32 0)
  %y = call spir_func i64 @_Z14get_local_sizej(i32 1)
  %sum = add i64 %x, %y
  store i64 %sum, ptr addrspace(1) %a, align 8
  ret void
}

; Ids are below the size that no group exceeds.
; IDS-LABEL: define {{.*}}void @ids.body
; IDS: load i64, ptr {{.*}}, !range [[RANGE:![0-9]+]]
; IDS: load i64, ptr {{.*}}, !range [[SIZES:![0-9]+]], {{.*}}!weft.local_size
; IDS-DAG: [[RANGE]] = !{i64 0, i64 48}
; IDS-DAG: [[SIZES]] = !{i64 1, i64 49}
define spir_kernel void @ids(ptr addrspace(1) %a) convergent {
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %n = call spir_func i64 @_Z14get_local_sizej(i32 0)
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %sum = add i64 %i, %n
  store i64 %sum, ptr addrspace(1) %a, align 8
  ret void
}
declare spir_func void @__weft_barrier(i32, i32) convergent
