// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// WEFT_SANITIZER: whether kSanitizer, for the preprocessor.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEFT_SANITIZER 1
#elif defined(__has_feature)
#define WEFT_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define WEFT_SANITIZER 0
#endif

/// Which sanitizer a test is compiled with; Clang and GCC say so differently.
namespace weft::test {

#if defined(__has_feature)
inline constexpr bool kAddressSanitizer = __has_feature(address_sanitizer);
/// Lets no process with threads fork and go on.
inline constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#endif
/// Takes time, larger frames and address space without limit.
inline constexpr bool kSanitizer = kAddressSanitizer || kThreadSanitizer;

}  // namespace weft::test
