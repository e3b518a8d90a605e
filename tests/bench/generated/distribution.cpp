// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "distribution.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace weft::bench::generated {
namespace {

constexpr size_t kWorst = 10;

template <class... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 128> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

std::string rule(size_t columns) {
  std::string line = "|";
  for (size_t i = 0; i < columns; ++i) line += "---|";
  return line + "\n";
}

std::string cell(const char* format, double scale, const Figure& figure) {
  if (figure) return text(format, *figure * scale);
  switch (figure.error()) {
    case Missing::Wrong:
      return " WRONG |";
    case Missing::Failed:
      return " failed |";
    case Missing::NotThere:
      break;
  }
  return " - |";
}

std::string familyOf(const Result& result) { return result.name.substr(0, result.name.find(':')); }

std::vector<double> ratios(const std::vector<Result>& results, size_t platform,
                           const std::string& family = {}) {
  std::vector<double> found;
  for (const Result& result : results)
    if (const Figure ratio = ratioOf(result, platform);
        ratio && (family.empty() || familyOf(result) == family))
      found.push_back(*ratio);
  return found;
}

std::string familiesTable(const std::vector<std::string>& platforms,
                          const std::vector<Result>& results) {
  std::string table = "\n| family, geometric mean (least) |";
  for (size_t p = 1; p < platforms.size(); ++p) table += " " + platforms[p] + " |";
  table += "\n" + rule(platforms.size());
  std::vector<std::string> families;
  for (const Result& result : results)
    if (std::ranges::find(families, familyOf(result)) == families.end())
      families.push_back(familyOf(result));
  for (const std::string& family : families) {
    table += "| " + family + " |";
    for (size_t p = 1; p < platforms.size(); ++p) {
      const Distribution all = distributionOf(ratios(results, p, family));
      table += all.count == 0 ? " - |" : text(" %.2fx (%.2fx) |", all.mean, all.deciles[0]);
    }
    table += "\n";
  }
  return table;
}

std::string worstTable(const std::vector<std::string>& platforms,
                       const std::vector<Result>& results) {
  std::string table = "\n| worst |";
  std::vector<std::vector<std::pair<double, std::string>>> worst(platforms.size());
  for (size_t p = 1; p < platforms.size(); ++p) {
    table += " " + platforms[p] + " |";
    for (const Result& result : results)
      if (const Figure ratio = ratioOf(result, p)) worst[p].emplace_back(*ratio, result.name);
    std::ranges::sort(worst[p]);
  }
  table += "\n" + rule(platforms.size());
  for (size_t place = 0; place < std::min(kWorst, results.size()); ++place) {
    table += "| " + std::to_string(place + 1) + " |";
    for (size_t p = 1; p < platforms.size(); ++p)
      table += place < worst[p].size()
                   ? text(" %.2fx ", worst[p][place].first) + worst[p][place].second + " |"
                   : " - |";
    table += "\n";
  }
  return table;
}

}  // namespace

Distribution distributionOf(std::vector<double> ratios) {
  Distribution all;
  all.count = ratios.size();
  if (ratios.empty()) return all;
  std::ranges::sort(ratios);
  double logarithms = 0, below1 = 0, below08 = 0;
  for (const double ratio : ratios) {
    logarithms += std::log(ratio);
    below1 += ratio < 1.0;
    below08 += ratio < 0.8;
  }
  const auto count = static_cast<double>(ratios.size());
  all.mean = std::exp(logarithms / count);
  all.percentBelow1 = 100 * below1 / count;
  all.percentBelow08 = 100 * below08 / count;
  for (size_t decile = 0; decile <= 10; ++decile) {
    const double place = (count - 1) * static_cast<double>(decile) / 10;
    const auto low = static_cast<size_t>(place);
    const size_t high = std::min(low + 1, ratios.size() - 1);
    all.deciles[decile] = std::lerp(ratios[low], ratios[high], place - static_cast<double>(low));
  }
  return all;
}

Figure ratioOf(const Result& result, size_t platform) {
  const Figure &own = result.seconds[0], &other = result.seconds[platform];
  if (!own) return own;
  if (!other) return other;
  return *other / *own;
}

std::string resultHeader(const std::vector<std::string>& platforms) {
  std::string line = "| kernel | " + platforms[0] + ", ms |";
  for (size_t p = 1; p < platforms.size(); ++p) line += " " + platforms[p] + " |";
  return line + "\n" + rule(platforms.size() + 1);
}

std::string resultLine(const Result& result) {
  std::string line = "| " + result.name + " |" + cell(" %.4g |", 1e3, result.seconds[0]);
  for (size_t p = 1; p < result.seconds.size(); ++p)
    line += cell(" %.2fx |", 1, ratioOf(result, p));
  return line + "\n";
}

std::string reportOf(const std::vector<std::string>& platforms,
                     const std::vector<Result>& results) {
  std::string table =
      "\n| " + platforms[0] +
      " against | kernels | geometric mean | least | 10% | 20% | 30% | 40% | 50% | 60% "
      "| 70% | 80% | 90% | most | below 1.0 | below 0.8 |\n" +
      rule(16);
  for (size_t p = 1; p < platforms.size(); ++p) {
    const Distribution all = distributionOf(ratios(results, p));
    table += "| " + platforms[p] + " | " + std::to_string(all.count) + text(" | %.2fx |", all.mean);
    for (const double decile : all.deciles) table += text(" %.2f |", decile);
    table += text(" %.0f%% | %.0f%% |\n", all.percentBelow1, all.percentBelow08);
  }
  return table + familiesTable(platforms, results) + worstTable(platforms, results);
}

}  // namespace weft::bench::generated
