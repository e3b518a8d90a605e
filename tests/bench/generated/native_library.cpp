// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "dialects.h"

namespace weft::bench::generated {
namespace {

std::string functionName(const Program& program) {
  std::string name = "weft_" + program.name();
  for (char& c : name)
    if (c == ':' || c == '-') c = '_';
  return name;
}

}  // namespace

void compileNative(std::span<const Program> programs, const std::string& library,
                   const std::string& machine) {
  const std::string source = library + ".cpp", messages = library + ".log";
  std::ofstream file(source);
  file << kCpp;
  for (const Program& program : programs) file << program.nativeSource(functionName(program));
  file.close();
  const std::string command =
      std::string(WEFT_BENCH_CLANG) + " -std=c++20 -O3 -march=" + machine +
      " -mprefer-vector-width=512 -fopenmp-simd -fwrapv -fno-math-errno "
      "-fveclib=libmvec -ffp-contract=on -fno-trapping-math -ffinite-math-only -fno-signed-zeros"
      " -w -shared -fPIC '" +
      source + "' -o '" + library + "' -Wl,--no-as-needed -lmvec -lm 2> '" + messages + "'";
  if (std::system(command.c_str()) == 0) return;
  std::stringstream text;
  text << std::ifstream(messages).rdbuf();
  throw std::runtime_error("plain C++ does not compile:\n" + text.str());
}

NativeLibrary::NativeLibrary(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW)) {
  if (handle_ == nullptr) throw std::runtime_error(dlerror());
}

NativeLibrary::~NativeLibrary() { dlclose(handle_); }

NativeFunction NativeLibrary::function(const Program& program) const {
  void* const found = dlsym(handle_, functionName(program).c_str());
  if (found == nullptr) throw std::runtime_error("no plain C++ for " + program.name());
  return reinterpret_cast<NativeFunction>(found);
}

}  // namespace weft::bench::generated
