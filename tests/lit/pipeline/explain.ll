; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --cpu=x86-64-v4 --prepare --variant=flat --width=16 --kernel=steps --explain %s | FileCheck %s --check-prefix=STEPS
; RUN: weft-opt --cpu=x86-64-v2 --prepare --variant=flat --width=16 --kernel=steps --explain %s | FileCheck %s --check-prefix=FOUR
; RUN: weft-opt --prepare --variant=flat --width=1 --kernel=steps --explain %s | FileCheck %s --check-prefix=ONE
; RUN: weft-opt --prepare --variant=fibers --kernel=divergent --explain %s | FileCheck %s --check-prefix=FIBERS
; RUN: weft-opt --prepare --variant=loops --local-size=64,1,1 --kernel=divergent --explain %s | FileCheck %s --check-prefix=LOOPS
; RUN: weft-opt --prepare --variant=flat --width=16 --kernel=steps %s -S | FileCheck %s --check-prefix=PLAIN
; What becomes of a kernel, with places in the source; nothing of them is left in the code.

target triple = "spir64"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent

; STEPS: steps.cl:1: remark: kernel 'steps': flat form, vectorised (16), 2 registers of 8 x 32 bits at a time [-Rweft]
; FOUR: steps.cl:1: remark: kernel 'steps': flat form, vectorised (16), 4 registers of 4 x 32 bits at a time [-Rweft]
; STEPS-NEXT: steps.cl:3:5: remark: kernel 'steps': masks: work-items leave this loop at different times
; STEPS-NEXT: steps.cl:4:7: remark: kernel 'steps': lane by lane: an atomic operation [-Rweft]
; STEPS-NEXT: steps.cl:5:3: remark: kernel 'steps': scatter with 120 bytes between lanes [-Rweft]
; FOUR: steps.cl:5:3: remark: kernel 'steps': scatter with 120 bytes between lanes, one lane after the other [-Rweft]
; STEPS-NOT: remark
; ONE: steps.cl:1: remark: kernel 'steps': flat form, not vectorised: one lane is asked for
; PLAIN-NOT: DILocation
define spir_kernel void @steps(ptr addrspace(1) %a, ptr addrspace(1) %n) !dbg !4 {
entry:
  %i = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !10
  %p = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i, !dbg !10
  %start = load i32, ptr addrspace(1) %p, align 4, !dbg !10
  br label %loop, !dbg !11
loop:
  %v = phi i32 [ %start, %entry ], [ %w, %loop ]
  %w = lshr i32 %v, 1, !dbg !11
  %old = atomicrmw xchg ptr addrspace(1) %n, i32 1 monotonic, !dbg !12
  %done = icmp eq i32 %w, 0, !dbg !11
  br i1 %done, label %exit, label %loop, !dbg !11
exit:
  %thirty = mul i64 %i, 30, !dbg !13
  %q = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %thirty, !dbg !13
  store i32 %w, ptr addrspace(1) %q, align 4, !dbg !13
  ret void
}

; FIBERS: steps.cl:8: remark: kernel 'divergent': fibers, not vectorised: work-items run one by one
; FIBERS-NEXT: steps.cl:9:3: remark: kernel 'divergent': fibers: work-items may disagree on the way to a barrier, which is at steps.cl:10:5
; LOOPS: steps.cl:9:3: remark: kernel 'divergent': asked, unless the size of work-groups settles it: work-items may disagree on the way to a barrier, which is at steps.cl:10:5
define spir_kernel void @divergent(ptr addrspace(1) %a) convergent !dbg !5 {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0), !dbg !14
  %some = icmp ult i64 %i, 7, !dbg !14
  br i1 %some, label %wait, label %exit, !dbg !14
wait:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent, !dbg !15
  br label %exit
exit:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, isOptimized: true, runtimeVersion: 0, emissionKind: NoDebug)
!1 = !DIFile(filename: "steps.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "steps", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "divergent", scope: !1, file: !1, line: 8, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 2, column: 3, scope: !4)
!11 = !DILocation(line: 3, column: 5, scope: !4)
!12 = !DILocation(line: 4, column: 7, scope: !4)
!13 = !DILocation(line: 5, column: 3, scope: !4)
!14 = !DILocation(line: 9, column: 3, scope: !5)
!15 = !DILocation(line: 10, column: 5, scope: !5)
