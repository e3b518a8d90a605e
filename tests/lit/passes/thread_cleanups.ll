; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=thread-cleanups %s -S | FileCheck %s

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @use(ptr)

; Out of two scopes at once: each way has its own ends of both, and what meets behind them is kept.
; CHECK-LABEL: define i32 @scopes
; CHECK: leave:
; CHECK: br label %[[INNER:[0-9]+]]
; CHECK: stay:
; CHECK: br label %[[GOES_ON:[0-9]+]]
; CHECK: [[GOES_ON]]:
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 4, ptr %x)
; CHECK-NEXT: br label %more
; CHECK: [[INNER]]:
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 4, ptr %x)
; CHECK-NEXT: br label %[[OUTER:[0-9]+]]
; CHECK: [[OUTER]]:
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 4, ptr %y)
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: phi i32 [ 1, %more ], [ 7, %[[OUTER]] ]
; CHECK-NOT: switch
define i32 @scopes(i1 %c) {
entry:
  %where = alloca i32, align 4
  %x = alloca i32, align 4
  %y = alloca i32, align 4
  br i1 %c, label %leave, label %stay
leave:
  store i32 2, ptr %where, align 4
  br label %inner
stay:
  store i32 0, ptr %where, align 4
  br label %inner
inner:
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %there = load i32, ptr %where, align 4
  switch i32 %there, label %outer [ i32 0, label %more ]
more:
  br label %end
outer:
  call void @llvm.lifetime.end.p0(i64 4, ptr %y)
  %then = load i32, ptr %where, align 4
  switch i32 %then, label %never [ i32 2, label %end ]
never:
  unreachable
end:
  %r = phi i32 [ 1, %more ], [ 7, %outer ]
  ret i32 %r
}

; What is not known, what others may write, and what does more than end scopes stays.
; CHECK-LABEL: define void @computed
; CHECK: switch
define void @computed(i1 %c, i32 %n) {
  %where = alloca i32, align 4
  br i1 %c, label %a, label %b
a:
  store i32 %n, ptr %where, align 4
  br label %cleanup
b:
  store i32 %n, ptr %where, align 4
  br label %cleanup
cleanup:
  %there = load i32, ptr %where, align 4
  switch i32 %there, label %end [ i32 0, label %a ]
end:
  ret void
}

; CHECK-LABEL: define void @known_elsewhere
; CHECK: switch
define void @known_elsewhere(i1 %c) {
  %where = alloca i32, align 4
  store i32 1, ptr %where, align 4
  call void @use(ptr %where)
  br label %cleanup
cleanup:
  %there = load i32, ptr %where, align 4
  switch i32 %there, label %end [ i32 0, label %other ]
other:
  ret void
end:
  ret void
}

; CHECK-LABEL: define void @does_more
; CHECK: switch
define void @does_more(ptr %p) {
  %where = alloca i32, align 4
  store i32 1, ptr %where, align 4
  br label %cleanup
cleanup:
  store i32 3, ptr %p, align 4
  %there = load i32, ptr %where, align 4
  switch i32 %there, label %end [ i32 0, label %other ]
other:
  ret void
end:
  ret void
}

; The store before the loop is not the last one by the time an iteration is over.
; CHECK-LABEL: define void @loop
; CHECK: switch
define void @loop(i1 %c) {
  %where = alloca i32, align 4
  store i32 0, ptr %where, align 4
  br label %body
body:
  br i1 %c, label %cleanup, label %again
again:
  store i32 2, ptr %where, align 4
  br label %body
cleanup:
  %there = load i32, ptr %where, align 4
  switch i32 %there, label %end [ i32 0, label %body ]
end:
  ret void
}
