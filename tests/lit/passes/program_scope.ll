; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables in the global address space get places in one block, those that are zero last, and
; become offsets from Launch::programScope. A constant that one of them points to comes along; other
; constants stay where they are.
; RUN: weft-opt --passes=lay-out-program-scope %s -S | FileCheck %s --check-prefix=PLACE
; RUN: weft-opt --passes=lay-out-program-scope,add-work-item-parameter,lower-program-scope,verify %s -S | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

@zero = internal addrspace(1) global [4 x i32] zeroinitializer, align 4
@number = internal addrspace(1) global i32 7, align 4
@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2], align 4
@pointer = internal addrspace(1) global ptr addrspace(2) getelementptr (i8, ptr addrspace(2) @table, i64 4), align 8
@holder = internal addrspace(2) constant ptr addrspace(1) @number, align 8
@plain = internal addrspace(2) constant i32 9, align 4

; PLACE-DAG: @pointer = {{.*}}!weft.program_offset ![[FIRST:[0-9]+]]
; PLACE-DAG: @holder = {{.*}}!weft.program_offset ![[SECOND:[0-9]+]]
; PLACE-DAG: @number = {{.*}}!weft.program_offset ![[THIRD:[0-9]+]]
; PLACE-DAG: @table = {{.*}}!weft.program_offset ![[FOURTH:[0-9]+]]
; PLACE-DAG: @zero = {{.*}}!weft.program_offset ![[LAST:[0-9]+]]
; PLACE-DAG: @plain = internal addrspace(2) constant i32 9, align 4{{$}}
; PLACE-DAG: ![[FIRST]] = !{i64 0}
; PLACE-DAG: ![[SECOND]] = !{i64 8}
; PLACE-DAG: ![[THIRD]] = !{i64 16}
; PLACE-DAG: ![[FOURTH]] = !{i64 20}
; PLACE-DAG: ![[LAST]] = !{i64 28}

; CHECK-NOT: @number
; CHECK-NOT: @zero
; CHECK: @plain
; CHECK: define void @k(ptr {{.*}}%item, ptr addrspace(1) %out)
; CHECK-DAG: %[[BLOCK:.*]] = load ptr addrspace(1), ptr {{.*}}, !invariant.load
; CHECK-DAG: getelementptr inbounds i8, ptr addrspace(1) {{.*}}, i64 16
; CHECK-DAG: getelementptr inbounds i8, ptr addrspace(1) {{.*}}, i64 28
define void @k(ptr addrspace(1) %out) #0 {
  %a = load i32, ptr addrspace(1) @number, align 4
  %b = load i32, ptr addrspace(1) getelementptr inbounds ([4 x i32], ptr addrspace(1) @zero, i64 0, i64 3), align 4
  %c = load i32, ptr addrspace(2) @plain, align 4
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  store i32 %e, ptr addrspace(1) %out, align 4
  ret void
}

attributes #0 = { "weft-kernel" }
