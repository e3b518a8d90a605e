; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
define void @k(ptr %p) "weft-kernel" {
  store ptr @f, ptr %p
  ret void
}
define void @f() {
  call void @__weft_numbered_barrier(i32 1, i32 1, i32 0)
  ret void
}
declare void @__weft_numbered_barrier(i32, i32, i32)
