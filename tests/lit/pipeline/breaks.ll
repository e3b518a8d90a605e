; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare %s -S | FileCheck %s
; Clang has a break out of the scope of a variable go through a block that ends the variable's life
; and asks where to go on. Nothing of that is left, with its values for those who have left the loop:
; three variables go round.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; for (; s < n; ++s) { float xx = x * x; if (xx > 4) break; y = xx + y; y = y < 0 ? -y : y; x = x + y; }
; CHECK-LABEL: define{{.*}} @k
; CHECK-COUNT-3: phi
; CHECK-NOT: phi
; CHECK-NOT: switch
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) noundef align 4 %0, i32 noundef %1) {
  %3 = alloca ptr addrspace(1), align 8
  %4 = alloca i32, align 4
  %5 = alloca float, align 4
  %6 = alloca float, align 4
  %7 = alloca i32, align 4
  %8 = alloca float, align 4
  %9 = alloca i32, align 4
  store ptr addrspace(1) %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %5)
  %10 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0)
  %11 = uitofp i64 %10 to float
  store float %11, ptr %5, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %6)
  store float 0.000000e+00, ptr %6, align 4
  call void @llvm.lifetime.start.p0(i64 4, ptr %7)
  store i32 0, ptr %7, align 4
  br label %12

12:                                               ; preds = %42, %2
  %13 = load i32, ptr %7, align 4
  %14 = load i32, ptr %4, align 4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %45

16:                                               ; preds = %12
  call void @llvm.lifetime.start.p0(i64 4, ptr %8)
  %17 = load float, ptr %5, align 4
  %18 = load float, ptr %5, align 4
  %19 = fmul float %17, %18
  store float %19, ptr %8, align 4
  %20 = load float, ptr %8, align 4
  %21 = fcmp ogt float %20, 4.000000e+00
  br i1 %21, label %22, label %23

22:                                               ; preds = %16
  store i32 2, ptr %9, align 4
  br label %39

23:                                               ; preds = %16
  %24 = load float, ptr %8, align 4
  %25 = load float, ptr %6, align 4
  %26 = fadd float %24, %25
  store float %26, ptr %6, align 4
  %27 = load float, ptr %6, align 4
  %28 = fcmp olt float %27, 0.000000e+00
  br i1 %28, label %29, label %32

29:                                               ; preds = %23
  %30 = load float, ptr %6, align 4
  %31 = fneg float %30
  br label %34

32:                                               ; preds = %23
  %33 = load float, ptr %6, align 4
  br label %34

34:                                               ; preds = %32, %29
  %35 = phi float [ %31, %29 ], [ %33, %32 ]
  store float %35, ptr %6, align 4
  %36 = load float, ptr %5, align 4
  %37 = load float, ptr %6, align 4
  %38 = fadd float %36, %37
  store float %38, ptr %5, align 4
  store i32 0, ptr %9, align 4
  br label %39

39:                                               ; preds = %34, %22
  call void @llvm.lifetime.end.p0(i64 4, ptr %8)
  %40 = load i32, ptr %9, align 4
  switch i32 %40, label %50 [
    i32 0, label %41
    i32 2, label %45
  ]

41:                                               ; preds = %39
  br label %42

42:                                               ; preds = %41
  %43 = load i32, ptr %7, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %7, align 4
  br label %12

45:                                               ; preds = %39, %12
  %46 = load i32, ptr %7, align 4
  %47 = load ptr addrspace(1), ptr %3, align 8
  %48 = call spir_func i64 @_Z13get_global_idj(i32 noundef 0)
  %49 = getelementptr inbounds i32, ptr addrspace(1) %47, i64 %48
  store i32 %46, ptr addrspace(1) %49, align 4
  call void @llvm.lifetime.end.p0(i64 4, ptr %7)
  call void @llvm.lifetime.end.p0(i64 4, ptr %6)
  call void @llvm.lifetime.end.p0(i64 4, ptr %5)
  ret void

50:                                               ; preds = %39
  unreachable
}
