// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <CL/cl_ext.h>

#include <new>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "weft/support/log.h"
#include "weft/support/ref.h"

/// The frame around every entry point: writes errcode_ret, logs, and turns exceptions into CL
/// codes, so that none crosses the C boundary.
namespace weft::api {

inline void logCall(const char* function, cl_int code) noexcept {
  const log::Level level = code == CL_SUCCESS ? log::Level::Trace : log::Level::Debug;
  if (!log::enabled(level)) return;
  try {
    log::write(level, std::string(function) + " -> " + std::to_string(code));
  } catch (...) {  // no memory for a log line: the call's own result stands
  }
}

/// Runs `body`, which returns a Result, and gives its error code or CL_SUCCESS.
template <class Body>
auto guarded(Body&& body) noexcept -> std::invoke_result_t<Body> {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return clError(CL_OUT_OF_HOST_MEMORY);
  } catch (...) {
    return clError(CL_OUT_OF_RESOURCES);
  }
}

/// Entry points that return an error code. `body` returns Result<void>.
template <class Body>
cl_int call(Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  const Result<void> result = guarded(body);
  const cl_int code = result ? CL_SUCCESS : result.error().code;
  logCall(function, code);
  return code;
}

/// Nothing is made in a terminated context, even when it was terminated in between.
template <class T>
Result<Ref<T>> unlessTerminated(Ref<T> object) noexcept {
  if constexpr (requires { object->context().isTerminated(); }) {
    if (object->context().isTerminated()) {
      T::publish(Ref<T>(object));  // and given back at once
      object->releaseApplication();
      return clError(CL_CONTEXT_TERMINATED_KHR);
    }
  }
  return object;
}

/// Entry points that return a new object. `body` returns Result<Ref<T>>.
template <class Body>
auto create(cl_int* errcodeRet, Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  auto result = guarded(body);
  if (result) result = unlessTerminated(std::move(*result));
  using Object = std::remove_reference_t<decltype(*result.value())>;
  const cl_int code = result ? CL_SUCCESS : result.error().code;
  if (errcodeRet) *errcodeRet = code;
  logCall(function, code);
  return result ? Object::publish(std::move(result).value())
                : static_cast<typename Object::HandleType>(nullptr);
}

/// Entry points that return a pointer with an errcode_ret (map, SVM). `body` returns Result<T>.
template <class Body>
auto value(cl_int* errcodeRet, Body&& body, const char* function = __builtin_FUNCTION()) noexcept {
  auto result = guarded(body);
  using T = std::remove_reference_t<decltype(result.value())>;
  const cl_int code = result ? CL_SUCCESS : result.error().code;
  if (errcodeRet) *errcodeRet = code;
  logCall(function, code);
  return result ? *result : T{};
}

}  // namespace weft::api
