// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/ADT/StringExtras.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/xxhash.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <set>

#include "ir/host_target.h"
#include "weft/support/once.h"

namespace weft::compiler {
namespace {

// The baseline; everything beyond it is named by feature, so that a host whose model is unknown
// to this version of LLVM loses nothing.
constexpr const char* kCpu = "x86-64";

const llvm::Target* nativeTarget(const std::string& triple) {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

/// Adds to `features` the tuning that LLVM ties to model names; chosen here by features that tell
/// generations apart, which may be more, `ofHost`, than code uses.
void addTuning(std::set<std::string>& features, const std::set<std::string>& ofHost) {
  auto has = [&](const char* name) { return features.contains(name); };
  // The first AVX-512 cores clock down when 512-bit registers are used; VBMI2 came after them.
  if (has("avx512f") && !has("avx512vbmi2")) features.insert("prefer-256-bit");
  // Gathers lose against scalar loads on AMD's cores (SSE4A is theirs alone) up to those with
  // VP2INTERSECT, where 16 floats take 4.4 ns from the first-level cache, and 6.6 one by one.
  if (ofHost.contains("sse4a") && !ofHost.contains("avx512vp2intersect"))
    features.insert("prefer-no-gather");
  if (has("avx2")) {
    features.insert("fast-variable-crosslane-shuffle");
    features.insert("fast-variable-perlane-shuffle");
  }
}

std::string joinFeatures(const std::set<std::string>& features) {
  std::string text;
  for (const std::string& name : features) text += (text.empty() ? "+" : ",+") + name;
  return text;
}

llvm::TargetOptions targetOptions() {
  llvm::TargetOptions options;
  options.EmitStackSizeSection = true;
  // A section each, so that every call leaves a relocation that the stack depth is read from.
  options.FunctionSections = true;
  options.ExceptionModel = llvm::ExceptionHandling::None;
  return options;
}

std::unique_ptr<llvm::TargetMachine> makeMachine(const HostTarget& host,
                                                 llvm::CodeGenOptLevel level) {
  const llvm::Target* target = nativeTarget(host.triple);
  if (!target) return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(host.triple, host.cpu, host.features, targetOptions(),
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, level, /*JIT=*/true));
}

constexpr int kUndecided = -1;
/// What limitHost or assumeHost was told first.
std::atomic<int> chosenLevel = kUndecided;
std::atomic<bool> assumesLevel = false;

CpuLevel decideLevel(CpuLevel level) {
  int known = kUndecided;
  if (chosenLevel.compare_exchange_strong(known, static_cast<int>(level))) return level;
  return static_cast<CpuLevel>(known);
}

std::set<std::string> featuresOf(CpuLevel level) {
  static constexpr const char* kLevels[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  llvm::SmallVector<llvm::StringRef> named;
  llvm::X86::getFeaturesForCPU(kLevels[static_cast<unsigned>(level) - 1], named);
  // LLVM leaves out what others imply, AVX-512F for one; hosts tell it.
  llvm::StringMap<bool> implied;
  for (llvm::StringRef name : named) llvm::X86::updateImpliedFeatures(name, true, implied);
  std::set<std::string> features(named.begin(), named.end());
  for (const auto& feature : implied) features.insert(feature.getKey().str());
  // No level names it, but whatever has AVX2 has it, or runs it as an instruction of no effect.
  if (level >= CpuLevel::V3) features.insert("prfchw");
  return features;
}

std::set<std::string> featuresOfHost() {
  std::set<std::string> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    if (feature.getValue()) features.insert(feature.getKey().str());
  return features;
}

/// What code may use: what the host has, or as much of it as a level allows.
std::set<std::string> usedFeatures(const std::set<std::string>& ofHost, CpuLevel level) {
  std::set<std::string> used;
  if (level == CpuLevel::Host) {
    used = ofHost;
    // Beside 256-bit code an INSERTQ, which LLVM 19 takes for a shuffle, takes 112 ns (Zen 3).
    used.erase("sse4a");
    return used;
  }
  const std::set<std::string> ofLevel = featuresOf(level);
  if (assumesLevel) return ofLevel;
  std::ranges::set_intersection(ofHost, ofLevel, std::inserter(used, used.end()));
  return used;
}

HostTarget detectHost() {
  HostTarget host;
  host.triple = llvm::sys::getDefaultTargetTriple();
  host.cpu = kCpu;
  const std::set<std::string> ofHost = featuresOfHost();
  std::set<std::string> features = usedFeatures(ofHost, decideLevel(CpuLevel::Host));
  // Code is for all hosts that have what it uses, however it was tuned.
  const uint64_t used = llvm::xxh3_64bits(joinFeatures(features));
  host.tag = "x86-64-" + llvm::utohexstr(used, /*LowerCase=*/true);
  addTuning(features, assumesLevel ? features : ofHost);
  host.features = joinFeatures(features);
  if (auto machine = makeMachine(host, llvm::CodeGenOptLevel::Default))
    host.dataLayout = machine->createDataLayout().getStringRepresentation();
  return host;
}

}  // namespace

void limitHost(CpuLevel level) { decideLevel(level); }

void assumeHost(CpuLevel level) {
  assumesLevel = true;
  decideLevel(level);
}

const HostTarget& hostTarget() {
  // Never destroyed: a build may still be under way when the process ends.
  static constinit Once<const HostTarget> host;
  return host.get([] { return new HostTarget(detectHost()); });
}

bool hostHas(llvm::StringRef feature) {
  llvm::SmallVector<llvm::StringRef> features;
  llvm::StringRef(hostTarget().features).split(features, ',');
  return llvm::is_contained(features, feature);
}

bool hostHasMaskRegisters() { return hostHas("+avx512f"); }

std::unique_ptr<llvm::TargetMachine> createTargetMachine(llvm::CodeGenOptLevel level) {
  return makeMachine(hostTarget(), level);
}

llvm::TargetMachine* threadTargetMachine(llvm::CodeGenOptLevel level) {
  thread_local std::map<llvm::CodeGenOptLevel, std::unique_ptr<llvm::TargetMachine>> machines;
  std::unique_ptr<llvm::TargetMachine>& machine = machines[level];
  if (!machine) machine = createTargetMachine(level);
  return machine.get();
}

}  // namespace weft::compiler
