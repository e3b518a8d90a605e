; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --local-size=16,1,1 --kernel=k --explain %s | FileCheck %s --check-prefix=EXPLAIN
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=loops --width=0 --local-size=16,1,1 --kernel=k %s -S | FileCheck %s
; Groups within the limits of a range store whole registers, others what their masks say.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent

; EXPLAIN: kernel 'k': limits: groups all of whose work-items are within them do not ask
; CHECK-LABEL: define {{.*}}@k.loops
; CHECK-DAG: store <8 x i32> {{.*}}, ptr addrspace(1)
; CHECK-DAG: call void @llvm.masked.store.v16i32
define spir_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %from = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %id
  %value = load i32, ptr addrspace(1) %from
  call spir_func void @__weft_barrier(i32 1, i32 1)
  %isx = icmp slt i32 %x, %n
  br i1 %isx, label %then, label %exit
then:
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %value, ptr addrspace(1) %to
  br label %exit
exit:
  ret void
}
