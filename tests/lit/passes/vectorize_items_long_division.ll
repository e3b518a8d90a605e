; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=read --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=READ
; RUN: weft-opt --cpu=x86-64-v3 --width=8 --prepare --kernel=mixed --variant=flat --passes='form-kernel,function(sroa,early-cse,simplifycfg),forward-item,function(loop-simplify,loop(loop-rotate),loop-simplify,lcssa),vectorize-items' %s -S | FileCheck %s --check-prefix=MIXED

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i64 @llvm.fshl.i64(i64, i64, i64)

; Numbers of 64 bits are asked whether they fit doubles,
; READ-LABEL: define dso_local void @read.flat
; READ: doubles{{.*}}:
; READ: fmul <8 x double>
define spir_kernel void @read(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p, align 8
  %y = add i64 %x, %i
  %q = udiv i64 %y, 1000
  store i64 %q, ptr addrspace(1) %p, align 8
  ret void
}

; but for those whose bits have been mixed, which hardly ever do.
; MIXED-LABEL: define dso_local void @mixed.flat
; MIXED-NOT: {{doubles|x double}}
; MIXED: mul <8 x i128>
; MIXED-NOT: {{doubles|x double}}
; MIXED: ret void
define spir_kernel void @mixed(ptr addrspace(1) %a) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p, align 8
  %r = call i64 @llvm.fshl.i64(i64 %x, i64 %x, i64 7)
  %y = add i64 %r, %i
  %q = udiv i64 %y, 1000
  store i64 %q, ptr addrspace(1) %p, align 8
  ret void
}
