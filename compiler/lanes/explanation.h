// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Instruction.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Loop;
}

namespace weft::compiler {

/// What became of a kernel in one form, as remarks with places in the source, for people who want
/// their kernels fast. Places are known as far as the module keeps lines.
///
/// Threads: one.
class Explanation {
 public:
  /// Names the kernel, whose body is `body`, and how it is run.
  void begin(const std::string& kernel, const std::string& form, const llvm::Function& body);
  /// What became of a loop over work-items: `width` of them in lanes, or one for none.
  void outcome(const llvm::Loop& loop, unsigned width, const std::string& text);
  /// `text` holds for `instruction`: one remark for each text and place, with a count.
  void note(const std::string& text, const llvm::Instruction& instruction);
  void note(const std::string& text, const llvm::DiagnosticLocation& place);
  /// " at file:line:column"; nothing when that is not known.
  static std::string at(const llvm::Instruction& instruction);

  /// All remarks, a line for each: the kernel as a whole first, then by place.
  std::string text() const;

 private:
  struct Place {
    std::string file;
    unsigned line = 0, column = 0;
    std::string inlinedAt;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Outcome {
    Place place;
    unsigned width;
    std::string text;
  };

  static Place placeOf(const llvm::DebugLoc& location);
  std::string line(const Place& place, const std::string& text) const;

  std::string kernel_;
  std::string form_;
  Place kernelPlace_;
  std::vector<Outcome> outcomes_;
  /// The instructions that a remark is about; empty when it is about a place alone.
  std::map<std::pair<Place, std::string>, llvm::SmallPtrSet<const llvm::Instruction*, 2>> notes_;
};

/// While it lives, what LLVM's own vectorisers do to code of `context` goes to `explanation`.
/// Ownership: borrows both.
class VectorizerRemarks {
 public:
  VectorizerRemarks(llvm::LLVMContext& context, Explanation& explanation);
  VectorizerRemarks(const VectorizerRemarks&) = delete;
  VectorizerRemarks& operator=(const VectorizerRemarks&) = delete;
  ~VectorizerRemarks();

 private:
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::DiagnosticHandler> previous_;
};

}  // namespace weft::compiler
