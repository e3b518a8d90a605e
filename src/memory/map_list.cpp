// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/map_list.h"

#include <algorithm>
#include <iterator>

namespace weft {

std::optional<MapList::Id> MapList::add(Owner owner, const ByteBox& bytes, bool forWriting) {
  if (forWriting && isWritten(bytes)) return std::nullopt;
  if (newest_) store(*newest_);
  newest_ = {.key = {owner, bytes.begin, ++last_}, .bytes = bytes, .forWriting = forWriting};
  return Id{bytes.begin, last_};
}

bool MapList::isWritten(const ByteBox& bytes) const noexcept {
  if (newest_ && newest_->forWriting && shareBytes(newest_->bytes, bytes)) return true;
  const auto shares = [&](const auto& written) { return shareBytes(written.second, bytes); };
  const std::byte* const end = bytes.end();
  // Of those without gaps the last one before the first that matters may reach into it.
  auto first = writtenRanges_.lower_bound(bytes.begin);
  if (first != writtenRanges_.begin()) --first;
  return std::any_of(first, writtenRanges_.lower_bound(end), shares) ||
         std::any_of(writtenBoxes_.begin(), writtenBoxes_.lower_bound(end), shares);
}

void MapList::store(const Map& map) {
  Written* const written = !map.forWriting        ? nullptr
                           : map.bytes.isPacked() ? &writtenRanges_
                                                  : &writtenBoxes_;
  const auto added = older_.emplace(map.key, written).first;
  try {
    if (written) written->emplace(map.key.begin, map.bytes);
  } catch (...) {
    older_.erase(added);
    throw;
  }
}

void MapList::erase(Older::iterator map) noexcept {
  if (map->second) map->second->erase(map->first.begin);
  older_.erase(map);
}

void MapList::remove(Owner owner, Id id) noexcept {
  const Key key{owner, id.begin, id.number};
  if (newest_ && newest_->key == key)
    newest_.reset();
  else if (const auto found = older_.find(key); found != older_.end())
    erase(found);
}

bool MapList::removeLast(Owner owner, const std::byte* begin) noexcept {
  const auto isOne = [&](const Key& key) { return key.owner == owner && key.begin == begin; };
  if (newest_ && isOne(newest_->key)) {
    newest_.reset();
    return true;
  }
  const auto after = older_.lower_bound({owner, begin, UINT64_MAX});
  if (after == older_.begin() || !isOne(std::prev(after)->first)) return false;
  erase(std::prev(after));
  return true;
}

void MapList::removeAll(Owner owner) noexcept {
  if (newest_ && newest_->key.owner == owner) newest_.reset();
  for (auto map = older_.lower_bound({owner, nullptr, 0});
       map != older_.end() && map->first.owner == owner;)
    erase(map++);
}

size_t MapList::count(Owner owner) const noexcept {
  size_t count = newest_ && newest_->key.owner == owner ? 1 : 0;
  for (auto map = older_.lower_bound({owner, nullptr, 0});
       map != older_.end() && map->first.owner == owner; ++map)
    ++count;
  return count;
}

}  // namespace weft
