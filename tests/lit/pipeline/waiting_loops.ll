; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=lock --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=swap --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=flag --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=retried --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=sum --explain %s | FileCheck %s --check-prefix=LANES
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=queue --explain %s | FileCheck %s --check-prefix=LANES
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=bits --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=counted --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=away --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=either --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=fenced --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=same --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=called --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=asked --explain %s | FileCheck %s --check-prefix=WAITS
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=again --explain %s | FileCheck %s --check-prefix=LANES
; RUN: weft-opt --prepare --variant=flat --width=8 --kernel=rows --explain %s | FileCheck %s --check-prefix=LANES
; Loops in which work-items may wait for each other have no lanes, whatever the width that is asked for.

target triple = "spir64"
declare spir_func i64 @_Z13get_global_idj(i32)

; WAITS: not vectorised: work-items may wait for each other by what is read
; LANES: vectorised (8)

; A lock that is taken by an exchange,
define spir_kernel void @lock(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %loop
end:
  %v = load i32, ptr addrspace(1) %n, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %n, align 4
  fence release
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; or by a compare-and-swap from a value that does not change.
define spir_kernel void @swap(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %pair = cmpxchg ptr addrspace(1) %a, i32 0, i32 1 monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %loop
end:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; A wait for one's turn.
define spir_kernel void @flag(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  %turn = atomicrmw add ptr addrspace(1) %n, i32 1 monotonic, align 4
  br label %loop
loop:
  %now = load volatile i32, ptr addrspace(1) %a, align 4
  %mine = icmp eq i32 %now, %turn
  br i1 %mine, label %end, label %loop
end:
  %was = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4
  ret void
}

; A way out that depends on a lock through a variable.
define spir_kernel void @retried(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %old = atomicrmw or ptr addrspace(1) %a, i32 1 monotonic, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %got, label %next
got:
  store i32 1, ptr addrspace(1) %n, align 4
  br label %next
next:
  %done = phi i1 [ true, %got ], [ false, %loop ]
  br i1 %done, label %end, label %loop
end:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; A sum of floats: where a swap fails, another one has succeeded.
define spir_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %n, i64 %g
  %v = load float, ptr addrspace(1) %p, align 4
  br label %loop
loop:
  %seen = load volatile i32, ptr addrspace(1) %a, align 4
  %float = bitcast i32 %seen to float
  %more = fadd float %float, %v
  %bits = bitcast float %more to i32
  %pair = cmpxchg ptr addrspace(1) %a, i32 %seen, i32 %bits monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %old, %seen
  br i1 %same, label %end, label %loop
end:
  ret void
}

; Work that is handed out by a counter.
define spir_kernel void @queue(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %at = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4
  %more = icmp slt i32 %at, 1000
  br i1 %more, label %work, label %end
work:
  %wide = sext i32 %at to i64
  %p = getelementptr inbounds i32, ptr addrspace(1) %n, i64 %wide
  store i32 %at, ptr addrspace(1) %p, align 4
  br label %loop
end:
  ret void
}

; A bit of a word: what the swap is given is not what was read.
define spir_kernel void @bits(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %seen = load i32, ptr addrspace(1) %a, align 4
  %free = and i32 %seen, -2
  %held = or i32 %seen, 1
  %pair = cmpxchg ptr addrspace(1) %a, i32 %free, i32 %held monotonic monotonic, align 4
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %end, label %loop
end:
  %was = atomicrmw and ptr addrspace(1) %a, i32 -2 monotonic, align 4
  ret void
}

; Counters that are asked for one value,
define spir_kernel void @counted(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %loop
end:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; or go away from where the loop is left.
define spir_kernel void @away(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic, align 4
  %taken = icmp sgt i32 %old, 0
  br i1 %taken, label %loop, label %end
end:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; A variable that both sides of a branch set.
define spir_kernel void @either(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %left = phi i32 [ 3, %entry ], [ %rest, %next ]
  %old = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %got, label %missed
got:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  %less = sub i32 %left, 1
  br label %next
missed:
  store i32 1, ptr addrspace(1) %n, align 4
  br label %next
next:
  %rest = phi i32 [ %less, %got ], [ %left, %missed ]
  %done = icmp eq i32 %rest, 0
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Plain reads that a fence, or an atomic access of the same memory, has done anew.
define spir_kernel void @fenced(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %now = load i32, ptr addrspace(1) %a, align 4
  %set = icmp ne i32 %now, 0
  fence acquire
  br i1 %set, label %end, label %loop
end:
  store i32 1, ptr addrspace(1) %n, align 4
  ret void
}

define spir_kernel void @same(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %link = load i32, ptr addrspace(1) %a, align 4
  %held = icmp eq i32 %link, -2
  br i1 %held, label %loop, label %try
try:
  %pair = cmpxchg ptr addrspace(1) %a, i32 %link, i32 -2 monotonic monotonic, align 4
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %end, label %loop
end:
  store i32 1, ptr addrspace(1) %n, align 4
  store i32 5, ptr addrspace(1) %a, align 4
  ret void
}

; Functions out of line, that wait or tell whether to.
define spir_func void @wait(ptr addrspace(1) %a) noinline {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic, align 4
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %loop
end:
  ret void
}

define spir_kernel void @called(ptr addrspace(1) %a, ptr addrspace(1) %n) {
  call spir_func void @wait(ptr addrspace(1) %a)
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

define spir_func i32 @ask(ptr addrspace(1) %a) noinline {
  %old = atomicrmw xchg ptr addrspace(1) %a, i32 1 monotonic, align 4
  ret i32 %old
}

define spir_kernel void @asked(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  br label %loop
loop:
  %old = call spir_func i32 @ask(ptr addrspace(1) %a)
  %free = icmp eq i32 %old, 0
  br i1 %free, label %end, label %loop
end:
  %was = atomicrmw xchg ptr addrspace(1) %a, i32 0 monotonic, align 4
  ret void
}

; A sum whose next swap is given what the last one has read.
define spir_kernel void @again(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds float, ptr addrspace(1) %n, i64 %g
  %v = load float, ptr addrspace(1) %p, align 4
  %first = load i32, ptr addrspace(1) %a, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %old, %loop ]
  %float = bitcast i32 %seen to float
  %more = fadd float %float, %v
  %bits = bitcast float %more to i32
  %pair = cmpxchg ptr addrspace(1) %a, i32 %seen, i32 %bits monotonic monotonic, align 4
  %old = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %old, %seen
  br i1 %same, label %end, label %loop
end:
  ret void
}

; Bounds that are read beside atomic accesses of other memory.
define spir_kernel void @rows(ptr addrspace(1) %a, ptr addrspace(1) %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr inbounds i32, ptr addrspace(1) %n, i64 %g
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %q = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %wide
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic, align 4
  %next = add nsw i32 %i, 1
  %end = load i32, ptr addrspace(1) %p, align 4
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}
