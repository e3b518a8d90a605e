; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=inline-budget,verify %s -S | FileCheck %s --check-prefix=BUDGET
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=8 --kernel=many %s -S | FileCheck %s --check-prefix=LANES
; A function of the library of which there would be too many copies stays out of line, and lanes call it together, whether
; some of them have it under a mask or not.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; BUDGET-LABEL: define internal float @maths(
; BUDGET-SAME: [[SHARED:#[0-9]+]]
; BUDGET-NOT: call
; BUDGET: ret float
; BUDGET-LABEL: define spir_kernel void @many(
; BUDGET-COUNT-7: call float @maths(
; BUDGET-NOT: call float
; BUDGET: attributes [[SHARED]] = { noinline {{.*}}"weft-shared"
define internal float @maths(float %x) "weft-library" {
  %asked = call i32 @asked()
  %is = icmp eq i32 %asked, 0
  br i1 %is, label %never, label %usual
never:
  ret float 0.0
usual:
  %p0 = call float @part(float %x)
  %p1 = call float @part(float %p0)
  %p2 = call float @part(float %p1)
  %p3 = call float @part(float %p2)
  %p4 = call float @part(float %p3)
  %p5 = call float @part(float %p4)
  %p6 = call float @part(float %p5)
  %p7 = call float @part(float %p6)
  %p8 = call float @part(float %p7)
  %p9 = call float @part(float %p8)
  %p10 = call float @part(float %p9)
  %p11 = call float @part(float %p10)
  %p12 = call float @part(float %p11)
  %p13 = call float @part(float %p12)
  %p14 = call float @part(float %p13)
  %p15 = call float @part(float %p14)
  %p16 = call float @part(float %p15)
  %p17 = call float @part(float %p16)
  %p18 = call float @part(float %p17)
  %p19 = call float @part(float %p18)
  ret float %p19
}
define internal i32 @asked() "weft-library" {
  ret i32 1
}
define internal float @part(float %x) "weft-library" {
  %y0 = fmul float %x, 1.5
  %y1 = fadd float %y0, 2.5
  %y2 = fmul float %y1, 3.5
  %y3 = fadd float %y2, 4.5
  %y4 = fmul float %y3, 5.5
  %y5 = fadd float %y4, 6.5
  %y6 = fmul float %y5, 7.5
  %y7 = fadd float %y6, 8.5
  %y8 = fmul float %y7, 9.5
  %y9 = fadd float %y8, 10.5
  %y10 = fmul float %y9, 11.5
  %y11 = fadd float %y10, 12.5
  ret float %y11
}

; Not arithmetic, and called once.
define internal float @reader(ptr addrspace(1) %p, float %x) "weft-library" {
  %m = load float, ptr addrspace(1) %p
  %n = call float @maths(float %m)
  %s = fadd float %n, %x
  ret float %s
}

; LANES-LABEL: define {{.*}}@many
; LANES-COUNT-7: call <8 x float> @maths.fn.x8.lanes(<8 x float> %{{[^,]*}})
; LANES: define internal <8 x float> @maths.fn.x8.lanes(<8 x float> %{{[0-9]*}})
; LANES-NOT: call
; LANES: fmul <8 x float>
; LANES: ret <8 x float>
define spir_kernel void @many(ptr addrspace(1) %a, i64 %n) "weft-kernel" {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %g
  %x = load float, ptr addrspace(1) %p
  %r0 = call float @maths(float %x)
  %q0 = getelementptr float, ptr addrspace(1) %p, i64 1000
  store float %r0, ptr addrspace(1) %q0
  %r1 = call float @maths(float %r0)
  %q1 = getelementptr float, ptr addrspace(1) %p, i64 2000
  store float %r1, ptr addrspace(1) %q1
  %r2 = call float @maths(float %r1)
  %q2 = getelementptr float, ptr addrspace(1) %p, i64 3000
  store float %r2, ptr addrspace(1) %q2
  %r3 = call float @maths(float %r2)
  %q3 = getelementptr float, ptr addrspace(1) %p, i64 4000
  store float %r3, ptr addrspace(1) %q3
  %r4 = call float @maths(float %r3)
  %q4 = getelementptr float, ptr addrspace(1) %p, i64 5000
  store float %r4, ptr addrspace(1) %q4
  %some = fcmp ogt float %x, 2.0
  br i1 %some, label %masked, label %end
masked:
  %x3 = fmul float %x, 3.0
  %m = call float @maths(float %x3)
  store float %m, ptr addrspace(1) %p
  %u = call float @reader(ptr addrspace(1) %p, float %m)
  store float %u, ptr addrspace(1) %p
  br label %end
end:
  ret void
}
