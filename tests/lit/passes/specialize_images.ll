; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=read --variant=flat --images=1539,34,1539 --passes=specialize-images,verify %s -S | FileCheck %s
; RUN: weft-opt --prepare --kernel=read --variant=flat --images=1539 --passes=specialize-images,verify %s -S | FileCheck %s --check-prefix=PART
; RUN: weft-opt --prepare --kernel=read --variant=flat --passes=specialize-images,verify %s -S | FileCheck %s --check-prefix=ANY
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s --check-prefix=INFO
;
; 1539 is RGBA of UNORM_INT8, 34 a sampler of number 33: linear, normalised.

target triple = "spir64"

; A format, a size of an element, and a sampler: all of them are known.
; CHECK-LABEL: define {{.*}}void @read.body
; CHECK-NOT: call
; CHECK: shl nsw i32 %x, 2
; CHECK: %[[BYTE:.*]] = load i8, ptr addrspace(2)
; CHECK: %[[NUMBER:.*]] = zext i8 %[[BYTE]] to i32
; CHECK: %[[SUM:.*]] = add {{.*}}i32 %[[NUMBER]], 1033
; CHECK: store i32 %[[SUM]]
; Two images of one format are one; the choice stays where it is.
; CHECK: select i1 {{.*}}, ptr addrspace(2) %a, ptr addrspace(2) %b
; CHECK-NOT: call
; CHECK: ret void

; PART-LABEL: define {{.*}}void @read.body
; PART-NOT: call {{.*}}@weft_image_channels
; PART: call {{.*}}@weft_image_read.fn(ptr addrspace(2) %either

; ANY-LABEL: define {{.*}}void @read.body
; ANY: call {{.*}}@weft_image_read.fn(ptr addrspace(2) %a
; ANY: call {{.*}}@weft_image_read.fn(ptr addrspace(2) %either

; Of the third image the size alone is asked for, which does not decide on code.
; INFO: kernel read
; INFO: decides on code: argument 0
; INFO-NEXT: decides on code: argument 1
; INFO-NEXT: decides on code: argument 2
; INFO-NOT: decides on code

define spir_kernel void @read(ptr addrspace(2) %a, ptr addrspace(2) %smp, ptr addrspace(2) %b,
                              ptr addrspace(2) %c, ptr addrspace(1) %out, i32 %x, i1 %which) !weft.arguments !0 {
  %mode = ptrtoint ptr addrspace(2) %smp to i64
  %one = call spir_func i32 @weft_image_read(ptr addrspace(2) %a, i64 %mode, i32 %x)
  store i32 %one, ptr addrspace(1) %out
  %either = select i1 %which, ptr addrspace(2) %a, ptr addrspace(2) %b
  %two = call spir_func i32 @weft_image_read(ptr addrspace(2) %either, i64 %mode, i32 %x)
  %size = getelementptr i8, ptr addrspace(2) %c, i64 56
  %width = load i32, ptr addrspace(2) %size
  %sum = add i32 %two, %width
  %next = getelementptr i8, ptr addrspace(1) %out, i64 4
  store i32 %sum, ptr addrspace(1) %next
  ret void
}
!0 = !{i32 4, i32 1, i32 0, i32 0, i32 0, i32 5, i32 1, i32 0, i32 0, i32 0, i32 4, i32 1, i32 0, i32 0, i32 0, i32 4, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0, i32 1, i32 0, i32 0, i32 0}

define internal spir_func i32 @weft_image_read(ptr addrspace(2) %image, i64 %mode, i32 %x) "weft-library" noinline {
  %format = load i32, ptr addrspace(2) %image
  %place = getelementptr i8, ptr addrspace(2) %image, i64 12
  %bytes = load i32, ptr addrspace(2) %place
  %offset = mul nsw i32 %x, %bytes
  %at = sext i32 %offset to i64
  %first = getelementptr i8, ptr addrspace(2) %image, i64 32
  %data = load ptr addrspace(2), ptr addrspace(2) %first
  %pixel = getelementptr i8, ptr addrspace(2) %data, i64 %at
  %channels = call spir_func i32 @weft_image_channels(ptr addrspace(2) %pixel, i32 %format)
  %filter = and i64 %mode, 48
  %linear = icmp eq i64 %filter, 32
  br i1 %linear, label %mixed, label %nearest
mixed:
  %more = add i32 %channels, 1000
  br label %nearest
nearest:
  %result = phi i32 [ %more, %mixed ], [ %channels, %0 ]
  %flag = trunc i64 %mode to i32
  %sum = add i32 %result, %flag
  ret i32 %sum
}

define internal spir_func i32 @weft_image_channels(ptr addrspace(2) %pixel, i32 %format) "weft-library" noinline {
  %type = and i32 %format, 255
  switch i32 %type, label %other [ i32 3, label %bytes
                                   i32 15, label %words ]
bytes:
  %byte = load i8, ptr addrspace(2) %pixel
  %number = zext i8 %byte to i32
  ret i32 %number
words:
  %word = load i32, ptr addrspace(2) %pixel
  ret i32 %word
other:
  ret i32 -1
}
