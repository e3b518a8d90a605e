// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <vector>

#include "driver/compiler_core.h"
#include "driver/program_binary.h"
#include "driver/variant_store.h"
#include "frontend/ir_unit.h"
#include "weft/compiler/compiler.h"
#include "weft/support/mutex.h"

namespace weft::compiler {

/// A program: its image, and the machine code that has been asked for so far.
///
/// Program IR is parsed from the image only when some code is not in the disk cache.
/// Ownership: shares the core; owns its code, which dies with it. Threads: any.
class ProgramImpl final : public Program {
 public:
  /// `unit`: the image's bitcode as a module, or null.
  ProgramImpl(std::shared_ptr<CompilerCore> core, ProgramImage image, std::unique_ptr<IrUnit> unit);
  ~ProgramImpl() override;

  ProgramKind kind() const noexcept override { return image_.kind; }
  std::string_view options() const noexcept override { return image_.options; }
  bool hasDebugInfo() const noexcept override { return image_.debugInfo; }
  PrivateMemory privateMemory() const noexcept override { return image_.privateMemory; }
  std::span<const KernelInfo> kernels() const noexcept override { return image_.kernels; }
  std::span<const KernelInfo> blocks() const noexcept override { return image_.blocks; }
  size_t firstBlock() const noexcept override {
    return image_.kernels.size() + image_.constructors.size();
  }
  Result<std::vector<std::byte>> serialize() const override;
  Result<const Variant*> variant(size_t kernel, const VariantKey& key,
                                 const LaunchOutlook& outlook) override;
  Result<std::string> explain(size_t kernel, const VariantKey& key) override;
  uint64_t programScopeBytes() const noexcept override { return image_.programScope.bytes; }
  bool hasConstructors() const noexcept override { return !image_.constructors.empty(); }
  Result<void*> programScope() override;

  const ProgramImage& image() const { return image_; }
  /// Frees parsed modules, unless they are in use. Pre: on a compiler thread.
  void dropModules() noexcept;
  /// After a fork in the child, when another thread was making a variant.
  void replaceAfterFork();

 private:
  struct Scope;

  /// kernels(), followed by the constructors, followed by blocks().
  const KernelInfo& anyKernel(size_t index) const;
  Result<void> runConstructors(void* block);

  const std::shared_ptr<CompilerCore> core_;
  const ProgramImage image_;
  std::unique_ptr<VariantStore> variants_;
  std::unique_ptr<Scope> scope_;
};

}  // namespace weft::compiler
