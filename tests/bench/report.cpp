// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <regex>
#include <sstream>

namespace weft::bench {
namespace {

/// How many times better than `other`.
Figure better(const Case& measured, const Figure& own, const Figure& other) {
  if (!own) return own;
  if (!other) return other;
  return measured.higherIsBetter ? *own / *other : *other / *own;
}

template <class... Values>
std::string text(const char* format, Values... values) {
  std::array<char, 256> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, values...);
  return buffer.data();
}

std::string cell(const char* format, const Figure& figure) {
  if (figure) return text(format, *figure);
  return figure.error() == Missing::Failed ? " failed |" : " - |";
}

std::string rule(size_t columns) {
  std::string line = "|";
  for (size_t i = 0; i < columns; ++i) line += "---|";
  return line + "\n";
}

bool hasTag(const Case& measured, const std::string& wanted) {
  std::istringstream words(measured.tags);
  for (std::string word; words >> word;)
    if (word == wanted) return true;
  return false;
}

/// In the order of their first use.
std::vector<std::string> allTags(const std::vector<Row>& rows) {
  std::vector<std::string> all;
  for (const Row& row : rows) {
    std::istringstream words(row.measured.tags);
    for (std::string word; words >> word;)
      if (std::ranges::find(all, word) == all.end()) all.push_back(word);
  }
  return all;
}

/// The geometric mean, with the number of cases, over those that `counts`.
template <class Counts>
std::string meanCell(const std::vector<Row>& rows, size_t platform, Counts counts) {
  double logarithms = 0;
  int count = 0;
  for (const Row& row : rows) {
    const Figure ratio = better(row.measured, row.figures[0], row.figures[platform]);
    if (!ratio || !counts(row.measured)) continue;
    logarithms += std::log(*ratio);
    ++count;
  }
  return count == 0 ? " - |" : text(" %.2fx (%d) |", std::exp(logarithms / count), count);
}

/// A line of means for each tag, and before them one for all kernels, in two columns for each
/// platform: the half to tune on and the one that is held out.
std::string meansOf(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  const std::vector<std::string> tags = allTags(rows);
  if (tags.empty() || platforms.size() < 2) return {};
  std::string table = "\n| " + platforms[0] + " is better, geometric mean (cases) |";
  for (size_t p = 1; p < platforms.size(); ++p)
    table += " " + platforms[p] + ", tuning half | " + platforms[p] + ", held-out half |";
  table += "\n" + rule(2 * platforms.size() - 1);
  const auto addLine = [&](const std::string& name, auto&& belongs) {
    table += "| " + name + " |";
    for (size_t p = 1; p < platforms.size(); ++p)
      for (const Half half : {Half::Tuning, Half::HeldOut})
        table += meanCell(rows, p, [&](const Case& measured) {
          return halfOf(measured) == half && belongs(measured);
        });
    table += "\n";
  };
  addLine("all kernels", [](const Case&) { return true; });
  for (const std::string& tag : tags)
    addLine(tag, [&](const Case& measured) { return hasTag(measured, tag); });
  return table;
}

/// The best figure of a platform among the cases that match.
Figure best(const std::vector<Row>& rows, const char* names, size_t platform) {
  const std::regex wanted(names);
  Figure found = std::unexpected(Missing::NotThere);
  for (const Row& row : rows) {
    if (!std::regex_search(row.measured.name, wanted) || !row.figures[platform]) continue;
    if (!found || *better(row.measured, row.figures[platform], found) > 1)
      found = row.figures[platform];
  }
  return found;
}

std::string relationsOf(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  std::string table;
  for (const Row& row : rows) {
    if (row.measured.relativeTo == nullptr) continue;
    if (table.empty()) {
      table = "\n| speed relative to the best of | |";
      for (const std::string& platform : platforms) table += " " + platform + " |";
      table += "\n" + rule(platforms.size() + 2);
    }
    std::string names;  // as in a regex, but for what anchors it and what would end a cell
    for (const char* c = row.measured.relativeTo; *c != 0; ++c)
      if (*c == '|')
        names += '/';
      else if (*c != '^' && *c != '$')
        names += *c;
    table += std::string("| ") + row.measured.name + " | " + names + " |";
    for (size_t p = 0; p < platforms.size(); ++p)
      table += cell(" %.2fx |",
                    better(row.measured, row.figures[p], best(rows, row.measured.relativeTo, p)));
    table += "\n";
  }
  return table;
}

}  // namespace

Figure median(const std::vector<Figure>& samples) {
  std::vector<double> values;
  for (const Figure& sample : samples) {
    if (!sample) return sample;
    values.push_back(*sample);
  }
  std::ranges::nth_element(values, values.begin() + static_cast<long>(values.size() / 2));
  return values[values.size() / 2];
}

std::string headerOf(const std::vector<std::string>& platforms) {
  std::string line = "| case | half | unit |";
  for (size_t p = 0; p < platforms.size(); ++p)
    line += " " + platforms[p] + (p == 0 ? " |" : " | " + platforms[0] + " is better by |");
  return line + "\n" + rule(platforms.size() * 2 + 2);
}

std::string lineOf(const Row& row) {
  const std::optional<Half> half = halfOf(row.measured);
  const char* const name = !half ? "" : *half == Half::Tuning ? "tuning" : "held out";
  std::string line =
      std::string("| ") + row.measured.name + " | " + name + " | " + row.measured.unit + " |";
  for (size_t p = 0; p < row.figures.size(); ++p) {
    line += cell(" %.4g |", row.figures[p]);
    if (p != 0) line += cell(" %.2fx |", better(row.measured, row.figures[0], row.figures[p]));
  }
  return line + "\n";
}

std::string summaryOf(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  return meansOf(platforms, rows) + relationsOf(platforms, rows);
}

}  // namespace weft::bench
