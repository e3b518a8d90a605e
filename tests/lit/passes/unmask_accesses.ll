; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v3 --passes=unmask-accesses,verify %s -S | FileCheck %s
; RUN: weft-opt --cpu=x86-64-v2 --passes=unmask-accesses,verify %s -S | FileCheck %s --check-prefix=OLD
; RUN: weft-opt --cpu=x86-64-v4 --passes=unmask-accesses,verify %s -S | FileCheck %s --check-prefix=NONE

; What lanes that are masked off have stays, and nothing is touched if no lane is active.
; CHECK-LABEL: @local(
; CHECK: %[[LANES:.*]] = bitcast <8 x i1> %m to i8
; CHECK: %[[ANY:.*]] = icmp ne i8 %[[LANES]], 0
; CHECK: br i1 %[[ANY]], label %[[SOME:.*]], label %[[AFTER:.*]]
; CHECK: [[SOME]]:
; CHECK: %[[KEPT:.*]] = load <8 x i32>, ptr addrspace(3) %p, align 4, !noalias
; CHECK: %[[ALL:.*]] = select <8 x i1> %m, <8 x i32> %v, <8 x i32> %[[KEPT]]
; CHECK: store <8 x i32> %[[ALL]], ptr addrspace(3) %p, align 4, !noalias
; CHECK: [[AFTER]]:
; CHECK-NEXT: ret void
; NONE-LABEL: @local(
; NONE: call void @llvm.masked.store
define void @local(ptr addrspace(3) %p, <8 x i1> %m, <8 x i32> %v) {
  call void @llvm.masked.store.v8i32.p3(<8 x i32> %v, ptr addrspace(3) %p, i32 4, <8 x i1> %m), !noalias !0
  ret void
}

; Others may write what lies between in global memory.
; CHECK-LABEL: @global(
; CHECK: call void @llvm.masked.store
define void @global(ptr addrspace(1) %p, <8 x i1> %m, <8 x i32> %v) {
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %p, i32 4, <8 x i1> %m)
  ret void
}

; A lane is active: nobody asks.
; CHECK-LABEL: @known(
; CHECK-NOT: br
; CHECK: select <4 x i1> <i1 true, i1 false, i1 true, i1 false>
; CHECK-NOT: br
; CHECK: ret void
define void @known(ptr addrspace(3) %p, <4 x i64> %v) {
  call void @llvm.masked.store.v4i64.p3(<4 x i64> %v, ptr addrspace(3) %p, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  ret void
}

; CHECK-LABEL: @asked(
; CHECK: br i1 %any
; CHECK-NOT: br i1
; CHECK: select <4 x i1> %m
define void @asked(ptr addrspace(3) %p, <4 x i1> %m, <4 x i64> %v) {
  %lanes = bitcast <4 x i1> %m to i4
  %any = icmp eq i4 %lanes, 0
  br i1 %any, label %no, label %yes
yes:
  call void @llvm.masked.store.v4i64.p3(<4 x i64> %v, ptr addrspace(3) %p, i32 8, <4 x i1> %m)
  br label %no
no:
  ret void
}

; Loads that the host has an instruction for stay where no lane may be active; others give what lanes had where none is active.
; CHECK-LABEL: @loads(
; CHECK: call <8 x i32> @llvm.masked.load
; CHECK: br i1
; CHECK: %[[BYTES:.*]] = load <16 x i8>, ptr addrspace(3) %q
; CHECK: %[[OWN:.*]] = select <16 x i1> %n, <16 x i8> %[[BYTES]], <16 x i8> %o
; CHECK: phi <16 x i8> {{.*}}%[[OWN]]
; OLD-LABEL: @loads(
; OLD: load <8 x i32>
; OLD: phi <8 x i32>
; OLD: load <16 x i8>
define void @loads(ptr addrspace(3) %p, <8 x i1> %m, ptr addrspace(3) %q, <16 x i1> %n, <16 x i8> %o, ptr %to) {
  %a = call <8 x i32> @llvm.masked.load.v8i32.p3(ptr addrspace(3) %p, i32 4, <8 x i1> %m, <8 x i32> poison)
  %b = call <16 x i8> @llvm.masked.load.v16i8.p3(ptr addrspace(3) %q, i32 1, <16 x i1> %n, <16 x i8> %o)
  store <8 x i32> %a, ptr %to
  store <16 x i8> %b, ptr %to
  ret void
}

; Of a variable all of a vector is there, or it may not be.
; CHECK-LABEL: @variables(
; CHECK: load <4 x i32>, ptr %row
; CHECK: select <4 x i1> %m
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %some
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %off
; CHECK: load <4 x i32>, ptr %bytes
; CHECK: call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %part
define void @variables(i64 %i, <4 x i1> %m, <4 x i32> %v) {
  %array = alloca [8 x <4 x i32>], align 16
  %row = getelementptr <4 x i32>, ptr %array, i64 %i
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %row, i32 16, <4 x i1> %m)
  %some = getelementptr i32, ptr %array, i64 %i
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %some, i32 4, <4 x i1> %m)
  %off = getelementptr i32, ptr %row, i64 2
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %off, i32 4, <4 x i1> %m)
  %small = alloca [64 x i8], align 4
  %line = shl i64 %i, 5
  %bytes = getelementptr i8, ptr %small, i64 %line
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %bytes, i32 4, <4 x i1> %m)
  %odd = alloca [56 x i8], align 16
  %part = getelementptr i8, ptr %odd, i64 %line
  call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %part, i32 4, <4 x i1> %m)
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}

; A load of all lanes is better than that instruction if one of them is active anyway.
; CHECK-LABEL: @asked_load(
; CHECK: yes:
; CHECK-NEXT: %[[ALL:.*]] = load <8 x i32>, ptr addrspace(3) %p, align 4
; CHECK-NEXT: %[[OURS:.*]] = select <8 x i1> %m, <8 x i32> %[[ALL]], <8 x i32> zeroinitializer
; CHECK-NEXT: ret <8 x i32> %[[OURS]]
; NONE-LABEL: @asked_load(
; NONE: call <8 x i32> @llvm.masked.load
define <8 x i32> @asked_load(ptr addrspace(3) %p, <8 x i1> %m) {
  %lanes = bitcast <8 x i1> %m to i8
  %any = icmp ne i8 %lanes, 0
  br i1 %any, label %yes, label %no
yes:
  %a = call <8 x i32> @llvm.masked.load.v8i32.p3(ptr addrspace(3) %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  ret <8 x i32> %a
no:
  ret <8 x i32> zeroinitializer
}

; Beyond the others' elements of global memory there may be nothing.
; CHECK-LABEL: @asked_load_of_global(
; CHECK: call <8 x i32> @llvm.masked.load
define <8 x i32> @asked_load_of_global(ptr addrspace(1) %p, <8 x i1> %m) {
  %lanes = bitcast <8 x i1> %m to i8
  %any = icmp ne i8 %lanes, 0
  br i1 %any, label %yes, label %no
yes:
  %a = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  ret <8 x i32> %a
no:
  ret <8 x i32> zeroinitializer
}
