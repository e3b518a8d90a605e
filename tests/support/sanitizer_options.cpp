// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// ThreadSanitizer ends a forked child that starts a thread unless it is told not to; here that is
// what is tested. Without the sanitizer nobody calls this.
extern "C" [[gnu::visibility("default")]] const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "die_after_fork=0"; }
