; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=lay-out-local,add-work-item-parameter,lower-local,verify %s -S | FileCheck %s
; RUN: not weft-opt --max-local=100 --passes=lay-out-local %s -S -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL
; Offsets of one kernel do not overlap, those of two kernels may; a kernel that calls another one
; has room for both. Uses in constant expressions and in functions are found.

@wide = internal addrspace(3) global [64 x i32] undef, align 16
@flag = internal addrspace(3) global i8 undef, align 1
@other = internal addrspace(3) global [8 x i64] undef, align 8
@aligned = internal addrspace(3) global i32 undef, align 512
@unused = internal addrspace(3) global [1000 x i64] undef, align 8

; CHECK-NOT: addrspace(3) global

; CHECK: define void @k1(ptr noalias nocapture noundef nonnull readonly align 8 dereferenceable(64) %item, i64 %i) #{{[0-9]+}} !weft.static_local_bytes ![[K1:[0-9]+]]
; CHECK: %[[GROUP:.*]] = load ptr, ptr %{{.*}}, align 8
; CHECK: %[[FIELD:.*]] = getelementptr inbounds i8, ptr %[[GROUP]], i64 80
; CHECK: %[[LOCAL:.*]] = load ptr addrspace(3), ptr %[[FIELD]], align 8, !invariant.load
; CHECK: %flag = getelementptr inbounds i8, ptr addrspace(3) %{{.*}}, i64 256
; CHECK: store i8 1, ptr addrspace(3) %flag, align 1, !alias.scope ![[FLAG:[0-9]+]], !noalias ![[OTHERS:[0-9]+]]
define void @k1(i64 %i) "weft-kernel" {
  %p = getelementptr [64 x i32], ptr addrspace(3) @wide, i64 0, i64 %i
  store i32 0, ptr addrspace(3) %p
  store i32 0, ptr addrspace(3) getelementptr ([64 x i32], ptr addrspace(3) @wide, i64 0, i64 5)
  store i8 1, ptr addrspace(3) @flag
  ret void
}

; CHECK: define void @k2(ptr {{.*}}%item) #{{[0-9]+}} !weft.static_local_bytes ![[K2:[0-9]+]]
; CHECK: call void @use(ptr %item)
define void @k2() "weft-kernel" {
  call void @use()
  ret void
}
; CHECK: define internal void @use(ptr {{.*}}%item)
; CHECK: %other = getelementptr inbounds i8, ptr addrspace(3) %{{.*}}, i64 0
; CHECK: addrspacecast ptr addrspace(3) %other to ptr addrspace(4)
define internal void @use() {
  store i64 1, ptr addrspace(4) addrspacecast (ptr addrspace(3) @other to ptr addrspace(4))
  ret void
}

; CHECK: define void @k3(ptr {{.*}}%item) #{{[0-9]+}} !weft.static_local_bytes ![[K1]]
; CHECK: call void @k1(ptr %item, i64 1)
define void @k3() "weft-kernel" {
  call void @k1(i64 1)
  ret void
}

; Wider than the memory's own alignment of 128: room to move up, and the address rounded.
; CHECK: define void @k4(ptr {{.*}}%item) #{{[0-9]+}} !weft.static_local_bytes ![[K4:[0-9]+]]
; CHECK: %[[UP:.*]] = getelementptr inbounds i8, ptr addrspace(3) %{{.*}}, i64 384
; CHECK: %aligned = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) %[[UP]], i64 -512)
; CHECK: store i32 4, ptr addrspace(3) %aligned
define void @k4() "weft-kernel" {
  store i32 4, ptr addrspace(3) @aligned
  ret void
}

; CHECK-DAG: ![[K4]] = !{i64 388}
; CHECK-DAG: ![[K1]] = !{i64 257}
; CHECK-DAG: ![[K2]] = !{i64 64}
; FULL: error: kernel 'k1' needs 257 bytes of local memory, but only 100 are available
; FULL-NOT: k2
