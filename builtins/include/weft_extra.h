// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Included before every program: declarations of functions that Clang knows neither as table
// entries nor in its own header. Each group stands under the macro of its extension, so it costs
// nothing where the device does not report that extension.
#ifndef WEFT_EXTRA_H
#define WEFT_EXTRA_H
#endif
