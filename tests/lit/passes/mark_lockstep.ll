; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=mark-lockstep,verify %s -S | FileCheck %s

declare i64 @_Z13get_global_idj(i32)

; A product of matrices in blocks of 32 rows: that of the blocks reads 64 times 32 lines, as far as
; is known, the one inside too few for itself.
; CHECK-LABEL: define {{.*}} @product
; CHECK: br i1 %inner.more, label %inner, label %outer.latch{{$}}
; CHECK: br i1 %more, label %outer, label %done, !llvm.loop [[LOCKSTEP:![0-9]+]]
define void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) "weft-kernel" {
entry:
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %outer.latch ]
  %sum = phi float [ 0.0, %entry ], [ %next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi float [ %sum, %outer ], [ %next, %inner ]
  %row = add i64 %k, %j
  %from = mul i64 %row, %n
  %here = add i64 %from, %x
  %there = add i64 %from, %y
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %here
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %there
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %next = call float @llvm.fma.f32(float %va, float %vb, float %s)
  %j.next = add i64 %j, 1
  %inner.more = icmp ult i64 %j.next, 32
  br i1 %inner.more, label %inner, label %outer.latch
outer.latch:
  %k.next = add i64 %k, 32
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %outer, label %done
done:
  %to = mul i64 %y, %n
  %at = add i64 %to, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  store float %next, ptr addrspace(1) %pc
  ret void
}

; The same without blocks: the sum is kept for 64 iterations at a time.
; CHECK-LABEL: define {{.*}} @unblocked
; CHECK: br i1 %more, label %loop, label %done, !llvm.loop [[TURNS:![0-9]+]]
define void @unblocked(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) "weft-kernel" {
entry:
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %next, %loop ]
  %from = mul i64 %k, %n
  %here = add i64 %from, %x
  %there = add i64 %from, %y
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %here
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %there
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %next = call float @llvm.fma.f32(float %va, float %vb, float %s)
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, 100000
  br i1 %more, label %loop, label %done
done:
  %to = mul i64 %y, %n
  %at = add i64 %to, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  store float %next, ptr addrspace(1) %pc
  ret void
}

; Nobody knows whether there are many of these iterations.
; CHECK-LABEL: define {{.*}} @unknown
; CHECK: br i1 %more, label %loop, label %done{{$}}
define void @unknown(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) "weft-kernel" {
entry:
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %next, %loop ]
  %from = mul i64 %k, %n
  %here = add i64 %from, %x
  %there = add i64 %from, %y
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %here
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %there
  %va = load float, ptr addrspace(1) %pa
  %vb = load float, ptr addrspace(1) %pb
  %next = call float @llvm.fma.f32(float %va, float %vb, float %s)
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %n
  br i1 %more, label %loop, label %done
done:
  %to = mul i64 %y, %n
  %at = add i64 %to, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  store float %next, ptr addrspace(1) %pc
  ret void
}

; A table that each block of the loop goes through again stays in the cache, whatever its rows are.
; CHECK-LABEL: define {{.*}} @again
; CHECK: br i1 %inner.more, label %inner, label %outer.latch{{$}}
; CHECK: br i1 %more, label %outer, label %done{{$}}
define void @again(ptr addrspace(1) %a, ptr addrspace(1) %c, i64 %n) "weft-kernel" {
entry:
  %x = call i64 @_Z13get_global_idj(i32 0)
  %y = call i64 @_Z13get_global_idj(i32 1)
  br label %outer
outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %outer.latch ]
  %sum = phi float [ 0.0, %entry ], [ %next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %s = phi float [ %sum, %outer ], [ %next, %inner ]
  %from = mul i64 %j, %n
  %here = add i64 %from, %x
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %here
  %va = load float, ptr addrspace(1) %pa
  %next = call float @llvm.fma.f32(float %va, float %va, float %s)
  %j.next = add i64 %j, 1
  %inner.more = icmp ult i64 %j.next, 32
  br i1 %inner.more, label %inner, label %outer.latch
outer.latch:
  %k.next = add i64 %k, 32
  %more = icmp slt i64 %k.next, %n
  br i1 %more, label %outer, label %done
done:
  %to = mul i64 %y, %n
  %at = add i64 %to, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %at
  store float %next, ptr addrspace(1) %pc
  ret void
}

declare float @llvm.fma.f32(float, float, float)

; CHECK: [[LOCKSTEP]] = distinct !{[[LOCKSTEP]], [[MARK:![0-9]+]]}
; CHECK: [[MARK]] = !{!"weft.lockstep", i32 1}
; CHECK: [[TURNS]] = distinct !{[[TURNS]], [[OF_64:![0-9]+]]}
; CHECK: [[OF_64]] = !{!"weft.lockstep", i32 64}
