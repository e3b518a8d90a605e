; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=group --width=16 --kernel=own %s -S | FileCheck %s --check-prefix=OWN
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=group --width=16 --kernel=some %s -S | FileCheck %s --check-prefix=SOME
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=group --width=8 --kernel=shared %s -S | FileCheck %s --check-prefix=SHARED
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=8 --kernel=global %s -S | FileCheck %s --check-prefix=GLOBAL
; Atomic updates of local memory, each lane's of a place of its own in a row, are one load, one
; operation and one store.

target triple = "spir64"

; OWN-LABEL: define {{.*}}@own.
; OWN: %[[OLD:.*]] = load <16 x i32>, ptr addrspace(3) %[[PLACE:.*]], align 4
; OWN: %[[NEW:.*]] = add <16 x i32> %{{.*}}, %{{.*}}
; OWN: store <16 x i32> %[[NEW]], ptr addrspace(3) %[[PLACE]], align 4
; OWN: store <16 x i32> %[[OLD]], ptr addrspace(1)
define spir_kernel void @own(ptr addrspace(1) %a, ptr addrspace(3) %l) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %q = getelementptr inbounds i32, ptr addrspace(3) %l, i64 %i
  %old = atomicrmw add ptr addrspace(3) %q, i32 %v seq_cst, align 4
  store i32 %old, ptr addrspace(1) %p, align 4
  ret void
}

; Idle lanes' places are left alone.
; SOME-LABEL: define {{.*}}@some.
; SOME: call <16 x i32> @llvm.masked.load.v16i32.p3(
; SOME: @llvm.smax.v16i32(
; SOME: call void @llvm.masked.store.v16i32.p3(
define spir_kernel void @some(ptr addrspace(1) %a, ptr addrspace(3) %l) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = call spir_func i64 @_Z12get_local_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %c = icmp sgt i32 %v, 7
  br i1 %c, label %then, label %end
then:
  %q = getelementptr inbounds i32, ptr addrspace(3) %l, i64 %i
  %old = atomicrmw max ptr addrspace(3) %q, i32 %v acq_rel, align 4
  store i32 %old, ptr addrspace(1) %p, align 4
  br label %end
end:
  ret void
}

; Lanes that may meet take turns.
; SHARED-LABEL: define {{.*}}@shared.
; SHARED-COUNT-8: store i32 %{{.*}}, ptr addrspace(3)
define spir_kernel void @shared(ptr addrspace(1) %a, ptr addrspace(3) %l) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = and i32 %v, 63
  %j = zext i32 %w to i64
  %q = getelementptr inbounds i32, ptr addrspace(3) %l, i64 %j
  %old = atomicrmw add ptr addrspace(3) %q, i32 1 seq_cst, align 4
  ret void
}

; Others see global memory.
; GLOBAL-LABEL: define {{.*}}@global.
; GLOBAL-COUNT-8: atomicrmw add ptr addrspace(1)
define spir_kernel void @global(ptr addrspace(1) %a) {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst, align 4
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
