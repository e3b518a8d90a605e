; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Functions that initialise variables at program scope become kernels that know their order; the
; list of them goes.
; RUN: weft-opt --passes=retarget %s -S | FileCheck %s

target triple = "spir64-unknown-unknown"

@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @_GLOBAL__sub_I_a, ptr null },
  { i32, ptr, ptr } { i32 100, ptr @_GLOBAL__sub_I_b, ptr null }]

; CHECK-NOT: llvm.global_ctors
; CHECK: define dso_local void @_GLOBAL__sub_I_a() #[[A:[0-9]+]]
define internal spir_kernel void @_GLOBAL__sub_I_a() {
  ret void
}
; CHECK: define dso_local void @_GLOBAL__sub_I_b() #[[B:[0-9]+]]
define internal spir_kernel void @_GLOBAL__sub_I_b() {
  ret void
}

; CHECK-DAG: attributes #[[A]] = {{.*}}"weft-constructor"="1" "weft-kernel"
; CHECK-DAG: attributes #[[B]] = {{.*}}"weft-constructor"="0" "weft-kernel"
