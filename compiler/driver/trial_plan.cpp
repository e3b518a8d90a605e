// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/trial_plan.h"

#include <algorithm>

#include "base/byte_stream.h"
#include "base/tuning.h"
#include "ir/host_target.h"

namespace weft::compiler {

std::string TrialRecords::encode() const {
  std::string bytes;
  ByteWriter stream(bytes);
  for (const auto& record : *this) {
    stream(record.has_value());
    stream(record ? record->width : 0);
    stream(record ? record->report : std::string());
  }
  return bytes;
}

std::optional<TrialRecords> TrialRecords::decode(std::span<const std::byte> bytes) {
  ByteReader stream(bytes);
  TrialRecords records;
  for (auto& each : records) {
    bool isThere = false;
    TrialRecord record;
    stream(isThere);
    stream(record.width);
    stream(record.report);
    const bool isWidth =
        (record.width & (record.width - 1)) == 0 && record.width <= abi::kRowMultiple;
    if (!stream.good() || !isWidth) return std::nullopt;
    if (isThere) each = std::move(record);
  }
  return records;
}

bool mayTryWidths(const KernelInfo& kernel, const VariantKey& key) {
  // Relaxed arithmetic depends on the width, and sub-groups are what lanes are cut from.
  return key.form != Form::Fibers && key.width == 0 && !kernel.relaxedMath &&
         !kernel.usesSubGroups && !kernel.meetsInSubGroups;
}

std::vector<uint32_t> widthsToTry(const VariantKey& key) {
  std::vector<uint32_t> widths;
  const uint32_t row = key.knownSize(key.rowDimension);
  for (const uint32_t width : hostHas("+avx512f") ? tuning::trials::kWidths512
                              : hostHas("+avx2")  ? tuning::trials::kWidths256
                                                  : tuning::trials::kWidths128)
    if (row == 0 || width <= row) widths.push_back(width);
  return widths;
}

}  // namespace weft::compiler
