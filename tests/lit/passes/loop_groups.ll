; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --passes=loop-groups,verify %s -S | FileCheck %s

; What groups share is loaded once; their ids count.
; CHECK-LABEL: define void @plain(
; CHECK-NEXT: groups:
; CHECK-NEXT: %variable = alloca i32
; CHECK: [[ID:%.*]] = load i64, ptr {{.*}}, !invariant.load
; CHECK: [[BASE:%.*]] = load i64, ptr {{.*}}, !invariant.load
; CHECK: [[SIZE:%.*]] = load i64, ptr {{.*}}, !invariant.load
; CHECK: [[END:%.*]] = load i64, ptr {{.*}}, !invariant.load
; CHECK: %launch = load ptr, ptr %group
; CHECK: %arguments = load ptr
; CHECK: br label %entry
; CHECK: entry:
; CHECK-NEXT: %group.id = phi i64 [ [[ID]], %groups ], [ [[NEXTID:%.*]], %next.group ]
; CHECK-NEXT: %group.base = phi i64 [ [[BASE]], %groups ], [ [[NEXTBASE:%.*]], %next.group ]
; CHECK-NEXT: store i64 %group.id, ptr %arguments
; CHECK-NEXT: store i64 %group.base, ptr %arguments
; CHECK-NEXT: br label %next.group
; CHECK: next.group:
; CHECK-NEXT: [[NEXTID]] = add nuw i64 %group.id, 1
; CHECK-NEXT: [[NEXTBASE]] = add i64 %group.base, [[SIZE]]
; CHECK-NEXT: [[MORE:%.*]] = icmp ult i64 [[NEXTBASE]], [[END]]
; CHECK-NEXT: br i1 [[MORE]], label %entry, label %groups.done
define void @plain(ptr noalias readonly %group) #0 {
entry:
  %variable = alloca i32
  %launch = load ptr, ptr %group, !invariant.load !0
  %place = getelementptr i8, ptr %launch, i64 104
  %arguments = load ptr, ptr %place, !invariant.load !0
  %idplace = getelementptr i8, ptr %group, i64 8
  %id = load i64, ptr %idplace, !invariant.load !0
  store i64 %id, ptr %arguments
  %baseplace = getelementptr i8, ptr %group, i64 56
  %base = load i64, ptr %baseplace, !invariant.load !0
  store i64 %base, ptr %arguments
  ret void
}

; A function that asks for the group gets one that is up to date, and the stack does not grow.
; CHECK-LABEL: define void @calls(
; CHECK: [[COPY:%.*]] = alloca [144 x i8], align 8
; CHECK: call void @llvm.memcpy.inline{{.*}}(ptr align 8 [[COPY]], ptr align 8 %group, i64 144
; CHECK: entry:
; CHECK: [[STACK:%.*]] = call ptr @llvm.stacksave
; CHECK: store i64 %group.id
; CHECK: store i64 %group.base
; CHECK: call void @other(ptr [[COPY]])
; CHECK: next.group:
; CHECK-NEXT: call void @llvm.stackrestore.p0(ptr [[STACK]])
define void @calls(ptr noalias readonly %group, i32 %n) #0 {
entry:
  br i1 true, label %more, label %end
more:
  %variable = alloca i32, i32 %n
  call void @other(ptr %group)
  call void @other(ptr %variable)
  ret void
end:
  ret void
}

; What the optimiser loads at once, or in part, changes where ids and bases are in it.
; CHECK-LABEL: define void @vectors(
; CHECK: [[IDS:%.*]] = load <2 x i64>, ptr %idplace
; CHECK: br label %entry
; CHECK: entry:
; CHECK: [[NEWIDS:%.*]] = insertelement <2 x i64> [[IDS]], i64 %group.id, i64 0
; CHECK: store <2 x i64> [[NEWIDS]]
; CHECK: [[HIGH:%.*]] = lshr i64 %group.base, 32
; CHECK: [[PART:%.*]] = trunc i64 [[HIGH]] to i32
; CHECK: store i32 [[PART]]
; CHECK: [[LOW:%.*]] = trunc i64 %group.id to i32
; CHECK: [[FIRST:%.*]] = insertelement <4 x i32> {{.*}}, i32 [[LOW]], i64 2
; CHECK: [[SHIFTED:%.*]] = lshr i64 %group.id, 32
; CHECK: [[TOP:%.*]] = trunc i64 [[SHIFTED]] to i32
; CHECK: insertelement <4 x i32> [[FIRST]], i32 [[TOP]], i64 3
define void @vectors(ptr noalias readonly %group, ptr %out) #0 {
entry:
  %idplace = getelementptr i8, ptr %group, i64 8
  %ids = load <2 x i64>, ptr %idplace, !invariant.load !0
  store <2 x i64> %ids, ptr %out
  %highplace = getelementptr i8, ptr %group, i64 60
  %high = load i32, ptr %highplace, !invariant.load !0
  store i32 %high, ptr %out
  %first = load <4 x i32>, ptr %group, !invariant.load !0
  store <4 x i32> %first, ptr %out
  ret void
}

; Nor may what is read from the copy be moved before the loop again.
; CHECK-LABEL: define void @unknown(
; CHECK: entry:
; CHECK: [[ODD:%.*]] = getelementptr inbounds i8, ptr %group1, i64 10
; CHECK: [[IDS:%.*]] = getelementptr inbounds i8, ptr %group1, i64 8
; CHECK: %place = getelementptr i64, ptr [[IDS]], i64 %d
; CHECK: load i64, ptr %place, align 4{{$}}
; CHECK: load double, ptr [[ODD]], align 2{{$}}
define void @unknown(ptr noalias readonly %group, i64 %d, ptr %out) #0 {
entry:
  %ids = getelementptr i8, ptr %group, i64 8
  %place = getelementptr i64, ptr %ids, i64 %d
  %id = load i64, ptr %place, !invariant.load !0
  store i64 %id, ptr %out
  %oddplace = getelementptr i8, ptr %group, i64 10
  %odd = load double, ptr %oddplace, align 2, !invariant.load !0
  store double %odd, ptr %out
  ret void
}

; A loop of its own is left alone.
; CHECK-LABEL: define internal void @loop.group(
; CHECK-NEXT: entry:
; CHECK-NEXT: load i1, ptr %group
; CHECK-NEXT: br label %body
define void @loop(ptr noalias readonly %group) #0 {
entry:
  %c = load i1, ptr %group
  br label %body
body:
  br i1 %c, label %body, label %end
end:
  ret void
}

; CHECK-LABEL: define void @item(
; CHECK-NEXT: ret void
define void @item(ptr %item) {
  ret void
}

declare void @other(ptr)

; CHECK: define void @loop(ptr noalias readonly %group)
; CHECK: call void @loop.group(ptr %group1)

attributes #0 = { "weft-whole-groups" }
!0 = !{}
