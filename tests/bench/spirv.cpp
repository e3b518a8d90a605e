// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compute.h"

namespace weft::bench {

std::string translateToSpirv(const std::string& source, const std::string& options) {
  std::string folder = std::filesystem::temp_directory_path() / "weft-bench-spirv-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  std::ofstream(folder + "/source.cl") << source;
  const auto make = [&](const char* level) {
    const std::string command =
        "cd " + folder + " && clang-15 -target spir64 -x cl " + level +
        " -Xclang -finclude-default-header " + options +
        " -emit-llvm -c source.cl -o source.bc >log 2>&1 && llvm-spirv-15 "
        "--spirv-ext=+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float_min_max "
        "source.bc -o out.spv >>log 2>&1";
    return std::system(command.c_str()) == 0;
  };
  // That translator does not know all that its Clang's optimisation makes.
  const bool isMade = make("-O1") || make("-O1 -Xclang -disable-llvm-passes");
  std::ifstream file(folder + "/out.spv", std::ios::binary);
  std::ostringstream words;
  words << file.rdbuf();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!isMade) throw Unsupported("clang-15 and llvm-spirv-15 make no module of it");
  return words.str();
}

}  // namespace weft::bench
