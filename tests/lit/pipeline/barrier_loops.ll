; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s --check-prefix=INFO
; RUN: weft-opt --prepare --variant=loops --kernel=exchange --local-size=64,1,1 %s -S | FileCheck %s
; RUN: weft-opt --prepare --variant=loops --kernel=parts --local-size=64,1,1 %s -S | FileCheck %s --check-prefix=PARTS
; RUN: weft-opt --prepare --variant=loops --kernel=counted --local-size=64,1,1 %s -S | FileCheck %s --check-prefix=COUNTED
; RUN: weft-opt --prepare --variant=loops --kernel=chooses --local-size=64,1,1 %s -S | FileCheck %s --check-prefix=CHOOSES
; RUN: weft-opt --prepare --variant=loops --kernel=counted --local-size=64,1,1 --smaller-groups %s -S | FileCheck %s --check-prefix=SMALLER
; RUN: not weft-opt --prepare --variant=loops --kernel=exchange %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZE
; RUN: weft-opt --prepare --variant=loops --kernel=asked --local-size=64,1,1 %s -S | FileCheck %s --check-prefix=ASKED
; RUN: not weft-opt --prepare --variant=loops --kernel=divergent --local-size=64,1,1 %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIVERGENT
; RUN: weft-opt --prepare --variant=loops --kernel=sums --local-size=64,1,1 --passes=form-kernel,verify %s -S | FileCheck %s --check-prefix=SUMS
; Barriers that whole groups reach become loops over the group's work-items: no call is left, the
; loops are vectorised, and ids are computed again rather than kept.

target triple = "spir64"
@exchange.t = internal addrspace(3) global [64 x float] undef, align 4

; INFO: kernel exchange {{.*}}barrier=1 {{.*}}loops=1 rows=1 on_trial=0 lockstep=0 context=0
; INFO: kernel counted {{.*}}barrier=1 {{.*}}loops=1 rows=1 on_trial=0 lockstep=0 context=4
; INFO: kernel asked {{.*}}barrier=1 {{.*}}loops=0 rows=0 on_trial=1 lockstep=0 context=16
; INFO: kernel divergent {{.*}}barrier=1 {{.*}}loops=0 rows=0 on_trial=1 lockstep=0 context=4
; SIZE: error: kernel 'exchange': the barrier-loop form needs a local size
; DIVERGENT: error: kernel 'divergent': work-items may disagree on the way to a barrier
; Those that meet for barriers alone are asked for their way, and go on by themselves where they
; disagree: each from where it is, until nobody waits, or some wait elsewhere.
; ASKED: define {{.*}}void @asked.loops.w1.s0.l64.l1.l1.group(
; ASKED: %resume.items = alloca [64 x i32]
; ASKED: icmp ne <64 x i8>
; ASKED: br i1 %{{.*}}, label %region.agreed
; ASKED: switch i32 %point, label
; ASKED: call void @weft_group_divergence(ptr {{.*}}%group, i32
; ASKED-NOT: weft_barrier

; CHECK: define {{.*}}void @exchange.loops.w1.s0.l64.l1.l1(ptr {{.*}}%group)
; CHECK-NOT: alloca
; CHECK-NOT: weft_barrier
; CHECK: llvm.memcpy
; CHECK-NOT: fence
; CHECK: load <{{[0-9]+}} x float>, ptr addrspace(3)
; CHECK: store <{{[0-9]+}} x float> {{.*}}, ptr addrspace(1)
; CHECK-NOT: weft_barrier
define spir_kernel void @exchange(ptr addrspace(1) %a) convergent {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %g
  %x = load float, ptr addrspace(1) %from, align 4
  %p = getelementptr inbounds [64 x float], ptr addrspace(3) @exchange.t, i64 0, i64 %l
  store float %x, ptr addrspace(3) %p, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %m = sub i64 63, %l
  %q = getelementptr inbounds [64 x float], ptr addrspace(3) @exchange.t, i64 0, i64 %m
  %y = load float, ptr addrspace(3) %q, align 4
  store float %y, ptr addrspace(1) %from, align 4
  ret void
}

; Elements of vectors are kept one by one, and only those that are needed: the second of four from the
; beginning to the end, and what takes the place of the first.
; PARTS: define {{.*}}void @parts.loops.w1.s0.l64.l1.l1.group(
; PARTS: alloca [64 x float]
; PARTS: alloca [64 x float]
; PARTS-NOT: alloca
; PARTS: define {{.*}}void @parts.loops.w1.s0.l64.l1.l1(
define spir_kernel void @parts(ptr addrspace(1) %a, ptr addrspace(1) %b) convergent {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %g
  %v = load <4 x float>, ptr addrspace(1) %p, align 16
  %s = getelementptr inbounds [64 x float], ptr addrspace(3) @exchange.t, i64 0, i64 %l
  %first = extractelement <4 x float> %v, i32 0
  store float %first, ptr addrspace(3) %s, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %m = sub i64 63, %l
  %t = getelementptr inbounds [64 x float], ptr addrspace(3) @exchange.t, i64 0, i64 %m
  %other = load float, ptr addrspace(3) %t, align 4
  %w = insertelement <4 x float> %v, float %other, i32 0
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %x = extractelement <4 x float> %w, i32 0
  %y = extractelement <4 x float> %w, i32 1
  %sum = fadd float %x, %y
  %q = getelementptr inbounds float, ptr addrspace(1) %b, i64 %g
  store float %sum, ptr addrspace(1) %q, align 4
  ret void
}

; A value that varies and is loaded is kept for each work-item; the counter stays one value.
; COUNTED: define {{.*}}void @counted.loops.w1.s0.l64.l1.l1.group(
; COUNTED: alloca [64 x i32]
; COUNTED-NOT: alloca
; COUNTED-NOT: weft_barrier
; COUNTED: define {{.*}}void @counted.loops.w1.s0.l64.l1.l1(
; At the edges of a range there are less work-items than cells.
; SMALLER: define {{.*}}void @counted.loops.w1.s0.l64.l1.l1.smaller.group(
; SMALLER: alloca [64 x i32]
; SMALLER: %[[ADDRESS:.*]] = getelementptr {{.*}}%group, i64 32
; SMALLER: %[[COUNT:.*]] = load i64, ptr %[[ADDRESS]]
; SMALLER: icmp {{.*}}%[[COUNT]]
define spir_kernel void @counted(ptr addrspace(1) %a, i32 %n) convergent {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %first = load i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %k
  store i32 %k, ptr addrspace(1) %q, align 4
  call spir_func void @__weft_barrier(i32 2, i32 1) convergent
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %first, ptr addrspace(1) %p, align 4
  ret void
}

; Bits are kept in bytes, which are written together, and so need not be kept in memory at all.
; CHOOSES: define {{.*}}void @chooses.loops.w1.s0.l64.l1.l1(
; CHOOSES-NOT: alloca
; CHOOSES: icmp sgt <{{[0-9]+}} x i32>
; CHOOSES: select <{{[0-9]+}} x i1>
define spir_kernel void @chooses(ptr addrspace(1) %a) convergent {
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %x = load i32, ptr addrspace(1) %p, align 4
  %some = icmp sgt i32 %x, 7
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %y = load i32, ptr addrspace(1) %p, align 4
  %neg = sub i32 0, %y
  %z = select i1 %some, i32 %neg, i32 %y
  store i32 %z, ptr addrspace(1) %p, align 4
  ret void
}

define spir_kernel void @asked(ptr addrspace(1) %a) convergent {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %g
  %x = load i32, ptr addrspace(1) %p, align 4
  %some = icmp sgt i32 %x, 32
  br i1 %some, label %wait, label %done
wait:
  store i32 7, ptr addrspace(1) %p, align 4
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  store i32 %x, ptr addrspace(1) %p, align 4
  br label %done
done:
  ret void
}

; Of what a loop computes the last is kept, behind it: the loop can still be rotated, and writes nothing.
; SUMS: define {{.*}}void @sums.loops.
; SUMS: [[KEPT:%.*]] = alloca [64 x float]
; SUMS: [[SUM:%sum.*]] = phi float
; SUMS-NEXT: phi i32
; SUMS-NEXT: icmp
; SUMS-NEXT: br i1 %{{.*}}, label %{{.*}}, label %[[BEHIND:.*]]
; SUMS: [[BEHIND]]:
; SUMS-NEXT: [[PLACE:%.*]] = getelementptr inbounds float, ptr [[KEPT]]
; SUMS-NEXT: store float [[SUM]], ptr [[PLACE]]
define spir_kernel void @sums(ptr addrspace(1) %a, i32 %n) convergent {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %g
  br label %body.header
body.header:
  %sum = phi float [ 0.0, %entry ], [ %next, %body ]
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %behind
body:
  %place = getelementptr inbounds float, ptr addrspace(1) %from, i32 %i
  %x = load float, ptr addrspace(1) %place, align 4
  %next = fadd float %sum, %x
  %i.next = add i32 %i, 1
  br label %body.header
behind:
  call spir_func void @__weft_barrier(i32 2, i32 1) convergent
  store float %sum, ptr addrspace(1) %from, align 4
  ret void
}

define spir_kernel void @divergent(ptr addrspace(1) %a) convergent {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %some = icmp ult i64 %l, 32
  br i1 %some, label %wait, label %done
wait:
  %all = call spir_func i64 @__weft_collective_reduce_32(i32 7, ptr addrspace(4) addrspacecast (ptr @combine to ptr addrspace(4)), i64 %l) convergent
  br label %done
done:
  ret void
}
define internal spir_func void @combine(ptr addrspace(4) %cells, i32 %n) "weft-library" {
  ret void
}
declare spir_func i64 @__weft_collective_reduce_32(i32, ptr addrspace(4), i64) convergent
declare spir_func void @__weft_barrier(i32, i32) convergent
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z13get_global_idj(i32)
