// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ir_unit.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <utility>

namespace weft::compiler {

struct IrUnit::Messages {
  std::string text;
};

namespace {

/// Appends errors and warnings of LLVM to a text; remarks are dropped.
template <class Messages>
class Collector : public llvm::DiagnosticHandler {
 public:
  explicit Collector(std::shared_ptr<Messages> messages) : messages_(std::move(messages)) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error || info.getSeverity() == llvm::DS_Warning) {
      llvm::raw_string_ostream stream(messages_->text);
      stream << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << '\n';
    }
    return true;
  }

 private:
  std::shared_ptr<Messages> messages_;
};

}  // namespace

IrUnit::IrUnit(bool keepNames)
    : messages_(std::make_shared<Messages>()), context_(new llvm::LLVMContext) {
  context_->setDiscardValueNames(!keepNames);
  context_->setDiagnosticHandler(std::make_unique<Collector<Messages>>(messages_));
}

IrUnit::~IrUnit() = default;

Expected<std::unique_ptr<IrUnit>, std::string> IrUnit::parse(std::string_view bitcode,
                                                             bool keepNames) {
  auto unit = std::make_unique<IrUnit>(keepNames);
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bitcode.data(), bitcode.size()), "program");
  auto module = llvm::parseBitcodeFile(buffer, unit->context());
  if (!module) return fail(llvm::toString(module.takeError()) + "\n");
  unit->setModule(std::move(*module));
  return unit;
}

std::string IrUnit::bitcode() const {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module_, stream);
  stream.flush();
  return bytes;
}

std::string IrUnit::takeDiagnostics() { return std::exchange(messages_->text, {}); }

}  // namespace weft::compiler
