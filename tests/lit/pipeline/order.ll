; SPDX-FileCopyrightText: The Weft authors
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The order of all passes, for a program and for variants of each form and tier. Where it is changed on purpose, the
; command of a line writes its file anew.
; RUN: weft-opt --print-pipeline | diff %S/Inputs/order.program.txt -
; RUN: weft-opt --print-pipeline --variant=flat --width=0 | diff %S/Inputs/order.flat.txt -
; RUN: weft-opt --print-pipeline --variant=group --width=0 | diff %S/Inputs/order.group.txt -
; RUN: weft-opt --print-pipeline --variant=fibers --width=0 | diff %S/Inputs/order.fibers.txt -
; RUN: weft-opt --print-pipeline --variant=loops --width=0 | diff %S/Inputs/order.loops.txt -
; RUN: weft-opt --print-pipeline --variant=flat --width=1 | diff %S/Inputs/order.flat_one_lane.txt -
; RUN: weft-opt --print-pipeline --variant=flat --width=0 --quick | diff %S/Inputs/order.flat_quick.txt -
; RUN: weft-opt --print-pipeline --variant=group --width=0 --quick | diff %S/Inputs/order.group_quick.txt -
; RUN: weft-opt --print-pipeline --variant=loops --width=0 --quick | diff %S/Inputs/order.loops_quick.txt -
; RUN: weft-opt --print-pipeline --variant=fibers --width=0 --quick | diff %S/Inputs/order.fibers_quick.txt -
; RUN: weft-opt --print-pipeline --variant=fibers --width=0 --no-opt | diff %S/Inputs/order.fibers_no_opt.txt -
