// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compiler_impl.h"

#include <unistd.h>

#include <chrono>
#include <climits>
#include <utility>

#include "base/byte_stream.h"
#include "cache/manifest.h"
#include "frontend/builtins_linker.h"
#include "frontend/module_checks.h"
#include "frontend/object_linker.h"
#include "frontend/spirv/read_module.h"

namespace weft::compiler {
namespace {

constexpr size_t kMaxSourceBytes = size_t{64} << 20;
/// How long fork() waits for builds; a longer one is cut off in the child.
constexpr std::chrono::milliseconds kForkWait{1000};

std::string workingDirectory() {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof path) ? path : "";
}

/// An option string ends at a zero byte, as C strings do.
std::string_view untilZero(std::string_view text) { return text.substr(0, text.find('\0')); }

Error invalidOptions(std::string log) { return {ErrorKind::InvalidOptions, std::move(log)}; }

}  // namespace

CompilerImpl::CompilerImpl(CompilerOptions options)
    : core_(std::make_shared<CompilerCore>(std::move(options))) {}

CompilerImpl::~CompilerImpl() { core_->closeBackground(); }

Result<BuildOutput> CompilerImpl::build(std::string_view source, std::string_view options,
                                        PrivateMemory memory) {
  return fromSource({ProgramKind::Executable, source, untilZero(options), {}, memory});
}

Result<BuildOutput> CompilerImpl::compile(std::string_view source, std::string_view options,
                                          std::span<const EmbeddedHeader> headers) {
  return fromSource({ProgramKind::CompiledObject, source, untilZero(options), headers});
}

Result<BuildOutput> CompilerImpl::fromSource(const SourceInput& input) {
  WEFT_TRY(const BuildOptions parsed, parseSourceOptions(input.options));
  const ForkGate::Activity activity(core_->gate(), this);
  WEFT_TRY_VOID(checkSource(input.source, parsed));
  PhaseTimer timer(input.kind == ProgramKind::Executable ? "build" : "compile");
  Digest key;
  if (core_->cache()) {
    key = sourceKey(input);
    auto found = findProgram(key);
    if (!found) found = findByManifest(key);
    timer.phase("cache");
    if (found) {
      log::write(log::Level::Debug, "cache: program found, Clang not run");
      found->explain = parsed.explain;
      return std::move(*found);
    }
  }
  const bool keepNames = !core_->options().dumpDirectory.empty();
  Product product;
  product.image.kind = input.kind;
  product.image.optimize = !parsed.optDisable;
  product.image.debugInfo = parsed.debugInfo;
  product.image.options = input.options;
  product.keepLines = keepsLines(parsed);
  product.image.privateMemory = input.memory;
  auto outcome = core_->run(
      [&] { compileProduct({input.source, input.headers, &parsed, keepNames}, product, timer); });
  WEFT_TRY(BuildOutput output, toOutput(std::move(outcome), product));
  output.explain = parsed.explain;
  if (core_->cache() && product.cacheable) {
    if (product.files.seen.empty()) {
      storeProgram(key, output);
    } else {
      // What an #include finds depends on where the process is.
      const Digest here = DigestBuilder().add(key).add(workingDirectory()).finish();
      core_->cache()->store(EntryKind::Manifest, here, encodeManifest(product.files));
      storeProgram(programKey(here, product.files), output);
    }
    timer.phase("store");
  }
  return output;
}

Result<BuildOutput> CompilerImpl::buildIl(const IlModule& il, std::string_view options,
                                          PrivateMemory memory) {
  return fromIl(ProgramKind::Executable, il, untilZero(options), memory);
}

Result<BuildOutput> CompilerImpl::compileIl(const IlModule& il, std::string_view options) {
  return fromIl(ProgramKind::CompiledObject, il, untilZero(options), PrivateMemory::Unspecified);
}

Result<std::vector<SpecializationConstant>> CompilerImpl::describeIl(std::string_view words) {
  auto binary = spirv::Binary::decode(std::as_bytes(std::span(words)));
  if (!binary) return fail(Error{ErrorKind::InvalidBinary, std::move(binary).error()});
  return spirv::specializationConstants(*binary);
}

Result<BuildOutput> CompilerImpl::fromIl(ProgramKind kind, const IlModule& il,
                                         std::string_view options, PrivateMemory memory) {
  WEFT_TRY(const BuildOptions parsed, parseSourceOptions(options));
  const ForkGate::Activity activity(core_->gate(), this);
  PhaseTimer timer("il");
  DigestBuilder keyBuilder = core_->beginKey("il");
  keyBuilder.add(static_cast<uint64_t>(kind)).add(static_cast<uint64_t>(memory));
  keyBuilder.add(il.words).add(options).add(uint64_t{core_->explains()});
  keyBuilder.add(core_->options().extraBuildOptions).add(uint64_t{il.constants.size()});
  for (const SpecializationValue& value : il.constants)
    keyBuilder.add(uint64_t{value.id}).add(value.bits);
  const Digest key = keyBuilder.finish();
  if (auto found = findProgram(key)) {
    log::write(log::Level::Debug, "cache: program found, SPIR-V not read");
    found->explain = parsed.explain;
    return std::move(*found);
  }
  Product product;
  product.image.kind = kind;
  product.image.optimize = !parsed.optDisable;
  product.image.debugInfo = parsed.debugInfo;
  product.image.options = options;
  product.keepLines = keepsLines(parsed);
  product.image.privateMemory = memory;
  auto outcome = core_->run([&] { readIlProduct(il, parsed, product, timer); });
  WEFT_TRY(BuildOutput output, toOutput(std::move(outcome), product));
  output.explain = parsed.explain;
  storeProgram(key, output);
  return output;
}

void CompilerImpl::readIlProduct(const IlModule& il, const BuildOptions& options, Product& product,
                                 PhaseTimer& timer) {
  timer.phase("hand-off");
  auto unit = spirv::readModule(il, options, !core_->options().dumpDirectory.empty());
  timer.phase("spirv");
  if (!unit) {
    product.log += unit.error();
    return;
  }
  product.unit = std::move(*unit);
  finishProduct(product, timer);
}

Result<BuildOptions> CompilerImpl::parseSourceOptions(std::string_view text) {
  std::string all(text);
  const std::string& extra = core_->options().extraBuildOptions;
  if (!extra.empty()) all += " " + extra;
  auto parsed = parseBuildOptions(all, OptionContext::Compile);
  if (!parsed) return fail(invalidOptions(std::move(parsed).error()));
  return std::move(*parsed);
}

Result<void> CompilerImpl::checkSource(std::string_view source, const BuildOptions& options) {
  if (source.size() > kMaxSourceBytes) {
    return fail(Error{ErrorKind::SourceError, "error: the source is longer than 64 MiB\n"});
  }
  if (!core_->language().supports(options.standard)) {
    return fail(Error{ErrorKind::SourceError, "error: the device does not support -cl-std=" +
                                                  std::string(standardName(options.standard)) +
                                                  "\n"});
  }
  return {};
}

Digest CompilerImpl::sourceKey(const SourceInput& input) {
  DigestBuilder key = core_->beginKey("source");
  key.add(static_cast<uint64_t>(input.kind)).add(static_cast<uint64_t>(input.memory));
  key.add(input.source).add(input.options).add(uint64_t{core_->explains()});
  key.add(core_->options().extraBuildOptions).add(uint64_t{input.headers.size()});
  for (const EmbeddedHeader& header : input.headers) key.add(header.includeName).add(header.source);
  return key.finish();
}

void CompilerImpl::compileProduct(const SourceRequest& request, Product& product,
                                  PhaseTimer& timer) {
  timer.phase("hand-off");
  SourceResult result;
  // What Clang has said so far is in the log even when it fails badly.
  struct KeepLog {
    SourceResult& result;
    Product& product;
    ~KeepLog() { product.log = std::move(result.log); }
  };
  {
    const KeepLog keep{result, product};
    compileSource(core_->language(), request, result);
  }
  timer.phase("clang");
  product.files = std::move(result.files);
  product.cacheable = !result.usesTime;
  if (!result.unit) return;
  product.unit = std::move(result.unit);
  if (auto finished = finishSourceModule(product.unit->module()); !finished) {
    product.log += finished.error();
    return;
  }
  timer.phase("lower");
  finishProduct(product, timer);
}

void CompilerImpl::finishProduct(Product& product, PhaseTimer& timer) {
  llvm::Module& module = product.unit->module();
  if (product.image.kind == ProgramKind::Executable) {
    auto linked = linkBuiltins(module);
    product.log += product.unit->takeDiagnostics();
    if (!linked) {
      product.log += linked.error();
      return;
    }
    if (auto checked = checkModule(module); !checked) {
      product.log += checked.error();
      return;
    }
    timer.phase("builtins");
    if (const llvm::Function* function = enormousFunction(module);
        function && product.image.optimize) {
      product.image.optimize = false;
      product.log += "warning: function '" + function->getName().str() +
                     "' is so large that the program is not optimised\n";
    }
    PrepareOptions options =
        core_->prepareOptions(product.image.optimize, product.image.privateMemory);
    options.keepLines = product.keepLines;
    auto prepared = prepareProgram(module, options);
    product.log += product.unit->takeDiagnostics();
    if (!prepared) {
      product.log += llvm::toString(prepared.takeError());
      if (!product.log.ends_with('\n')) product.log += '\n';
      return;
    }
    product.image.kernels = std::move(prepared->kernels);
    product.image.blocks = std::move(prepared->blocks);
    product.image.constructors = std::move(prepared->constructors);
    product.image.programScope = std::move(prepared->programScope);
    timer.phase("prepare");
  }
  auto bitcode = std::make_shared<const std::string>(product.unit->bitcode());
  product.image.bitcode = *bitcode;
  product.image.storage = std::move(bitcode);
  identify(product.image);
  product.good = true;
  timer.phase("bitcode");
}

Result<BuildOutput> CompilerImpl::toOutput(CompilerThreads::Outcome outcome, Product& product) {
  if (!outcome.result) {
    Error error = std::move(outcome.result).error();
    error.log = product.log + error.log;
    // Whatever the failed thread has left half-done is not to be destroyed.
    (void)product.unit.release();
    return fail(std::move(error));
  }
  if (!product.good) {
    std::string log = product.log.empty() ? "error: the build failed\n" : std::move(product.log);
    return fail(Error{ErrorKind::SourceError, std::move(log)});
  }
  // Objects are only linked from bitcode; executables are about to be compiled further.
  std::unique_ptr<IrUnit> unit;
  if (product.image.kind == ProgramKind::Executable) unit = std::move(product.unit);
  return BuildOutput{makeRef<ProgramImpl>(core_, std::move(product.image), std::move(unit)),
                     std::move(product.log)};
}

void CompilerImpl::linkProduct(std::span<const Ref<Program>> inputs, const BuildOptions& options,
                               Product& product, PhaseTimer& timer) {
  timer.phase("hand-off");
  std::vector<LinkInput> objects;
  for (const Ref<Program>& input : inputs) {
    // Programs have no other implementation.
    const ProgramImage& image = static_cast<const ProgramImpl&>(*input).image();
    const bool takesOptions = image.kind != ProgramKind::Library || image.linkOptionsEnabled;
    objects.push_back({image.bitcode, takesOptions});
    product.image.optimize &= image.optimize;
    product.image.debugInfo |= image.debugInfo;
  }
  auto linked = linkObjects(objects, options);
  timer.phase("link");
  if (!linked) {
    product.log = linked.error();
    return;
  }
  product.unit = std::move(*linked);
  finishProduct(product, timer);
}

Result<BuildOutput> CompilerImpl::link(std::span<const Ref<Program>> inputs, std::string_view text,
                                       PrivateMemory memory) {
  const std::string_view options = untilZero(text);
  auto parsed = parseBuildOptions(options, OptionContext::Link);
  if (!parsed) return fail(invalidOptions(std::move(parsed).error()));
  const ForkGate::Activity activity(core_->gate(), this);
  PhaseTimer timer("link");
  DigestBuilder keyBuilder = core_->beginKey("link");
  keyBuilder.add(options).add(static_cast<uint64_t>(memory)).add(uint64_t{inputs.size()});
  keyBuilder.add(uint64_t{core_->explains()});
  for (const Ref<Program>& input : inputs) {
    if (input->kind() == ProgramKind::Executable) {
      return fail(Error{ErrorKind::SourceError, "error: an executable cannot be linked\n"});
    }
    keyBuilder.add(static_cast<const ProgramImpl&>(*input).image().identity);
  }
  const Digest key = keyBuilder.finish();
  if (auto found = findProgram(key)) {
    log::write(log::Level::Debug, "cache: linked program found");
    found->explain = parsed->explain;
    return std::move(*found);
  }
  Product product;
  product.image.kind = parsed->createLibrary ? ProgramKind::Library : ProgramKind::Executable;
  product.image.linkOptionsEnabled = parsed->enableLinkOptions;
  product.keepLines = keepsLines(*parsed);
  product.image.options = options;
  if (!parsed->createLibrary) product.image.privateMemory = memory;
  auto outcome = core_->run([&] { linkProduct(inputs, *parsed, product, timer); });
  WEFT_TRY(BuildOutput output, toOutput(std::move(outcome), product));
  output.explain = parsed->explain;
  storeProgram(key, output);
  return output;
}

Result<Ref<Program>> CompilerImpl::load(std::span<const std::byte> binary) {
  // The caller's bytes need not outlive the call.
  auto copy =
      std::make_shared<std::string>(reinterpret_cast<const char*>(binary.data()), binary.size());
  const auto bytes = std::as_bytes(std::span(copy->data(), copy->size()));
  auto image = decodeProgram(bytes, hostTarget().tag, copy);
  if (!image) return fail(Error{ErrorKind::InvalidBinary, std::move(image).error()});
  return Ref<Program>(makeRef<ProgramImpl>(core_, std::move(*image), nullptr));
}

Result<void> CompilerImpl::checkOptions(std::string_view options, bool linking) {
  auto parsed = parseBuildOptions(options, linking ? OptionContext::Link : OptionContext::Compile);
  if (!parsed) return fail(invalidOptions(std::move(parsed).error()));
  return {};
}

std::optional<BuildOutput> CompilerImpl::findProgram(const Digest& key) {
  DiskCache* cache = core_->cache();
  if (!cache) return std::nullopt;
  auto entry = cache->find(EntryKind::Program, key);
  if (!entry) return std::nullopt;
  ByteReader stream(entry->payload);
  std::string log(stream.view());
  const std::string_view program = stream.view();
  if (!stream.atEnd()) return std::nullopt;
  auto image = decodeProgram(std::as_bytes(std::span(program.data(), program.size())),
                             hostTarget().tag, entry->storage);
  if (!image) return std::nullopt;
  return BuildOutput{makeRef<ProgramImpl>(core_, std::move(*image), nullptr), std::move(log)};
}

std::optional<BuildOutput> CompilerImpl::findByManifest(const Digest& key) {
  const Digest here = DigestBuilder().add(key).add(workingDirectory()).finish();
  auto entry = core_->cache()->find(EntryKind::Manifest, here);
  if (!entry) return std::nullopt;
  const auto files = decodeManifest(entry->payload);
  if (!files || !stillHolds(*files)) return std::nullopt;
  return findProgram(programKey(here, *files));
}

void CompilerImpl::storeProgram(const Digest& key, const BuildOutput& output) {
  DiskCache* cache = core_->cache();
  if (!cache) return;
  const auto& program = static_cast<const ProgramImpl&>(*output.program);
  std::string payload;
  ByteWriter stream(payload);
  stream(std::string_view(output.log));
  stream(std::string_view(encodeProgram(program.image(), hostTarget().tag)));
  cache->store(EntryKind::Program, key, payload);
}

void CompilerImpl::post(Job job) {
  const ForkGate::Activity activity(core_->gate(), this);
  // What nobody else can do is done at once.
  if (!core_->threads().post(job)) job();
}

void CompilerImpl::finishPosted() noexcept {
  if (CompilerThreads* threads = core_->threadsIfAny()) threads->finishPosted();
  core_->closeBackground();
}

void CompilerImpl::unload() noexcept {
  const ForkGate::Activity activity(core_->gate(), this);
  core_->unload();
}

void CompilerImpl::prepareFork() noexcept { core_->gate().close(kForkWait); }

void CompilerImpl::afterForkInParent() noexcept { core_->gate().open(); }

void CompilerImpl::afterForkInChild() noexcept {
  const std::vector<void*> cutOff = core_->gate().openInChild();
  core_->replaceAfterFork(!cutOff.empty());
  for (void* owner : cutOff) {
    // Calls of the compiler itself hold nothing; the others are of programs.
    if (owner == this) continue;
    static_cast<ProgramImpl*>(owner)->replaceAfterFork();
  }
}

std::unique_ptr<Compiler> createCompiler(CompilerOptions options) {
  return std::make_unique<CompilerImpl>(std::move(options));
}

}  // namespace weft::compiler
