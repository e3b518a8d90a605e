// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/abi/image.h"
#include "weft/compiler/kernel_info.h"
#include "weft/runtime/launch.h"

/// Kernels through the public API as an application runs them, with the library's own choice of
/// form, width and tier, for tests that otherwise run below it. Links the host API's objects.
namespace weft::test::product {

/// A built program, with its context and queue.
class Program {
 public:
  /// Null when it does not build; `log` says why.
  static std::shared_ptr<Program> build(std::string_view source, const std::string& options,
                                        std::string& log);
  virtual ~Program() = default;

  struct Argument {
    enum class Kind { Value, Memory, Local, Image, Sampler } kind = Kind::Value;
    /// Of the value, or the sampler's number; the memory, which the kernel sees in place, a raw
    /// pointer where its size is 0; null.
    void* data = nullptr;
    size_t bytes = 0;
    const abi::Image* image = nullptr;  ///< where its pixels are, which is where they end up
    compiler::ImageType type = compiler::ImageType::None;
    compiler::AccessQualifier access = compiler::AccessQualifier::None;
  };
  struct Code {
    bool isFinal = false;     ///< as good as it gets
    bool wasQuick = false;    ///< some launch before may have run quick code
    std::string description;  ///< of the form that the library chose
  };

  /// Runs a kernel once and waits for it. Empty, or the step that failed.
  virtual std::string run(const std::string& kernel, const NDRange& range,
                          const std::vector<Argument>& arguments) = 0;
  /// The code of the kernel's last launch. It is final when the next launch, in the same range,
  /// runs nothing else.
  virtual Code lastCode(const std::string& kernel) = 0;
};

/// Whether the API makes images like this one, for kernels that use them so.
bool makesImages(const abi::Image& image, compiler::ImageType type,
                 compiler::AccessQualifier access);

/// Waits for final code of the kernel's last launch. False when there is none in two minutes.
bool awaitFinal(Program& program, const std::string& kernel);

}  // namespace weft::test::product
