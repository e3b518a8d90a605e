// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/fiber.h"

namespace weft::runtime {

namespace context = boost::context::detail;

// The jump that parks a new fiber tells it who it is, so that later switches need to pass no
// more than where they come from. No sanitizer knows of this stack yet.
WEFT_UNINSTRUMENTED void Fiber::entry(context::transfer_t transfer) noexcept {
  auto* self = static_cast<Fiber*>(transfer.data);
  context::jump_fcontext(transfer.fctx, nullptr);
  self->body_(*self);
  __builtin_unreachable();
}

void Fiber::create(StackSpan stack, Body body) noexcept {
  assert(!suspended());
  hooks_.created(stack.bottom, stack.bytes());
  body_ = body;
  const context::fcontext_t fresh = context::make_fcontext(stack.top, stack.bytes(), &entry);
  context_.stack = context::jump_fcontext(fresh, this).fctx;
  context_.identity = identity();
}

void Fiber::drop() noexcept {
  context_ = {};
  hooks_.dropped();
}

}  // namespace weft::runtime
