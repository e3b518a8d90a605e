; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=retarget,verify %s -S | FileCheck %s
; Triple and layout are the host's, conventions are gone, only kernels stay visible, and a helper
; called like a C library function is no longer. Only instructions say how exact they need not be.

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128"
target triple = "spir64"

; CHECK: target datalayout = "{{.*}}n8:16:32:64
; CHECK: target triple = "{{.*}}linux
; CHECK: @table = internal addrspace(2) constant
@table = addrspace(2) constant [2 x i32] [i32 1, i32 2]

; CHECK: define dso_local void @k(ptr addrspace(1) %p) #[[KERNEL:[0-9]+]]
define spir_kernel void @k(ptr addrspace(1) %p) #0 {
; CHECK: call i32 @strlen.fn(i32 3)
  %x = call spir_func i32 @strlen(i32 3)
; CHECK: call i32 @llvm.ctpop.i32(i32 %x){{$}}
  %y = call i32 @llvm.ctpop.i32(i32 %x) #2
; CHECK: call void @sync() #[[CONVERGENT:[0-9]+]]
  call spir_func void @sync() #2
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; CHECK: define internal i32 @strlen.fn(i32 %n)
define spir_func i32 @strlen(i32 %n) {
  ret i32 %n
}

; CHECK: declare void @sync() #{{[0-9]+}}
declare spir_func void @sync() #2
declare i32 @llvm.ctpop.i32(i32)

; CHECK-NOT: target-cpu
; CHECK-NOT: optnone
; CHECK-NOT: {{(unsafe|no-nans|no-infs|no-signed-zeros|approx-func)-fp-math|less-precise}}
; CHECK: attributes #[[KERNEL]] = { {{.*}}"weft-kernel" }
attributes #0 = { noinline optnone "target-cpu"="pentium" "target-features"="+mmx" "approx-func-fp-math"="true" "less-precise-fpmad"="true" "no-infs-fp-math"="true" "no-nans-fp-math"="true" "no-signed-zeros-fp-math"="true" "no-trapping-math"="true" "unsafe-fp-math"="true" }
attributes #2 = { convergent }
