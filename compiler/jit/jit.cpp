// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/jit.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>

#include <unordered_map>

#include "jit/lane_width.h"
#include "jit/stack_usage.h"
#include "weft/support/mutex.h"

namespace weft::compiler {
namespace {

using namespace llvm;
using namespace llvm::orc;

/// One session; each object has a dylib of its own, whose only other source of symbols is the
/// dylib of services.
///
/// Ownership: owns all code it has loaded. Threads: any; the session has its own lock, ours
/// guards the list of objects and the reported error text.
class OrcJit final : public Jit {
 public:
  static llvm::Expected<std::unique_ptr<Jit>> create(abi::ServiceTable services) {
    auto control =
        SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
    if (!control) return control.takeError();
    auto jit = std::make_unique<OrcJit>(std::move(*control));
    if (llvm::Error error = jit->defineServices(services)) return error;
    return jit;
  }

  explicit OrcJit(std::unique_ptr<ExecutorProcessControl> control)
      : session_(std::move(control)),
        layer_(session_, session_.getExecutorProcessControl().getMemMgr()) {
    // The default prints; the text is given to whoever asked for the symbol instead.
    session_.setErrorReporter([this](llvm::Error error) {
      MutexLock lock(mutex_);
      reported_ += toString(std::move(error)) + "\n";
    });
  }

  ~OrcJit() override { consumeError(session_.endSession()); }

  llvm::Expected<Loaded> load(std::unique_ptr<MemoryBuffer> object,
                              const std::string& symbol) override {
    Loaded loaded;
    auto frameBytes = stackUsage(object->getMemBufferRef(), symbol);
    if (!frameBytes) return frameBytes.takeError();
    loaded.frameBytes = *frameBytes;
    auto width = laneWidth(object->getMemBufferRef(), symbol);
    if (!width) return width.takeError();
    loaded.width = *width;
    {
      MutexLock lock(mutex_);
      loaded.handle = ++lastHandle_;
    }
    JITDylib& dylib = session_.createBareJITDylib("object-" + std::to_string(loaded.handle));
    dylib.addToLinkOrder(*services_);
    if (llvm::Error error = layer_.add(dylib, std::move(object)))
      return discard(dylib, std::move(error));
    auto found = session_.lookup({&dylib}, session_.intern(symbol));
    if (!found) return discard(dylib, found.takeError());
    loaded.entry = found->getAddress().toPtr<void*>();
    MutexLock lock(mutex_);
    objects_.emplace(loaded.handle, &dylib);
    return loaded;
  }

  void unload(uint64_t handle) override {
    JITDylib* dylib = nullptr;
    {
      MutexLock lock(mutex_);
      auto found = objects_.find(handle);
      if (found == objects_.end()) return;
      dylib = found->second;
      objects_.erase(found);
    }
    consumeError(session_.removeJITDylib(*dylib));
  }

 private:
  llvm::Error defineServices(abi::ServiceTable services) {
    services_ = &session_.createBareJITDylib("services");
    SymbolMap symbols;
    for (const abi::ServiceSymbol& service : services)
      symbols[session_.intern(service.name)] = {ExecutorAddr::fromPtr(service.address),
                                                JITSymbolFlags::Exported};
    return services_->define(absoluteSymbols(std::move(symbols)));
  }

  /// Frees a half-loaded object and says why, with what the session reported meanwhile.
  llvm::Error discard(JITDylib& dylib, llvm::Error error) {
    std::string text = toString(std::move(error)) + "\n";
    consumeError(session_.removeJITDylib(dylib));
    MutexLock lock(mutex_);
    text += reported_;
    reported_.clear();
    return createStringError(inconvertibleErrorCode(), text);
  }

  Mutex mutex_;
  std::string reported_ WEFT_GUARDED_BY(mutex_);
  uint64_t lastHandle_ WEFT_GUARDED_BY(mutex_) = 0;
  std::unordered_map<uint64_t, JITDylib*> objects_ WEFT_GUARDED_BY(mutex_);
  ExecutionSession session_;
  ObjectLinkingLayer layer_;
  JITDylib* services_ = nullptr;
};

}  // namespace

llvm::Expected<std::unique_ptr<Jit>> Jit::create(abi::ServiceTable services) {
  return OrcJit::create(services);
}

}  // namespace weft::compiler
