// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/map_list.h"

#include <iterator>

namespace weft {

std::optional<MapList::Id> MapList::add(Owner owner, const std::byte* begin, const std::byte* end,
                                        bool forWriting) {
  if (forWriting && isWritten(begin, end)) return std::nullopt;
  if (newest_) store(*newest_);
  newest_ = {.key = {owner, begin, ++last_}, .end = end, .forWriting = forWriting};
  return Id{begin, last_};
}

bool MapList::isWritten(const std::byte* begin, const std::byte* end) const noexcept {
  if (newest_ && newest_->forWriting && begin < newest_->end && newest_->key.begin < end)
    return true;
  const auto after = written_.lower_bound(end);
  return after != written_.begin() && begin < std::prev(after)->second;
}

void MapList::store(const Map& map) {
  const auto added = older_.emplace(map.key, map.forWriting).first;
  try {
    if (map.forWriting) written_.emplace(map.key.begin, map.end);
  } catch (...) {
    older_.erase(added);
    throw;
  }
}

void MapList::erase(Older::iterator map) noexcept {
  if (map->second) written_.erase(map->first.begin);
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
