// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pass_limit.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace weft::compiler {

bool PassLimit::mayRun(llvm::StringRef pass, llvm::StringRef where, llvm::Module& module) {
  ran(module);
  if (options_.asked) options_.asked(pass, where);
  const uint64_t number = asked_++;
  if (!options_.folder.empty() && number == options_.firstWritten) write("before.ll", module);
  const bool runs = number < options_.passes;
  writesNext_ = runs && !options_.folder.empty() && number == options_.lastWritten;
  return runs;
}

/// Steps that are no passes do not report their end: they have ended when the next one begins.
void PassLimit::ran(llvm::Module& module) {
  if (!writesNext_) return;
  writesNext_ = false;
  write("after.ll", module);
}

void PassLimit::write(const char* file, const llvm::Module& module) const {
  std::error_code failed = llvm::sys::fs::create_directories(options_.folder);
  if (failed) return;  // the name of the pass is known all the same
  llvm::raw_fd_ostream stream(options_.folder + "/" + file, failed);
  if (failed) return;
  module.print(stream, nullptr);
  stream.close();
  stream.clear_error();
}

}  // namespace weft::compiler
