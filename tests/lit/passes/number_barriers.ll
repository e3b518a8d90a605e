; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=inline-library,number-barriers,verify %s -S | FileCheck %s
; Each barrier of the source has an id and the place the user wrote it at, through the library's
; wrapper; debug information that only located them is gone.

; CHECK-LABEL: @k(
; CHECK: call void @__weft_numbered_barrier(i32 1, i32 1, i32 0){{$}}
; CHECK: call void @__weft_numbered_barrier(i32 2, i32 1, i32 1){{$}}
define void @k() "weft-kernel" !dbg !5 {
  call void @barrier(i32 1), !dbg !7
  call void @barrier(i32 2), !dbg !8
  ret void
}

; CHECK-LABEL: @helper(
; CHECK: call void @__weft_numbered_barrier(i32 3, i32 2, i32 2){{$}}
define void @helper() {
  call void @__weft_barrier(i32 3, i32 2)
  ret void
}

define internal void @barrier(i32 %flags) "weft-library" {
  call void @__weft_barrier(i32 %flags, i32 1)
  ret void
}
declare void @__weft_barrier(i32, i32)

; CHECK-NOT: DILocation
; CHECK: !weft.barriers = !{![[A:.*]], ![[B:.*]], ![[C:.*]]}
; CHECK: ![[A]] = !{!"kernel.cl", i32 12}
; CHECK: ![[B]] = !{!"kernel.cl", i32 34}
; CHECK: ![[C]] = !{!"", i32 0}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !2, emissionKind: NoDebug)
!2 = !DIFile(filename: "kernel.cl", directory: "")
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "k", scope: !2, file: !2, type: !4, unit: !1, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 12, scope: !5)
!8 = !DILocation(line: 34, scope: !5)
