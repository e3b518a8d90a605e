; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Block-wide errors: a variable that asks for more alignment than the block has.
; RUN: not weft-opt --passes=lay-out-program-scope %s -S 2>&1 | FileCheck %s
; CHECK: alignment of program-scope variable 'wide' is too large

target triple = "x86_64-unknown-linux-gnu"

@wide = internal addrspace(1) global i32 7, align 65536
