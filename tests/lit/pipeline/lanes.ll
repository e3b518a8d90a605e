; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=product %s -S | FileCheck %s --check-prefix=PRODUCT
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=steps %s -S | FileCheck %s --check-prefix=STEPS
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=guard %s -S | FileCheck %s --check-prefix=GUARD
; RUN: weft-opt --cpu=x86-64-v3 --prepare --variant=flat --width=16 --kernel=guard %s -S | FileCheck %s --check-prefix=HALF
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=vectors %s -S | FileCheck %s --check-prefix=VECTORS
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=privates %s -S | FileCheck %s --check-prefix=PRIVATES
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=counter %s -S | FileCheck %s --check-prefix=COUNTER
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=0 --kernel=odd %s -S | FileCheck %s --check-prefix=ODD
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=scopes %s -S | FileCheck %s --check-prefix=SCOPES
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=bytes %s -S | FileCheck %s --check-prefix=BYTES

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)

; A uniform inner loop stays a loop; what all lanes read is read once.
; PRODUCT: phi <16 x float>
; PRODUCT: load float, ptr addrspace(1)
; PRODUCT: load <16 x float>, ptr addrspace(1)
; PRODUCT: call <16 x float> @llvm.fm{{a|uladd}}.v16f32
; PRODUCT-NOT: masked.gather
define spir_kernel void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %pa = getelementptr inbounds float, ptr addrspace(1) %a, i64 %k
  %row = mul i64 %k, %n
  %at = add i64 %row, %i
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %at
  %x = load float, ptr addrspace(1) %pa, align 4
  %y = load float, ptr addrspace(1) %pb, align 4
  %more = call float @llvm.fmuladd.f32(float %x, float %y, float %sum)
  %next = add i64 %k, 1
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  store float %more, ptr addrspace(1) %pc, align 4
  ret void
}

; Lanes leave a loop one by one; it goes on as long as one of them is in it, and everyone's result is
; that of the iteration in which it left.
; STEPS: phi <16 x i{{1|8|32}}>
; STEPS: select <16 x i1>
; STEPS: {{bitcast <16 x i1> .* to i16|call i(8|32) @llvm.vector.reduce.or}}
define spir_kernel void @steps(ptr addrspace(1) %a) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %start = load i32, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %v = phi i32 [ %start, %entry ], [ %w, %loop ]
  %trips = phi i32 [ 0, %entry ], [ %more, %loop ]
  %w = lshr i32 %v, 1
  %more = add i32 %trips, 1
  %done = icmp eq i32 %w, 0
  br i1 %done, label %exit, label %loop
exit:
  store i32 %more, ptr addrspace(1) %p, align 4
  ret void
}

; Memory of lanes that are not there is never touched.
; GUARD: call <16 x i32> @llvm.masked.load.v16i32.p1
; GUARD: call void @llvm.masked.store.v16i32.p1
; HALF: call <8 x float> @llvm.x86.avx.maskload.ps.256
; HALF: call void @llvm.masked.store.v16i32.p1
define spir_kernel void @guard(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %odd = and i64 %i, %n
  %in = icmp eq i64 %odd, 0
  br i1 %in, label %work, label %exit
work:
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %v = load i32, ptr addrspace(1) %pa, align 4
  store i32 %v, ptr addrspace(1) %pb, align 4
  br label %exit
exit:
  ret void
}

; Vectors of the language become a tuple of vectors over the lanes.
; VECTORS: load <{{4|8|16}} x float>, ptr addrspace(1)
; VECTORS: shufflevector <{{4|8|16}} x float>
; VECTORS: fadd <{{4|8|16}} x float>
define spir_kernel void @vectors(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds <4 x float>, ptr addrspace(1) %a, i64 %i
  %v = load <4 x float>, ptr addrspace(1) %pa, align 16
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 3
  %s = fadd float %x, %y
  %pb = getelementptr inbounds float, ptr addrspace(1) %b, i64 %i
  store float %s, ptr addrspace(1) %pb, align 4
  ret void
}

; Elements of a private array alternate between the lanes, so that an index that all share reads
; consecutive ones.
; PRIVATES: alloca [512 x i8], align 64
; PRIVATES-NOT: masked.gather
; PRIVATES: load <16 x i32>, ptr %
define spir_kernel void @privates(ptr addrspace(1) %a, i64 %n, i64 %k) {
  %array = alloca [8 x i32], align 4
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %low = and i64 %n, 7
  %to = getelementptr inbounds [8 x i32], ptr %array, i64 0, i64 %low
  store i32 %v, ptr %to, align 4
  %high = and i64 %k, 7
  %from = getelementptr inbounds [8 x i32], ptr %array, i64 0, i64 %high
  %w = load i32, ptr %from, align 4
  store i32 %w, ptr addrspace(1) %p, align 4
  ret void
}

; What has no form for lanes runs for one after the other.
; COUNTER: atomicrmw add ptr addrspace(1)
define spir_kernel void @counter(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 seq_cst
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  store i32 %old, ptr addrspace(1) %pb, align 4
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)

; A condition on the id around everything ends the loop: full lane groups need no mask.
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=bounded %s -S | FileCheck %s --check-prefix=BOUNDED
; BOUNDED: call i64 @llvm.umin.i64
; BOUNDED: load <16 x i32>, ptr addrspace(1)
; BOUNDED: store <16 x i32>
define spir_kernel void @bounded(ptr addrspace(1) %a, i32 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %id = trunc i64 %i to i32
  %out = icmp sge i32 %id, %n
  br i1 %out, label %exit, label %work
work:
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %p, align 4
  br label %exit
exit:
  ret void
}

; Integers that fill no register without a rest have a power of two of lanes too, and calls find
; them in memory one by one.
; ODD-LABEL: define {{.*}} @odd.flat
; ODD: alloca <16 x i32>
; ODD-NOT: <20 x i24>
; ODD: mul <16 x i24>
define spir_kernel void @odd(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p, align 4
  %n = trunc i32 %x to i24
  %n1 = mul i24 %n, %n
  %n2 = add i24 %n1, 77
  %n3 = xor i24 %n2, %n
  %n4 = mul i24 %n3, %n2
  %n5 = add i24 %n4, %n3
  %n6 = mul i24 %n5, %n
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %i
  %c = icmp slt i32 %x, 7
  br i1 %c, label %some, label %end
some:
  %n7 = call spir_func i24 @odd_part(i24 %n6)
  br label %end
end:
  %n8 = phi i24 [ %n6, %entry ], [ %n7, %some ]
  %y = zext i24 %n8 to i32
  store i32 %y, ptr addrspace(1) %q, align 4
  ret void
}

define spir_func i24 @odd_part(i24 %x) noinline {
  %y = mul i24 %x, %x
  ret i24 %y
}

; What a function promises of its pointers holds for one iteration of the loop that it is called in:
; whoever copies iterations has to know.
; SCOPES: call void @llvm.experimental.noalias.scope.decl
define spir_kernel void @scopes(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %b, i32 %k
  %x = load i32, ptr addrspace(1) %q, align 4
  %to = sext i32 %x to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %to
  %d = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %i
  %s = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  call spir_func void @step(ptr addrspace(1) %d, ptr addrspace(1) %s)
  %next = add i32 %k, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define spir_func void @step(ptr addrspace(1) noalias %d, ptr addrspace(1) noalias %s) {
  %x = load i32, ptr addrspace(1) %s, align 4
  %y = mul i32 %x, 3
  store i32 %y, ptr addrspace(1) %d, align 4
  ret void
}

; The bytes of a number that a lane holds stay in that lane.
; BYTES: load <16 x i32>, ptr addrspace(1)
; BYTES-NOT: x i8> {{.*}}, <{{.*}} x i8> poison, <16 x i32>
; BYTES: uitofp
; BYTES: ret void
define spir_kernel void @bytes(ptr addrspace(1) %a, ptr addrspace(1) %c) {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %pa, align 4
  %parts = bitcast i32 %x to <4 x i8>
  %floats = uitofp <4 x i8> %parts to <4 x float>
  %f0 = extractelement <4 x float> %floats, i64 0
  %f1 = extractelement <4 x float> %floats, i64 1
  %f2 = extractelement <4 x float> %floats, i64 2
  %f3 = extractelement <4 x float> %floats, i64 3
  %s1 = fmul float %f0, %f1
  %s2 = fadd float %s1, %f2
  %s3 = fdiv float %s2, %f3
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %i
  store float %s3, ptr addrspace(1) %pc, align 4
  ret void
}
