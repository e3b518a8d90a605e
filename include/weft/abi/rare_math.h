// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// What the OpenCL C library calls for angles beyond the bound of its own reduction: services of
// compiled code under these mangled names. They are written in OpenCL C as well
// (builtins/host/huge_trig.cl), which names them as C++ does.
//
// Infinite angles and NaNs give NaN. Accuracy as in docs/maths.md.

float weft_rare_sin(float radians);
float weft_rare_cos(float radians);
float weft_rare_tan(float radians);
double weft_rare_sin(double radians);
double weft_rare_cos(double radians);
double weft_rare_tan(double radians);
