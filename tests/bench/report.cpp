// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include <algorithm>
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

void printCell(const char* format, const Figure& figure) {
  if (figure) {
    std::printf(format, *figure);
  } else {
    std::fputs(figure.error() == Missing::Failed ? " failed |" : " - |", stdout);
  }
}

void printRule(size_t columns) {
  std::printf("|");
  for (size_t i = 0; i < columns; ++i) std::printf("---|");
  std::printf("\n");
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

void printMeans(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  const std::vector<std::string> tags = allTags(rows);
  if (tags.empty() || platforms.size() < 2) return;
  std::printf("\n| %s is better, geometric mean (cases) |", platforms[0].c_str());
  for (size_t p = 1; p < platforms.size(); ++p) std::printf(" %s |", platforms[p].c_str());
  std::printf("\n");
  printRule(platforms.size());
  for (const std::string& tag : tags) {
    std::printf("| %s |", tag.c_str());
    for (size_t p = 1; p < platforms.size(); ++p) {
      double logarithms = 0;
      int count = 0;
      for (const Row& row : rows) {
        const Figure ratio = better(row.measured, row.figures[0], row.figures[p]);
        if (!ratio || !hasTag(row.measured, tag)) continue;
        logarithms += std::log(*ratio);
        ++count;
      }
      count == 0 ? std::printf(" - |")
                 : std::printf(" %.2fx (%d) |", std::exp(logarithms / count), count);
    }
    std::printf("\n");
  }
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

void printRelations(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  bool headed = false;
  for (const Row& row : rows) {
    if (row.measured.relativeTo == nullptr) continue;
    if (!headed) {
      std::printf("\n| speed relative to the best of | |");
      for (const std::string& platform : platforms) std::printf(" %s |", platform.c_str());
      std::printf("\n");
      printRule(platforms.size() + 2);
      headed = true;
    }
    std::string names;  // as in a regex, but for what anchors it and what would end a cell
    for (const char* c = row.measured.relativeTo; *c != 0; ++c)
      if (*c == '|')
        names += '/';
      else if (*c != '^' && *c != '$')
        names += *c;
    std::printf("| %s | %s |", row.measured.name, names.c_str());
    for (size_t p = 0; p < platforms.size(); ++p)
      printCell(" %.2fx |",
                better(row.measured, row.figures[p], best(rows, row.measured.relativeTo, p)));
    std::printf("\n");
  }
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

void printHeader(const std::vector<std::string>& platforms) {
  std::printf("| case | unit |");
  for (size_t p = 0; p < platforms.size(); ++p)
    std::printf(p == 0 ? " %s |" : " %s | Weft is better by |", platforms[p].c_str());
  std::printf("\n");
  printRule(platforms.size() * 2 + 1);
}

void printRow(const Row& row) {
  std::printf("| %s | %s |", row.measured.name, row.measured.unit);
  for (size_t p = 0; p < row.figures.size(); ++p) {
    printCell(" %.4g |", row.figures[p]);
    if (p != 0) printCell(" %.2fx |", better(row.measured, row.figures[0], row.figures[p]));
  }
  std::printf("\n");
  std::fflush(stdout);
}

void printSummary(const std::vector<std::string>& platforms, const std::vector<Row>& rows) {
  printMeans(platforms, rows);
  printRelations(platforms, rows);
}

}  // namespace weft::bench
