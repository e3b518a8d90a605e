; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: not weft-opt --passes=lower-sub-groups --variant=group --sub-group-size=16 %s 2>&1 | FileCheck %s
; Without fibers nobody would wait: what has not become lanes is an error, with the reason.

target triple = "x86_64-unknown-linux-gnu"

declare i64 @__weft_sub_group_ballot(i32)

; CHECK: function 'entry': its work-items, which meet in sub-groups, cannot be in lanes: it is too much
define i64 @entry(ptr %group) "weft-sub-group-lanes" "weft-no-sub-group-lanes"="it is too much" {
  %bits = call i64 @__weft_sub_group_ballot(i32 1)
  ret i64 %bits
}
