; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes='pad-variables,function(gvn)' %s -S | FileCheck %s

; A wide access that never runs, after which LLVM 19 would no longer see the store at %at.
; CHECK-LABEL: define i32 @never
; CHECK: alloca [3 x [3 x i32]]
; CHECK: ret i32 %first
define i32 @never(i64 %at, i1 %is_never, ptr %out) {
  %c = alloca [3 x i32]
  store i32 1, ptr %c
  %p = getelementptr i32, ptr %c, i64 %at
  store i32 7, ptr %p
  br i1 %is_never, label %wide, label %end
wide:
  %all = load <8 x i32>, ptr %c
  store <8 x i32> %all, ptr %out
  br label %end
end:
  %first = load i32, ptr %c
  ret i32 %first
}

; By a pointer to either of two.
; CHECK-LABEL: define i32 @either
; CHECK: alloca [3 x [3 x i32]]
; CHECK: alloca [64 x i32]
; CHECK: ret i32 %first
define i32 @either(i1 %which, i64 %at, i1 %is_never, ptr %out) {
  %c = alloca [3 x i32]
  %d = alloca [64 x i32]
  %q = select i1 %which, ptr %c, ptr %d
  store i32 1, ptr %q
  %p = getelementptr i32, ptr %c, i64 %at
  store i32 7, ptr %p
  br i1 %is_never, label %wide, label %end
wide:
  %all = load <8 x i32>, ptr %q
  store <8 x i32> %all, ptr %out
  br label %end
end:
  %first = load i32, ptr %q
  ret i32 %first
}

; Pointers to global memory do not count, and nobody needs more than this.
; CHECK-LABEL: define void @enough
; CHECK: alloca [2 x i32]
define void @enough(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %at) {
  %c = alloca [2 x i32]
  %all = load <8 x i32>, ptr addrspace(1) %from
  store <8 x i32> %all, ptr addrspace(1) %to
  %p = getelementptr i32, ptr %c, i64 %at
  store i64 7, ptr %c
  %one = load i32, ptr %p
  store i32 %one, ptr addrspace(1) %to
  ret void
}

; A structure that callers copy for the function is as large as they make it.
; CHECK-LABEL: define i32 @given
; CHECK: %[[COPY:.*]] = alloca [32 x i8], align 4
; CHECK: call void @llvm.memcpy{{.*}}(ptr align 4 %[[COPY]], ptr align 4 %{{.*}}, i64 12, i1 false)
; CHECK: ret i32 %first
define i32 @given(ptr byval([3 x i32]) align 4 %c, i64 %at, i1 %is_never, ptr addrspace(1) %out) {
  store i32 1, ptr %c
  %p = getelementptr i32, ptr %c, i64 %at
  store i32 7, ptr %p
  br i1 %is_never, label %wide, label %end
wide:
  %all = load <8 x i32>, ptr %c
  store <8 x i32> %all, ptr addrspace(1) %out
  br label %end
end:
  %first = load i32, ptr %c
  ret i32 %first
}
