; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=writes --variant=flat --width=8 --cpu=x86-64-v3 %s -S | FileCheck %s --check-prefix=WRITES
; RUN: weft-opt --prepare --kernel=reads --variant=flat --width=8 --cpu=x86-64-v4 %s -S | FileCheck %s --check-prefix=READS
;
; Where no lane is, nothing is asked of memory that may not be there: what hosts do to find out that a
; masked access needs no page takes a hundred times as long as the access.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; WRITES-LABEL: define {{.*}}void @writes.
; WRITES: %[[BITS:.*]] = bitcast <8 x i1> %[[MASK:.*]] to i8
; WRITES: %[[NONE:.*]] = icmp eq i8 %[[BITS]], 0
; WRITES: br i1 %[[NONE]], label %{{.*}}, label %[[SOME:.*]]
; WRITES: [[SOME]]:
; WRITES: masked.store{{.*}} <8 x i1> %[[MASK]])
define spir_kernel void @writes(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %limit) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %small = icmp slt i32 %x, %limit
  br i1 %small, label %then, label %end

then:
  %to = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  store i32 %x, ptr addrspace(1) %to
  br label %end

end:
  ret void
}

; READS-LABEL: define {{.*}}void @reads.
; READS: %[[BITS:.*]] = bitcast <8 x i1> %[[MASK:.*]] to i8
; READS: %[[NONE:.*]] = icmp eq i8 %[[BITS]], 0
; READS: br i1 %[[NONE]], label %{{.*}}, label %[[SOME:.*]]
; READS: [[SOME]]:
; READS: masked.load{{.*}} <8 x i1> %[[MASK]],
define spir_kernel void @reads(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %limit) !kernel_arg_addr_space !0
    !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %id
  %x = load i32, ptr addrspace(1) %place
  %small = icmp slt i32 %x, %limit
  br i1 %small, label %then, label %end

then:
  %from = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %id
  %y = load i32, ptr addrspace(1) %from
  br label %end

end:
  %value = phi i32 [ %y, %then ], [ 0, %0 ]
  store i32 %value, ptr addrspace(1) %place
  ret void
}

!0 = !{i32 1, i32 1, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"int*", !"int*", !"int"}
!3 = !{!"", !"", !""}
