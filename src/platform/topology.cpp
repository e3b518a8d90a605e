// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/topology.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <tuple>

namespace weft::host {
namespace {

/// More CPUs than any Linux has; keeps a damaged list from filling the memory.
constexpr unsigned kMostCpus = 1 << 16;

std::string firstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<unsigned> takeNumber(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

std::optional<Domain> cacheDomain(const std::string& level) {
  if (level == "1") return Domain::L1;
  if (level == "2") return Domain::L2;
  if (level == "3") return Domain::L3;
  if (level == "4") return Domain::L4;
  return std::nullopt;
}

/// Places in the order of their CPUs, being filled.
class PlaceTable {
 public:
  PlaceTable(std::span<const unsigned> cpus, const std::string& root)
      : system_(root + "/sys/devices/system/") {
    for (const unsigned cpu : cpus) places_.push_back({.cpu = cpu});
    std::ranges::sort(places_, {}, &CpuPlace::cpu);
  }

  void readMemories() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(system_ + "node", error)) {
      const std::string file = entry.path().filename();
      std::string_view name = file;
      if (!name.starts_with("node")) continue;
      name.remove_prefix(4);
      if (!takeNumber(name) || !name.empty()) continue;
      share(Domain::Numa, parseCpuList(firstLine(entry.path().native() + "/cpulist")));
    }
  }

  void readCaches() {
    for (const CpuPlace& place : places_) {
      // Whoever shares the first-level cache shares all others, and was filled with it.
      if (place.in(Domain::L1) != CpuPlace::kNone) continue;
      const std::string folder = system_ + "cpu/cpu" + std::to_string(place.cpu) + "/cache/index";
      for (unsigned index = 0;; ++index) {
        const std::string cache = folder + std::to_string(index) + "/";
        const std::string type = firstLine(cache + "type");
        if (type.empty()) break;
        if (type == "Instruction") continue;
        if (const auto domain = cacheDomain(firstLine(cache + "level")))
          share(*domain, parseCpuList(firstLine(cache + "shared_cpu_list")));
      }
    }
  }

  std::vector<CpuPlace> take() && {
    std::ranges::sort(places_, {},
                      [](const CpuPlace& place) { return std::tuple(place.domains, place.cpu); });
    return std::move(places_);
  }

 private:
  void share(Domain domain, const std::vector<unsigned>& cpus) {
    for (const unsigned cpu : cpus) {
      const auto place = std::ranges::lower_bound(places_, cpu, {}, &CpuPlace::cpu);
      if (place == places_.end() || place->cpu != cpu) continue;
      place->domains[static_cast<size_t>(domain)] = cpus.front();
    }
  }

  const std::string system_;
  std::vector<CpuPlace> places_;
};

}  // namespace

std::vector<unsigned> parseCpuList(std::string_view text) {
  std::vector<unsigned> cpus;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view range = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto first = takeNumber(range);
    if (!first) continue;
    auto last = first;
    if (range.starts_with('-')) {
      range.remove_prefix(1);
      last = takeNumber(range);
    }
    if (!last || *last >= kMostCpus) continue;
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  std::ranges::sort(cpus);
  return cpus;
}

std::vector<CpuPlace> cpuPlaces(std::span<const unsigned> cpus, const std::string& root) {
  PlaceTable table(cpus, root);
  table.readMemories();
  table.readCaches();
  return std::move(table).take();
}

}  // namespace weft::host
