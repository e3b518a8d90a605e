; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=count --variant=flat --private-reductions --passes=privatize-reductions,verify %s -S | FileCheck %s
; RUN: weft-opt --prepare --kernel=count --variant=flat --width=8 %s -S | FileCheck %s --check-prefix=SHARED
; RUN: weft-opt --prepare --kernel=count --variant=flat --width=8 --private-reductions %s -S | FileCheck %s --check-prefix=CODE
; RUN: weft-opt --prepare --kernel=extremes --variant=flat --settled-reductions --passes=privatize-reductions,verify %s -S | FileCheck %s --check-prefix=MARKED
; RUN: weft-opt --prepare --kernel=extremes --variant=flat --private-reductions --passes=privatize-reductions,verify %s -S | FileCheck %s --check-prefix=UNMARKED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=extremes --variant=flat --width=8 --settled-reductions %s -S | FileCheck %s --check-prefix=SETTLED
; RUN: weft-opt --cpu=x86-64-v3 --prepare --kernel=extremes --variant=flat --width=8 --private-reductions %s -S | FileCheck %s --check-prefix=ALL
; RUN: weft-opt --prepare --kernel-info %s | FileCheck %s --check-prefix=INFO

target triple = "spir64"

; INFO: reduces into argument 1: operation=0 bytes=4
; INFO-NEXT: reduces into argument 2: operation=6 bytes=8
; INFO: reduces into argument 1: operation=0 bytes=4
; INFO-NEXT: reduces into argument 2: operation=7 bytes=4
; INFO-NEXT: reduces into argument 3: operation=7 bytes=4
; INFO-NOT: reduces

; Counters are updated in local memory, by their own addresses and by those that are computed.
; CHECK-LABEL: define {{.*}}void @count.body
; CHECK: %[[OWN:.*]] = addrspacecast ptr addrspace(1) %counts to ptr addrspace(3)
; CHECK: %[[LEAST:.*]] = addrspacecast ptr addrspace(1) %least to ptr addrspace(3)
; CHECK: getelementptr {{.*}}ptr addrspace(3) %[[OWN]]
; CHECK: atomicrmw add ptr addrspace(3)
; CHECK: atomicrmw umin ptr addrspace(3) %[[LEAST]]
; What has a result stays where it is.
; CHECK: atomicrmw add ptr addrspace(1) %next

; Where threads share them all of it is.
; SHARED-LABEL: define {{.*}}void @count.
; SHARED-NOT: addrspace(3)
; SHARED: atomicrmw umin ptr addrspace(1)

; In the end nothing of it is atomic.
; CODE-LABEL: define {{.*}}void @count.
; CODE-NOT: atomicrmw {{.*}}addrspace(3)
; CODE-NOT: atomicrmw umin
; CODE: ret void

; Settled are maxima, not sums.
; MARKED-LABEL: define {{.*}}void @extremes.body
; MARKED: atomicrmw add ptr addrspace(3){{.*}} monotonic, align 4{{$}}
; MARKED: atomicrmw umax ptr addrspace(3){{.*}}, !weft.settled
; MARKED: atomicrmw umax ptr addrspace(3){{.*}}, !weft.settled
; UNMARKED-NOT: !weft.settled

; Lanes read these first, unless each is sure to change its element, as the number of the last work-item of a kind is.
; SETTLED-LABEL: define {{.*}}void @extremes.
; SETTLED: %[[CHANGES:.*]] = icmp u{{.*}} <8 x i32>
; SETTLED-NOT: icmp u{{.*}} <8 x i32>
; SETTLED: ret void
; ALL-LABEL: define {{.*}}void @extremes.
; ALL-NOT: icmp u{{.*}} <8 x i32>
; ALL: ret void

define spir_kernel void @count(ptr addrspace(1) %in, ptr addrspace(1) %counts, ptr addrspace(1) %least,
                               ptr addrspace(1) %next) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1
                               !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %row = getelementptr i8, ptr addrspace(1) %counts, i64 64
  %bin = zext i32 %x to i64
  %counter = getelementptr i32, ptr addrspace(1) %row, i64 %bin
  %1 = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  %2 = atomicrmw umin ptr addrspace(1) %least, i64 %bin monotonic
  %old = atomicrmw add ptr addrspace(1) %next, i32 1 monotonic
  store i32 %old, ptr addrspace(1) %place
  ret void
}

define spir_kernel void @extremes(ptr addrspace(1) %in, ptr addrspace(1) %counts, ptr addrspace(1) %most, ptr addrspace(1) %last)
    !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %kind = and i32 %x, 63
  %bin = zext i32 %kind to i64
  %counter = getelementptr i32, ptr addrspace(1) %counts, i64 %bin
  %1 = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  %2 = getelementptr i32, ptr addrspace(1) %most, i64 %bin
  %3 = atomicrmw umax ptr addrspace(1) %2, i32 %x monotonic
  %number = trunc i64 %id to i32
  %4 = getelementptr i32, ptr addrspace(1) %last, i64 %bin
  %5 = atomicrmw umax ptr addrspace(1) %4, i32 %number monotonic
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)

!0 = !{i32 1, i32 1, i32 1, i32 1}
!1 = !{!"none", !"none", !"none", !"none"}
!2 = !{!"int*", !"int*", !"long*", !"int*"}
!3 = !{!"", !"", !"", !""}
