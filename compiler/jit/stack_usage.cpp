// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/stack_usage.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DataExtractor.h>

#include "weft/abi/services.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::object;

// Return address, what aligning the frame may skip, and the red zone below the frame.
constexpr uint64_t kCallOverhead = 8 + 64 + 128;
// C library functions: their frames and, on a first call, the dynamic linker's, which saves all
// vector registers.
constexpr uint64_t kExternalMargin = 8 * 1024;
// printf formats floating-point numbers on this stack.
constexpr uint64_t kPrintfMargin = 32 * 1024;

/// The sections of functions, their frames, and which call which.
class StackGraph {
 public:
  explicit StackGraph(const ObjectFile& object) : object_(object) {}

  llvm::Error read() {
    for (const SectionRef& section : object_.sections()) {
      auto relocated = section.getRelocatedSection();
      if (!relocated) return relocated.takeError();
      if (*relocated == object_.section_end()) continue;
      auto name = (*relocated)->getName();
      if (!name) return name.takeError();
      llvm::Error error = *name == ".stack_sizes"  ? readSizes(section, **relocated)
                          : (*relocated)->isText() ? readCalls(section, **relocated)
                                                   : llvm::Error::success();
      if (error) return error;
    }
    return llvm::Error::success();
  }

  /// Deepest use of stack from the function in section `index`.
  llvm::Expected<uint64_t> depth(uint64_t index) {
    auto [entry, isNew] = depths_.try_emplace(index, kOpen);
    if (!isNew) {
      if (entry->second == kOpen)
        return createStringError(inconvertibleErrorCode(), "recursion in compiled code\n");
      return entry->second;
    }
    uint64_t deepest = margins_.lookup(index);
    for (uint64_t callee : callees_[index]) {
      llvm::Expected<uint64_t> below = depth(callee);
      if (!below) return below.takeError();
      deepest = std::max(deepest, *below);
    }
    return depths_[index] = frames_.lookup(index) + kCallOverhead + deepest;
  }

 private:
  static constexpr uint64_t kOpen = ~uint64_t{0};

  /// Section that the symbol of a relocation is defined in; nothing when it is external.
  llvm::Expected<std::optional<uint64_t>> target(const RelocationRef& relocation) const {
    auto symbol = relocation.getSymbol();
    if (symbol == object_.symbol_end()) return std::nullopt;
    auto section = symbol->getSection();
    if (!section) return section.takeError();
    if (*section == object_.section_end()) return std::nullopt;
    return (*section)->getIndex();
  }

  /// Each entry is an address, which a relocation fills in, and the size as ULEB128.
  llvm::Error readSizes(const SectionRef& relocations, const SectionRef& sizes) {
    auto contents = sizes.getContents();
    if (!contents) return contents.takeError();
    DataExtractor data(*contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
    for (const RelocationRef& relocation : relocations.relocations()) {
      auto section = target(relocation);
      if (!section) return section.takeError();
      DataExtractor::Cursor cursor(relocation.getOffset() + 8);
      uint64_t size = data.getULEB128(cursor);
      if (!cursor) return cursor.takeError();
      if (*section) frames_[**section] = std::max(frames_.lookup(**section), size);
    }
    return llvm::Error::success();
  }

  llvm::Error readCalls(const SectionRef& relocations, const SectionRef& caller) {
    for (const RelocationRef& relocation : relocations.relocations()) {
      auto section = target(relocation);
      if (!section) return section.takeError();
      if (!*section) {
        addExternal(caller.getIndex(), relocation);
      } else if (**section != caller.getIndex() && isText(**section)) {
        callees_[caller.getIndex()].insert(**section);
      }
    }
    return llvm::Error::success();
  }

  void addExternal(uint64_t caller, const RelocationRef& relocation) {
    auto symbol = relocation.getSymbol();
    if (symbol == object_.symbol_end()) return;
    auto name = symbol->getName();
    uint64_t margin = kExternalMargin;
    if (!name)
      consumeError(name.takeError());
    else if (*name == abi::kPrintfService)
      margin = kPrintfMargin;
    margins_[caller] = std::max(margins_.lookup(caller), margin);
  }

  bool isText(uint64_t index) const {
    return any_of(object_.sections(), [&](const SectionRef& section) {
      return section.getIndex() == index && section.isText();
    });
  }

  const ObjectFile& object_;
  DenseMap<uint64_t, uint64_t> frames_;
  DenseMap<uint64_t, uint64_t> margins_;
  DenseMap<uint64_t, SmallSetVector<uint64_t, 4>> callees_;
  DenseMap<uint64_t, uint64_t> depths_;
};

}  // namespace

llvm::Expected<uint64_t> stackUsage(MemoryBufferRef buffer, const std::string& symbol) {
  auto object = ObjectFile::createELFObjectFile(buffer);
  if (!object) return object.takeError();
  StackGraph graph(**object);
  if (llvm::Error error = graph.read()) return error;
  for (const SymbolRef& candidate : (*object)->symbols()) {
    auto name = candidate.getName();
    if (!name) return name.takeError();
    if (*name != symbol) continue;
    auto section = candidate.getSection();
    if (!section) return section.takeError();
    if (*section == (*object)->section_end()) break;
    return graph.depth((*section)->getIndex());
  }
  return createStringError(inconvertibleErrorCode(), "no function '%s' in the object\n",
                           symbol.c_str());
}

}  // namespace weft::compiler
