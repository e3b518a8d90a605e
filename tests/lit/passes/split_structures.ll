; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=split-structures,verify %s -S | FileCheck %s

%Pair = type { float, i32 }
%Wide = type { <4 x float>, float, i8, i32, [4 x half] }
%Deep = type { %Pair, [2 x float], i8 }

@k.members = internal addrspace(3) global [32 x %Pair] undef, align 4
@k.deep = internal addrspace(3) global [4 x [8 x %Deep]] undef, align 4
@k.aligned = internal addrspace(3) global [32 x %Wide] undef, align 16
@k.copied = internal addrspace(3) global [32 x %Pair] undef, align 4
@k.handed = internal addrspace(3) global [32 x %Pair] undef, align 4
@k.across = internal addrspace(3) global [32 x %Pair] undef, align 4
@k.one = internal addrspace(3) global %Pair undef, align 4

; CHECK-DAG: @k.members.0 = internal addrspace(3) global [32 x float] undef, align 4
; CHECK-DAG: @k.members.1 = internal addrspace(3) global [32 x i32] undef, align 4
; CHECK-DAG: @k.deep.0.0 = internal addrspace(3) global [32 x float] undef, align 4
; CHECK-DAG: @k.deep.1 = internal addrspace(3) global [32 x [2 x float]] undef, align 4
; CHECK-DAG: @k.deep.2 = internal addrspace(3) global [32 x i8] undef, align 1
; CHECK-DAG: @k.copied = internal
; CHECK-DAG: @k.handed = internal
; CHECK-DAG: @k.across = internal
; CHECK-DAG: @k.one = internal

; By an index, by the structure's address, and at constant places.
; CHECK-LABEL: define void @members(
; CHECK: %[[A:.*]] = getelementptr inbounds [32 x float], ptr addrspace(3) @k.members.0, i64 0, i64 %i
; CHECK: store float 1.000000e+00, ptr addrspace(3) %[[A]]
; CHECK-NOT: %unused
; CHECK: %[[B:.*]] = getelementptr inbounds [32 x i32], ptr addrspace(3) @k.members.1, i64 0, i64 %i
; CHECK: atomicrmw add ptr addrspace(3) %[[B]]
; CHECK: load i32, ptr addrspace(3) getelementptr inbounds ([32 x i32], ptr addrspace(3) @k.members.1, i64 0, i64 2)
define void @members(i64 %i) {
  %pair = getelementptr inbounds [32 x %Pair], ptr addrspace(3) @k.members, i64 0, i64 %i
  store float 1.0, ptr addrspace(3) %pair
  %second = getelementptr inbounds %Pair, ptr addrspace(3) %pair, i64 0, i32 1
  %unused = getelementptr inbounds %Pair, ptr addrspace(3) %pair, i64 1, i32 1
  %old = atomicrmw add ptr addrspace(3) %second, i32 1 monotonic
  %known = load i32, ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @k.members, i64 20)
  ret void
}

; A member lies in its array as its own type wants it, not as the structure had it.
; CHECK-LABEL: define void @aligned(
; CHECK: store <4 x float> zeroinitializer, {{.*}}, align 16
; CHECK: store float 1.000000e+00, {{.*}}, align 4
; CHECK: load i8, {{.*}}, align 1
; CHECK: atomicrmw add {{.*}}, align 4
; CHECK: load half, {{.*}}, align 2
define void @aligned(i64 %i) {
  %a = getelementptr inbounds [32 x %Wide], ptr addrspace(3) @k.aligned, i64 0, i64 %i
  store <4 x float> zeroinitializer, ptr addrspace(3) %a, align 16
  %b = getelementptr inbounds %Wide, ptr addrspace(3) %a, i64 0, i32 1
  store float 1.0, ptr addrspace(3) %b, align 16
  %c = getelementptr inbounds %Wide, ptr addrspace(3) %a, i64 0, i32 2
  %small = load i8, ptr addrspace(3) %c, align 4
  %d = getelementptr inbounds %Wide, ptr addrspace(3) %a, i64 0, i32 3
  %old = atomicrmw add ptr addrspace(3) %d, i32 1 monotonic, align 8
  %e = getelementptr inbounds %Wide, ptr addrspace(3) %a, i64 0, i32 4, i64 2
  %third = load half, ptr addrspace(3) %e, align 4
  ret void
}

; Before and behind an element.
; CHECK-LABEL: define void @beside(
; CHECK: %[[BEFORE:.*]] = add nsw i64 %i, -1
; CHECK: getelementptr inbounds [32 x i32], ptr addrspace(3) @k.members.1, i64 0, i64 %[[BEFORE]]
; CHECK: %[[BEHIND:.*]] = add nsw i64 %i, 1
; CHECK: getelementptr inbounds [32 x float], ptr addrspace(3) @k.members.0, i64 0, i64 %[[BEHIND]]
define void @beside(i64 %i) {
  %pair = getelementptr inbounds [32 x %Pair], ptr addrspace(3) @k.members, i64 0, i64 %i
  %before = getelementptr inbounds i8, ptr addrspace(3) %pair, i64 -4
  store i32 1, ptr addrspace(3) %before
  %behind = getelementptr inbounds %Pair, ptr addrspace(3) %pair, i64 1
  store float 1.0, ptr addrspace(3) %behind
  ret void
}

; Arrays of arrays of structures of structures.
; CHECK-LABEL: define void @deep(
; CHECK: %[[ROW:.*]] = mul nsw i64 %i, 8
; CHECK: %[[INDEX:.*]] = add nsw i64 %[[ROW]], %j
; CHECK: getelementptr inbounds [32 x float], ptr addrspace(3) @k.deep.0.0, i64 0, i64 %[[INDEX]]
; CHECK: getelementptr inbounds [32 x [2 x float]], ptr addrspace(3) @k.deep.1, i64 0, i64
; CHECK: getelementptr inbounds i8, {{.*}}, i64 4
; CHECK: getelementptr inbounds [32 x i8], ptr addrspace(3) @k.deep.2, i64 0, i64
define void @deep(i64 %i, i64 %j) {
  %a = getelementptr inbounds [4 x [8 x %Deep]], ptr addrspace(3) @k.deep, i64 0, i64 %i, i64 %j, i32 0, i32 0
  store float 1.0, ptr addrspace(3) %a
  %b = getelementptr inbounds [4 x [8 x %Deep]], ptr addrspace(3) @k.deep, i64 0, i64 %i, i64 %j, i32 1, i64 1
  store float 1.0, ptr addrspace(3) %b
  %c = getelementptr inbounds [4 x [8 x %Deep]], ptr addrspace(3) @k.deep, i64 0, i64 %i, i64 %j, i32 2
  store i8 1, ptr addrspace(3) %c
  ret void
}

; Whole structures, addresses that go elsewhere, accesses of two members at once, a single structure.
; CHECK-LABEL: define void @others(
; CHECK-NOT: getelementptr inbounds [32 x float]
; CHECK: ret void
define void @others(i64 %i, ptr addrspace(1) %out, ptr %stack) {
  %copied = getelementptr inbounds [32 x %Pair], ptr addrspace(3) @k.copied, i64 0, i64 %i
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %out, ptr addrspace(3) %copied, i64 8, i1 false)
  %handed = getelementptr inbounds [32 x %Pair], ptr addrspace(3) @k.handed, i64 0, i64 %i
  store ptr addrspace(3) %handed, ptr %stack
  %across = getelementptr inbounds [32 x %Pair], ptr addrspace(3) @k.across, i64 0, i64 %i
  store i64 0, ptr addrspace(3) %across, align 4
  store float 1.0, ptr addrspace(3) @k.one
  ret void
}

declare void @llvm.memcpy.p1.p3.i64(ptr addrspace(1), ptr addrspace(3), i64, i1)
