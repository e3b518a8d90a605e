; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=add-work-item-parameter,lower-work-item,verify %s -S | FileCheck %s

; Ids of the item are plain loads; Group and Launch fields are invariant.
; CHECK-LABEL: define i64 @ids(ptr
; CHECK-DAG: getelementptr inbounds i8, ptr %item, i64 40
; CHECK-DAG: getelementptr inbounds i8, ptr %item, i64 8
; CHECK-DAG: %[[GROUP:.*]] = load ptr, ptr %{{.*}}, align 8, !weft.item !{{[0-9]+$}}
; CHECK-DAG: getelementptr inbounds i8, ptr %[[GROUP]], i64 24
; CHECK: load i64, ptr %{{.*}}, align 8, !invariant.load
define i64 @ids() {
  %g = call i64 @_Z13get_global_idj(i32 1)
  %l = call i64 @_Z12get_local_idj(i32 0)
  %w = call i64 @_Z12get_group_idj(i32 2)
  %a = add i64 %g, %l
  %b = add i64 %a, %w
  ret i64 %b
}

; CHECK-LABEL: define i64 @out_of_range(ptr
; CHECK-NOT: load
; CHECK: %a = add i64 1, 1
; CHECK-NEXT: %b = add i64 %a, 1
; CHECK-NEXT: %c = add i64 %b, 1
; CHECK-NEXT: %d = add i64 %c, 0
; CHECK-NEXT: %e = add i64 %d, 0
; CHECK-NEXT: %f = add i64 %e, 0
; CHECK-NEXT: %g = add i64 %f, 0
define i64 @out_of_range() {
  %s1 = call i64 @_Z15get_global_sizej(i32 3)
  %s2 = call i64 @_Z14get_local_sizej(i32 4)
  %s3 = call i64 @_Z23get_enqueued_local_sizej(i32 -1)
  %s4 = call i64 @_Z14get_num_groupsj(i32 3)
  %z1 = call i64 @_Z13get_global_idj(i32 3)
  %z2 = call i64 @_Z12get_local_idj(i32 3)
  %z3 = call i64 @_Z12get_group_idj(i32 3)
  %z4 = call i64 @_Z17get_global_offsetj(i32 3)
  %a = add i64 %s1, %s2
  %b = add i64 %a, %s3
  %c = add i64 %b, %s4
  %d = add i64 %c, %z1
  %e = add i64 %d, %z2
  %f = add i64 %e, %z3
  %g = add i64 %f, %z4
  ret i64 %g
}

; CHECK-LABEL: define i64 @computed(ptr
; CHECK: %[[IS0:.*]] = icmp eq i32 %d, 0
; CHECK: %[[S0:.*]] = select i1 %[[IS0]], i64 %{{.*}}, i64 1
; CHECK: %[[IS1:.*]] = icmp eq i32 %d, 1
; CHECK: %[[S1:.*]] = select i1 %[[IS1]], i64 %{{.*}}, i64 %[[S0]]
; CHECK: %[[IS2:.*]] = icmp eq i32 %d, 2
; CHECK: %[[S2:.*]] = select i1 %[[IS2]], i64 %{{.*}}, i64 %[[S1]]
; CHECK: ret i64 %[[S2]]
define i64 @computed(i32 %d) {
  %s = call i64 @_Z15get_global_sizej(i32 %d)
  ret i64 %s
}

; CHECK-LABEL: define i32 @dimensions(ptr
; CHECK: load i32, ptr %{{.*}}, align 4, !invariant.load
define i32 @dimensions() {
  %d = call i32 @_Z12get_work_dimv()
  ret i32 %d
}

; CHECK-LABEL: define i64 @linear(ptr
; CHECK-COUNT-2: mul i64
; CHECK-COUNT-2: mul i64
define i64 @linear() {
  %g = call i64 @_Z20get_global_linear_idv()
  %l = call i64 @_Z19get_local_linear_idv()
  %s = add i64 %g, %l
  ret i64 %s
}

; A function that needs nothing keeps its signature.
; CHECK: define i64 @untouched(i64 %x)
define i64 @untouched(i64 %x) {
  ret i64 %x
}

; CHECK-NOT: declare i64 @_Z
declare i64 @_Z13get_global_idj(i32)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z12get_group_idj(i32)
declare i64 @_Z15get_global_sizej(i32)
declare i64 @_Z14get_local_sizej(i32)
declare i64 @_Z23get_enqueued_local_sizej(i32)
declare i64 @_Z14get_num_groupsj(i32)
declare i64 @_Z17get_global_offsetj(i32)
declare i32 @_Z12get_work_dimv()
declare i64 @_Z20get_global_linear_idv()
declare i64 @_Z19get_local_linear_idv()
