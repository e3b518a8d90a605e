// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/build_identity.h"

#include <elf.h>
#include <link.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <sys/stat.h>

#include <cstring>
#include <string_view>

#include "weft/support/once.h"

namespace weft::compiler {
namespace {

struct Search {
  uintptr_t address;  ///< within the module looked for
  std::string result;
};

bool contains(const dl_phdr_info& module, uintptr_t address) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uintptr_t begin = module.dlpi_addr + segment.p_vaddr;
    if (address >= begin && address - begin < segment.p_memsz) return true;
  }
  return false;
}

/// The build id among the notes of one segment, in hexadecimal; empty when there is none.
std::string findBuildId(const uint8_t* notes, size_t bytes) {
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const size_t nameBytes = (note.n_namesz + 3) & ~size_t{3};
    const size_t descBytes = (note.n_descsz + 3) & ~size_t{3};
    const size_t total = sizeof note + nameBytes + descBytes;
    if (total > bytes) break;
    const uint8_t* name = notes + sizeof note;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      return llvm::toHex(llvm::ArrayRef<uint8_t>(name + nameBytes, note.n_descsz));
    }
    notes += total;
    bytes -= total;
  }
  return {};
}

std::string fileStamp(const char* path) {
  struct stat info;
  // The main program has no name there.
  if (::stat(path && path[0] ? path : "/proc/self/exe", &info) != 0) return "unknown";
  return std::to_string(info.st_size) + "-" + std::to_string(info.st_mtim.tv_sec) + "-" +
         std::to_string(info.st_mtim.tv_nsec) + "-" + std::to_string(info.st_ino);
}

int visit(dl_phdr_info* module, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!contains(*module, search.address)) return 0;
  for (int i = 0; i < module->dlpi_phnum && search.result.empty(); ++i) {
    const ElfW(Phdr)& segment = module->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const uint8_t*>(module->dlpi_addr + segment.p_vaddr);
    search.result = findBuildId(notes, segment.p_memsz);
  }
  if (search.result.empty()) search.result = fileStamp(module->dlpi_name);
  return 1;
}

}  // namespace

const std::string& buildIdentity() {
  // Never destroyed: a build may still be under way when the process ends.
  static constinit Once<const std::string> identity;
  return identity.get([] {
    Search search{reinterpret_cast<uintptr_t>(&findBuildId), {}};
    ::dl_iterate_phdr(visit, &search);
    return new std::string(search.result);
  });
}

}  // namespace weft::compiler
