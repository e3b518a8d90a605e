// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <optional>

#include "base/phase_timer.h"
#include "driver/compiler_core.h"
#include "driver/program_impl.h"
#include "frontend/build_options.h"
#include "frontend/clang_frontend.h"
#include "weft/compiler/compiler.h"

namespace weft::compiler {

/// The compiler behind the contract: options, cache and compiler threads around the front end.
/// Ownership: shares its core with the programs it makes. Threads: any.
class CompilerImpl final : public Compiler {
 public:
  explicit CompilerImpl(CompilerOptions options);
  ~CompilerImpl() override;

  Result<BuildOutput> build(std::string_view source, std::string_view options,
                            PrivateMemory memory) override;
  Result<BuildOutput> compile(std::string_view source, std::string_view options,
                              std::span<const EmbeddedHeader> headers) override;
  Result<BuildOutput> buildIl(const IlModule& il, std::string_view options,
                              PrivateMemory memory) override;
  Result<BuildOutput> compileIl(const IlModule& il, std::string_view options) override;
  Result<std::vector<SpecializationConstant>> describeIl(std::string_view words) override;
  Result<BuildOutput> link(std::span<const Ref<Program>> inputs, std::string_view options,
                           PrivateMemory memory) override;
  Result<Ref<Program>> load(std::span<const std::byte> binary) override;
  Result<void> checkOptions(std::string_view options, bool linking) override;

  void post(Job job) override;
  void finishPosted() noexcept override;
  void unload() noexcept override;

  void prepareFork() noexcept override;
  void afterForkInParent() noexcept override;
  void afterForkInChild() noexcept override;

 private:
  /// A finished module and what is known of it.
  struct Product {
    ProgramImage image;
    std::unique_ptr<IrUnit> unit;
    std::string log;
    FileUses files;
    bool cacheable = true;
    bool keepLines = false;  ///< places in the source
    bool good = false;       ///< false: the log says why not
  };

  /// What a program made from source depends on besides the compiler.
  struct SourceInput {
    ProgramKind kind;
    std::string_view source;
    std::string_view options;
    std::span<const EmbeddedHeader> headers;
    PrivateMemory memory = PrivateMemory::Unspecified;
  };

  Result<BuildOutput> fromSource(const SourceInput& input);
  Result<BuildOutput> fromIl(ProgramKind kind, const IlModule& il, std::string_view options,
                             PrivateMemory memory);
  void readIlProduct(const IlModule& il, const BuildOptions& options, Product& product,
                     PhaseTimer& timer);
  Result<BuildOptions> parseSourceOptions(std::string_view text);
  Result<void> checkSource(std::string_view source, const BuildOptions& options);
  Digest sourceKey(const SourceInput& input);
  void compileProduct(const SourceRequest& request, Product& product, PhaseTimer& timer);
  void linkProduct(std::span<const Ref<Program>> inputs, const BuildOptions& options,
                   Product& product, PhaseTimer& timer);
  /// Links builtins, prepares, writes bitcode. Pre: compiler thread; image.kind is set.
  void finishProduct(Product& product, PhaseTimer& timer);
  /// Whether places in the source are kept in executables.
  bool keepsLines(const BuildOptions& options) const {
    return options.explain || core_->explains();
  }
  Result<BuildOutput> toOutput(CompilerThreads::Outcome outcome, Product& product);

  std::optional<BuildOutput> findProgram(const Digest& key);
  std::optional<BuildOutput> findByManifest(const Digest& key);
  void storeProgram(const Digest& key, const BuildOutput& output);

  std::shared_ptr<CompilerCore> core_;
};

}  // namespace weft::compiler
