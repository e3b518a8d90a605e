; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s
; RUN: weft-opt --prepare --variant=group --kernel=k %s -S | FileCheck %s --check-prefix=ENTRY
; The block is laid out by natural alignment: three elements count as four, a struct has the
; alignment of its parameter, a local pointer an offset of eight bytes and no size.

target triple = "spir64"
%struct.S = type { i32, [5 x float] }

; CHECK: kernel k block=116 local=0 private={{[0-9]+}} barrier=0 group=1 {{.*}}attributes="vec_type_hint(float4) work_group_size_hint(16,1,1) reqd_work_group_size(8,8,1)"
; CHECK-NEXT: argument kind=1 offset=0 size=8 align=8 address=1 access=0 const=1 restrict=1 volatile=0 name="p" type="float*"
; CHECK-NEXT: argument kind=3 offset=8 size=0 align=16 address=3 access=0 const=0 restrict=0 volatile=0 name="l" type="float3*"
; CHECK-NEXT: argument kind=0 offset=16 size=1 align=1 {{.*}}name="c" type="char"
; CHECK-NEXT: argument kind=0 offset=32 size=16 align=16 {{.*}}name="v" type="float3"
; CHECK-NEXT: argument kind=0 offset=48 size=24 align=4 {{.*}}name="s" type="S"
; CHECK-NEXT: argument kind=2 offset=72 size=8 align=8 address=2 {{.*}}name="q" type="int*"
; CHECK-NEXT: argument kind=3 offset=80 size=0 align=4 address=3 {{.*}}name="m" type="S*"
; CHECK-NEXT: argument kind=0 offset=96 size=16 align=16 {{.*}}type="long2"
; CHECK-NEXT: argument kind=0 offset=112 size=4 align=4 {{.*}}type="uchar3"

; The local pointer is the group's memory plus the offset; the struct is the block's own bytes, copied
; where the kernel changes them.
; ENTRY: define {{.*}}void @k.group.w1.s0.group(
; ENTRY-DAG: load i64, ptr %{{.*}}, align 8, !invariant.load
; ENTRY-DAG: load ptr addrspace(3), ptr %{{.*}}, align 8, !{{.*}}invariant.load
; ENTRY: ret void
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %l, i8 signext %c, <3 x float> %v, ptr byval(%struct.S) align 4 %s, ptr addrspace(2) %q, ptr addrspace(3) %m, <2 x i64> %w, <3 x i8> %u) !kernel_arg_type !2 !kernel_arg_name !4 !reqd_work_group_size !5 !work_group_size_hint !6 !vec_type_hint !7 !weft.arguments !8 {
  store i32 7, ptr %s, align 4
  %x = load i32, ptr %s, align 4
  %e = extractelement <3 x float> %v, i64 2
  store atomic volatile float %e, ptr addrspace(3) %l monotonic, align 4
  %b = load float, ptr addrspace(3) %l, align 4
  store float %b, ptr addrspace(1) %p, align 4
  ret void
}
!2 = !{!"float*", !"float3*", !"char", !"float3", !"S", !"int*", !"S*", !"long2", !"uchar3"}
!4 = !{!"p", !"l", !"c", !"v", !"s", !"q", !"m", !"w", !"u"}
!5 = !{i32 8, i32 8, i32 1}
!6 = !{i32 16, i32 1, i32 1}
!7 = !{<4 x float> undef, i32 0}
; Five of each, from the front end: kind (0: what LLVM's type says), alignment of what is pointed to,
; type of image, access, qualifiers.
!8 = !{i32 0, i32 4, i32 0, i32 0, i32 3, i32 0, i32 16, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 4, i32 0, i32 0, i32 1, i32 0, i32 4, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0}
