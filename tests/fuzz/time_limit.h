// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace weft::fuzz {

/// Ends this process by SIGPROF when its threads have together used twice `seconds` of processor
/// time from now on, and by SIGALRM after 30 times as long by the clock: the first tells what does
/// not end from what a busy machine gives no time to, the second ends threads that all sleep. A
/// call replaces the limit of the call before; 0 takes it away.
void limitTime(unsigned seconds);

}  // namespace weft::fuzz
