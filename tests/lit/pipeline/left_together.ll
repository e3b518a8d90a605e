; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=sums --variant=flat --width=8 --cpu=x86-64-v3 %s -S | FileCheck %s
;
; Lanes that enter a loop by themselves and leave it together keep the mask that they came with: nothing
; of it is carried round, and one number ends the loop.

target triple = "spir64"

; CHECK-LABEL: define {{.*}}void @sums.
; CHECK-NOT: phi <8 x i1>
; CHECK: masked.store
; CHECK-NOT: phi <8 x i1>

define spir_kernel void @sums(ptr addrspace(1) %out, ptr addrspace(1) %in, i32 %n) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  %first = load i32, ptr addrspace(1) %place
  %enters = icmp sgt i32 %first, 0
  br i1 %enters, label %loop, label %exit

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %first, %entry ], [ %more, %loop ]
  %at = zext i32 %i to i64
  %element = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %at
  %x = load i32, ptr addrspace(1) %element
  %mixed = xor i32 %x, %sum
  %more = mul i32 %mixed, 31
  %next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %done

done:
  store i32 %more, ptr addrspace(1) %place
  br label %exit

exit:
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)

!0 = !{i32 1, i32 1, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"int*", !"int*", !"int"}
!3 = !{!"", !"", !""}
