// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spirv_tools.h"

#include <gtest/gtest.h>
#include <spirv-tools/libspirv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace weft::test {
namespace {

spv_target_env environmentOf(uint32_t version) {
  switch (version) {
    case 0x00010000:
      return SPV_ENV_UNIVERSAL_1_0;
    case 0x00010100:
      return SPV_ENV_UNIVERSAL_1_1;
    case 0x00010200:
      return SPV_ENV_UNIVERSAL_1_2;
    case 0x00010300:
      return SPV_ENV_UNIVERSAL_1_3;
    case 0x00010400:
      return SPV_ENV_UNIVERSAL_1_4;
    case 0x00010500:
      return SPV_ENV_UNIVERSAL_1_5;
    default:
      return SPV_ENV_UNIVERSAL_1_6;
  }
}

/// A folder of this process that goes when it ends.
const std::filesystem::path& scratch() {
  struct Folder {
    std::filesystem::path path;
    Folder() {
      path = std::filesystem::temp_directory_path() / ("weft-spirv-" + std::to_string(::getpid()));
      std::filesystem::create_directory(path);
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace

std::string assemble(std::string_view text, uint32_t version) {
  const std::unique_ptr<spv_context_t, decltype(&spvContextDestroy)> context(
      spvContextCreate(environmentOf(version)), spvContextDestroy);
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;
  const spv_result_t result =
      spvTextToBinary(context.get(), text.data(), text.size(), &binary, &diagnostic);
  std::string words;
  if (result == SPV_SUCCESS)
    words.assign(reinterpret_cast<const char*>(binary->code), binary->wordCount * 4);
  else
    ADD_FAILURE() << "assembly, line " << (diagnostic ? diagnostic->position.line + 1 : 0) << ": "
                  << (diagnostic ? diagnostic->error : "?");
  spvBinaryDestroy(binary);
  spvDiagnosticDestroy(diagnostic);
  return words;
}

std::optional<std::string> translate(std::string_view source, std::string_view options) {
  const std::filesystem::path folder = scratch();
  std::ofstream(folder / "source.cl") << source;
  const char* level = std::getenv("WEFT_TEST_SPIRV");
  const std::string command =
      "cd '" + folder.string() + "' && rm -f out.spv && clang-15 -target spir64 -x cl " +
      std::string(level && level[0] == '-' ? level : "-O1") +
      " -gline-tables-only -Xclang -finclude-default-header -emit-llvm -c source.cl -o source.bc " +
      std::string(options) +
      " >log 2>&1 && llvm-spirv-15 --spirv-ext=+SPV_EXT_shader_atomic_float_add,"
      "+SPV_EXT_shader_atomic_float_min_max,+SPV_KHR_expect_assume,+SPV_KHR_linkonce_odr,"
      "+SPV_KHR_uniform_group_instructions,+SPV_KHR_bit_instructions "
      "source.bc -o out.spv >>log 2>&1";
  if (std::system(command.c_str()) != 0) return std::nullopt;
  std::ifstream file(folder / "out.spv", std::ios::binary);
  std::ostringstream words;
  words << file.rdbuf();
  return words.str();
}

}  // namespace weft::test
