// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Stands in for __cxa_atexit in the whole library (the linker's --wrap): static data is never
/// destroyed. Threads of ours may still be compiling when the process ends, in code of LLVM whose
/// tables are made on first use; those would be destroyed before any handler that could wait for
/// the threads is called. The library is never unmapped, so nothing else needs the destructors.
extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*);

extern "C" int __wrap___cxa_atexit(void (*)(void*), void*, void*) { return 0; }
