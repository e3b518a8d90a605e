// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lanes/explanation.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DiagnosticInfo.h>

#include <utility>

#include "ir/names.h"

namespace weft::compiler {

using namespace llvm;

namespace {

std::string placeText(const std::string& file, unsigned line, unsigned column) {
  std::string text = file + ":" + std::to_string(line);
  if (column != 0) text += ":" + std::to_string(column);
  return text;
}

/// The place in the source where `loop` begins: ids that are computed at other places come first in
/// each of several loops, so the first access to memory tells them apart.
DebugLoc firstPlaceIn(const Loop& loop) {
  DebugLoc first, firstAccess;
  auto take = [](DebugLoc& least, const DebugLoc& place) {
    if (!least ||
        std::pair(place.getLine(), place.getCol()) < std::pair(least.getLine(), least.getCol()))
      least = place;
  };
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const DebugLoc& place = instruction.getDebugLoc();
      if (!place || place.getLine() == 0) continue;
      take(first, place);
      if (instruction.mayReadOrWriteMemory() && !instruction.hasMetadata(names::kItemLoad) &&
          !instruction.hasMetadata(LLVMContext::MD_invariant_load))
        take(firstAccess, place);
    }
  return firstAccess ? firstAccess : first;
}

/// Takes the remarks of LLVM's vectorisers, and hands on all else.
class RemarkHandler : public DiagnosticHandler {
 public:
  RemarkHandler(Explanation& explanation, DiagnosticHandler* next)
      : explanation_(explanation), next_(next) {}

  bool handleDiagnostics(const DiagnosticInfo& info) override {
    const auto* remark = dyn_cast<OptimizationRemark>(&info);
    if (!remark) return next_ && next_->handleDiagnostics(info);
    // Who asks whether any remarks are wanted gives all of them.
    if (!isPassedOptRemarkEnabled(remark->getPassName())) return true;
    explanation_.note("LLVM: " + remark->getMsg(), remark->getLocation());
    return true;
  }
  bool isAnalysisRemarkEnabled(StringRef) const override { return false; }
  bool isMissedOptRemarkEnabled(StringRef) const override { return false; }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return pass == "loop-vectorize" || pass == "slp-vectorizer";
  }
  bool isAnyRemarkEnabled() const override { return true; }

 private:
  Explanation& explanation_;
  DiagnosticHandler* next_;
};

}  // namespace

void Explanation::begin(const std::string& kernel, const std::string& form, const Function& body) {
  kernel_ = kernel;
  form_ = form;
  if (const DISubprogram* source = body.getSubprogram())
    kernelPlace_ = {source->getFilename().str(), source->getLine(), 0, {}};
}

Explanation::Place Explanation::placeOf(const DebugLoc& location) {
  if (!location) return {};
  const auto* scope = cast<DIScope>(location.getScope());
  Place place{scope->getFilename().str(), location.getLine(), location.getCol(), {}};
  for (const DILocation* caller = location.getInlinedAt(); caller; caller = caller->getInlinedAt())
    place.inlinedAt +=
        (place.inlinedAt.empty() ? "" : ", ") +
        placeText(caller->getFilename().str(), caller->getLine(), caller->getColumn());
  return place;
}

std::string Explanation::at(const Instruction& instruction) {
  const Place place = placeOf(instruction.getDebugLoc());
  return place.line == 0 ? "" : " at " + placeText(place.file, place.line, place.column);
}

void Explanation::outcome(const Loop& loop, unsigned width, const std::string& text) {
  outcomes_.push_back({placeOf(firstPlaceIn(loop)), width, text});
}

void Explanation::note(const std::string& text, const Instruction& instruction) {
  notes_[{placeOf(instruction.getDebugLoc()), text}].insert(&instruction);
}

void Explanation::note(const std::string& text, const DiagnosticLocation& place) {
  if (place.isValid())
    notes_[{{place.getRelativePath().str(), place.getLine(), place.getColumn(), {}}, text}];
  else
    notes_[{{}, text}];
}

std::string Explanation::line(const Place& place, const std::string& text) const {
  const Place& shown = place.line == 0 ? kernelPlace_ : place;
  std::string result;
  if (shown.line != 0) result = placeText(shown.file, shown.line, shown.column) + ": ";
  result += "remark: kernel '" + kernel_ + "': " + text;
  if (!shown.inlinedAt.empty()) result += " (inlined at " + shown.inlinedAt + ")";
  return result + " [-Rweft]\n";
}

std::string Explanation::text() const {
  std::string whole = form_;
  if (outcomes_.size() == 1) {
    whole += ", " + outcomes_.front().text;
  } else if (outcomes_.size() > 1) {
    unsigned inLanes = 0, widest = 1;
    for (const Outcome& part : outcomes_) {
      inLanes += part.width > 1;
      widest = std::max(widest, part.width);
    }
    whole += ": " + std::to_string(outcomes_.size()) + " loops over work-items, " +
             std::to_string(inLanes) + " of them vectorised" +
             (inLanes ? " (" + std::to_string(widest) + ")" : "");
  }
  std::string result = line({}, whole);
  std::map<Place, std::string> lines;
  if (outcomes_.size() > 1)
    for (const Outcome& part : outcomes_)
      lines[part.place] += line(part.place, "from here: " + part.text);
  for (const auto& [key, instructions] : notes_) {
    const unsigned times = instructions.size();
    lines[key.first] +=
        line(key.first, key.second + (times > 1 ? ", " + std::to_string(times) + " times" : ""));
  }
  for (const auto& [place, text] : lines) result += text;
  return result;
}

VectorizerRemarks::VectorizerRemarks(LLVMContext& context, Explanation& explanation)
    : context_(context), previous_(context.getDiagnosticHandler()) {
  context.setDiagnosticHandler(std::make_unique<RemarkHandler>(explanation, previous_.get()));
}

VectorizerRemarks::~VectorizerRemarks() { context_.setDiagnosticHandler(std::move(previous_)); }

}  // namespace weft::compiler
