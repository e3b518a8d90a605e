// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Operations that code generation calls by name on hosts without FMA or SSE4.1. Each has one right
/// result, in the default rounding mode; NaNs stay NaNs.
namespace weft::runtime::soft {

double fma(double a, double b, double c) noexcept;
float fmaf(float a, float b, float c) noexcept;

double floor(double x) noexcept;
double ceil(double x) noexcept;
double trunc(double x) noexcept;
double round(double x) noexcept;  ///< halves away from zero
double rint(double x) noexcept;   ///< halves to even
float floorf(float x) noexcept;
float ceilf(float x) noexcept;
float truncf(float x) noexcept;
float roundf(float x) noexcept;
float rintf(float x) noexcept;

}  // namespace weft::runtime::soft
