; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --width=1 --kernel=device %s -S | FileCheck %s --check-prefix=DEVICE
; RUN: weft-opt --prepare --variant=flat --width=1 --kernel=flags %s -S | FileCheck %s --check-prefix=FLAGS
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=0 --kernel=device --explain %s | FileCheck %s --check-prefix=MOSTLY
; Volatile and atomic accesses of a loop over work-items stay what they are, though LLVM's loop
; vectoriser would take those of loops that are parallel for any others.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; DEVICE-LABEL: define {{.*}}@device.flat
; MOSTLY: remark: kernel 'device': flat form, not vectorised: it mostly makes volatile accesses
; DEVICE-NOT: store <
; DEVICE: store volatile i32 1
; DEVICE: load volatile i32
define spir_kernel void @device(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store volatile i32 1, ptr addrspace(1) %pa, align 4
  %x = load volatile i32, ptr addrspace(1) %pa, align 4
  %y = add i32 %x, 5
  store i32 %y, ptr addrspace(1) %pb, align 4
  ret void
}

; FLAGS-LABEL: define {{.*}}@flags.flat
; FLAGS-NOT: store <
; FLAGS: load atomic i32
; FLAGS: store atomic i32
define spir_kernel void @flags(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %x = load atomic i32, ptr addrspace(1) %pb acquire, align 4
  %y = add i32 %x, 5
  store atomic i32 %y, ptr addrspace(1) %pa release, align 4
  ret void
}
