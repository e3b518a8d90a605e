; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: weft-opt --prepare --kernel=sums --variant=loops --local-size=64,1,1 --passes=form-kernel,verify %s -S | FileCheck %s --check-prefix=SUMS
; RUN: weft-opt --prepare --kernel=rows --variant=loops --local-size=64,1,1 --passes=form-kernel,verify %s -S | FileCheck %s --check-prefix=ROWS
; RUN: weft-opt --prepare --kernel=places --variant=loops --local-size=64,1,1 --passes=form-kernel,verify %s -S | FileCheck %s --check-prefix=PLACES

target triple = "spir64"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @__weft_barrier(i32, i32) convergent

; Loops in a loop add whole vectors, which are handed on from tile to tile: they are put together
; before both loops and taken apart behind them.
; SUMS-LABEL: define {{.*}}@sums.loops
; SUMS: insertelement <4 x float>
; SUMS: [[WHOLE:%.*]] = insertelement <4 x float> {{.*}}, i64 3
; SUMS-NEXT: br label %outer.i
; SUMS: outer.i:
; SUMS-NEXT: [[OUTER:%.*]] = phi <4 x float> [ [[WHOLE]], {{.*}} ], [ [[INNER:%.*]], %outer.end.i ]
; SUMS: inner.i:
; SUMS: [[INNER]] = phi <4 x float> [ [[SUM:%.*]], %body.i ], [ [[OUTER]], {{.*}} ]
; SUMS-NOT: extractelement
; SUMS: body.i:
; SUMS: [[SUM]] = fadd <4 x float> [[INNER]],
; SUMS: outer.end.i:
; SUMS-NOT: extractelement
; SUMS: br label %outer.i
; SUMS-COUNT-4: extractelement <4 x float> [[OUTER]], i64
; SUMS-NOT: extractelement <4 x float> [[OUTER]]
define spir_kernel void @sums(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %tiles, i32 %n) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %l
  br label %tiles.head
tiles.head:
  %t = phi i32 [ 0, %entry ], [ %t.next, %tiles.end ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.outer, %tiles.end ]
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %outer
outer:
  %sum.outer = phi <4 x float> [ %sum, %tiles.head ], [ %sum.inner, %outer.end ]
  %i = phi i32 [ 0, %tiles.head ], [ %i.next, %outer.end ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %inner, label %tiles.end
inner:
  %sum.inner = phi <4 x float> [ %sum.outer, %outer ], [ %sum.next, %body ]
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %body, label %outer.end
body:
  %from = getelementptr <4 x float>, ptr addrspace(3) %tile, i32 %j
  %x = load <4 x float>, ptr addrspace(3) %from
  %sum.next = fadd <4 x float> %sum.inner, %x
  %j.next = add i32 %j, 1
  br label %inner
outer.end:
  %i.next = add i32 %i, 1
  br label %outer
tiles.end:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %t.next = add i32 %t, 1
  %t.more = icmp slt i32 %t.next, %tiles
  br i1 %t.more, label %tiles.head, label %done
done:
  store <4 x float> %sum.outer, ptr addrspace(1) %to
  ret void
}

; Of vectors that each work-item reads of a place of its own in a row whole ones are handed on: lanes
; have these one behind the other.
; ROWS-LABEL: define {{.*}}@rows.loops
; ROWS-NOT: {{extractelement|insertelement}}
; ROWS: phi <4 x float>
; ROWS: fadd <4 x float>
; ROWS-NOT: {{extractelement|insertelement}}
; ROWS: store <4 x float> {{.*}}, ptr addrspace(1)
; ROWS: ret void
define spir_kernel void @rows(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %tiles, i32 %n) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %mine = getelementptr <4 x float>, ptr addrspace(3) %tile, i64 %l
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %l
  br label %tiles.head
tiles.head:
  %t = phi i32 [ 0, %entry ], [ %t.next, %tiles.end ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.outer, %tiles.end ]
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %outer
outer:
  %sum.outer = phi <4 x float> [ %sum, %tiles.head ], [ %sum.inner, %outer.end ]
  %i = phi i32 [ 0, %tiles.head ], [ %i.next, %outer.end ]
  %i.more = icmp slt i32 %i, %n
  br i1 %i.more, label %inner, label %tiles.end
inner:
  %sum.inner = phi <4 x float> [ %sum.outer, %outer ], [ %sum.next, %body ]
  %j = phi i32 [ 0, %outer ], [ %j.next, %body ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %body, label %outer.end
body:
  %x = load <4 x float>, ptr addrspace(3) %mine
  %sum.next = fadd <4 x float> %sum.inner, %x
  %j.next = add i32 %j, 1
  br label %inner
outer.end:
  %i.next = add i32 %i, 1
  br label %outer
tiles.end:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %t.next = add i32 %t, 1
  %t.more = icmp slt i32 %t.next, %tiles
  br i1 %t.more, label %tiles.head, label %done
done:
  store <4 x float> %sum.outer, ptr addrspace(1) %to
  ret void
}

; A loop that changes one element has numbers alone.
; PLACES-LABEL: define {{.*}}@places.loops
; PLACES: inner.i:
; PLACES-NOT: phi <4 x float>
; PLACES-NOT: insertelement
; PLACES: fadd float
; PLACES-NOT: insertelement
; PLACES: barrier
define spir_kernel void @places(ptr addrspace(3) %tile, ptr addrspace(1) %out, i32 %tiles, i32 %n) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %mine = getelementptr float, ptr addrspace(3) %tile, i64 %l
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %l
  br label %tiles.head
tiles.head:
  %t = phi i32 [ 0, %entry ], [ %t.next, %tiles.end ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %sum.inner, %tiles.end ]
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  br label %inner
inner:
  %sum.inner = phi <4 x float> [ %sum, %tiles.head ], [ %sum.next, %body ]
  %j = phi i32 [ 0, %tiles.head ], [ %j.next, %body ]
  %j.more = icmp slt i32 %j, %n
  br i1 %j.more, label %body, label %tiles.end
body:
  %x = load float, ptr addrspace(3) %mine
  %old = extractelement <4 x float> %sum.inner, i64 1
  %new = fadd float %old, %x
  %sum.next = insertelement <4 x float> %sum.inner, float %new, i64 1
  %j.next = add i32 %j, 1
  br label %inner
tiles.end:
  call spir_func void @__weft_barrier(i32 1, i32 1) convergent
  %t.next = add i32 %t, 1
  %t.more = icmp slt i32 %t.next, %tiles
  br i1 %t.more, label %tiles.head, label %done
done:
  store <4 x float> %sum.inner, ptr addrspace(1) %to
  ret void
}
