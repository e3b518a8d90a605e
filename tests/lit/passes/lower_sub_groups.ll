; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=lower-sub-groups,verify --variant=fibers --sub-group-size=16 %s -S | FileCheck %s
; Each call says which it is, and in which iteration of the loop; its result is the item's own
; element of what SubGroupCode makes of the values.

target triple = "x86_64-unknown-linux-gnu"

declare i64 @__weft_sub_group_ballot(i32)
declare i32 @__weft_sub_group_inclusive_add_i32(i32)
declare i32 @weft.sub_group.lane(i64)
declare i32 @weft.sub_group.number(i64)

; CHECK-LABEL: define i64 @looped
; CHECK: alloca [544 x i8], align 8
; CHECK: [[TRIP:%.*]] = phi i32
; CHECK: add i32 [[TRIP]], 1
; CHECK: store i32 [[TRIP]], ptr
; CHECK: call void @weft_sub_group_meet(ptr %item, ptr
; CHECK: icmp ne <16 x i64>
define i64 @looped(ptr %item, i32 %x) "weft-work-item" {
entry:
  br label %loop
loop:
  %bits = call i64 @__weft_sub_group_ballot(i32 %x)
  %again = icmp ne i64 %bits, 0
  br i1 %again, label %loop, label %done
done:
  ret i64 %bits
}

; CHECK-LABEL: define i32 @scanned
; CHECK: call void @weft_sub_group_meet
; CHECK: shufflevector <16 x i32>
; CHECK: extractelement <16 x i32>
define i32 @scanned(ptr %item, i32 %x) "weft-work-item" {
  %sum = call i32 @__weft_sub_group_inclusive_add_i32(i32 %x)
  ret i32 %sum
}

; CHECK-LABEL: define i32 @placed
; CHECK: and i32 {{.*}}, 15
; CHECK: lshr i32 {{.*}}, 4
define i32 @placed(ptr %item, i64 %linear) "weft-work-item" {
  %lane = call i32 @weft.sub_group.lane(i64 %linear)
  %number = call i32 @weft.sub_group.number(i64 %linear)
  %both = add i32 %lane, %number
  ret i32 %both
}
