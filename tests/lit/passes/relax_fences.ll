; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=relax-fences,verify %s -S | FileCheck %s
; RUN: sed 's/, !mmra ![0-9]*//' %s | weft-opt --passes=relax-fences,verify -S | FileCheck %s --check-prefix=LOST
; Annotations only relax: where one is lost its fence orders all memory.

; CHECK-LABEL: define void @fences(
; CHECK-NEXT: fence syncscope("singlethread") seq_cst{{$}}
; CHECK-NEXT: fence seq_cst{{$}}
; CHECK-NEXT: fence acq_rel{{$}}
; CHECK-NEXT: fence syncscope("singlethread") acquire{{$}}
; CHECK-NEXT: fence release{{$}}
; CHECK-NEXT: fence seq_cst{{$}}
; CHECK-NEXT: ret void
; CHECK-NOT: opencl-fence-space
; LOST-LABEL: define void @fences(
; LOST-NEXT: fence seq_cst{{$}}
; LOST-NEXT: fence seq_cst{{$}}
; LOST-NEXT: fence acq_rel{{$}}
; LOST-NEXT: fence syncscope("singlethread") acquire{{$}}
; LOST-NEXT: fence release{{$}}
; LOST-NEXT: fence seq_cst{{$}}
; LOST-NEXT: ret void
define void @fences() {
  fence seq_cst, !mmra !0
  fence seq_cst, !mmra !1
  fence acq_rel, !mmra !2
  fence syncscope("singlethread") acquire, !mmra !1
  fence release
  fence seq_cst, !mmra !3
  ret void
}

!0 = !{!"opencl-fence-space", !"local"}
!1 = !{!"opencl-fence-space", !"global"}
!2 = !{!0, !1}
!3 = !{!"other", !"local"}
