// SPDX-License-Identifier: Apache-2.0
#include "ingest/address_spaces.h"

#include <algorithm>

namespace nettoll {
namespace {

/// Spaces that build on one another: an answer looks into each.
constexpr uint32_t kDeepest = 64;

bool same_code(const CodeMapping& a, const CodeMapping& b) {
  return a.file == b.file && a.start - a.file_offset == b.start - b.file_offset;
}

/// Takes a range out of mappings that do not overlap.
void cut(std::map<uint64_t, CodeMapping>& mappings, uint64_t start, uint64_t end) {
  auto it = mappings.upper_bound(start);
  if (it != mappings.begin()) --it;
  while (it != mappings.end() && it->second.start < end) {
    const CodeMapping old = it->second;
    if (old.end <= start) {
      ++it;
      continue;
    }
    it = mappings.erase(it);
    if (old.start < start) {
      CodeMapping before = old;
      before.end = start;
      mappings.emplace(before.start, before);
    }
    if (old.end > end) {
      CodeMapping behind = old;
      behind.start = end;
      behind.file_offset += end - old.start;
      mappings.emplace(behind.start, behind);
      break;
    }
  }
}

}  // namespace

uint32_t AddressSpaces::intern(std::string_view path, std::string_view build_id, bool symbol) {
  const auto [place, is_new] = file_numbers_.emplace(std::pair(std::string(path), std::string(build_id)),
                                                     static_cast<uint32_t>(files_.size()));
  if (is_new) {
    files_.push_back({std::string(path), std::string(build_id), symbol});
    memory_ += 2 * (path.size() + build_id.size()) + 200;
  }
  return place->second;
}

void AddressSpaces::set_build_id(std::string_view path, std::string_view build_id) {
  const auto found = file_numbers_.find(std::pair(std::string(path), std::string()));
  if (found != file_numbers_.end()) files_[found->second].build_id = build_id;
}

void AddressSpaces::map(uint64_t time, uint32_t pid, const CodeMapping& mapping) {
  if (mapping.start >= mapping.end) return;
  changes_.push_back({time, Change::Kind::map, pid, 0, mapping});
  memory_ += 2 * sizeof(Change) + 100;
}

void AddressSpaces::fork(uint64_t time, uint32_t pid, uint32_t parent) {
  if (pid == parent) return;  // a thread
  changes_.push_back({time, Change::Kind::fork, pid, parent, {}});
  memory_ += 2 * sizeof(Change) + 150;
}

void AddressSpaces::exec(uint64_t time, uint32_t pid) {
  changes_.push_back({time, Change::Kind::exec, pid, 0, {}});
  memory_ += 2 * sizeof(Change) + 150;
}

void AddressSpaces::settle() {
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const Change& a, const Change& b) { return a.time < b.time; });
  for (const Change& change : changes_) {
    switch (change.kind) {
      case Change::Kind::map:
        place(change.pid, change.time, change.mapping);
        break;
      case Change::Kind::fork:
        begin(change.pid, change.time, add_space(current(change.parent)));
        break;
      case Change::Kind::exec:
        // Until the call returns the stack still begins in the program before; the new one covers it piece by
        // piece.
        begin(change.pid, change.time, add_space(current(change.pid)));
        break;
    }
  }
  changes_ = {};
}

uint32_t AddressSpaces::add_space(uint32_t parent) {
  if (parent != 0 && spaces_[parent].own.empty()) parent = spaces_[parent].parent;
  const uint32_t depth = parent == 0 ? 0 : spaces_[parent].depth + 1;
  if (depth > kDeepest) {
    ++simplified_;
    return add_space(0);
  }
  spaces_.push_back({parent, depth, {}});
  return static_cast<uint32_t>(spaces_.size() - 1);
}

uint32_t AddressSpaces::current(uint32_t pid) {
  const auto found = history_.find(pid);
  return found == history_.end() ? 0 : found->second.back().space;
}

void AddressSpaces::begin(uint32_t pid, uint64_t time, uint32_t space) {
  history_[pid].push_back({time, space});
}

void AddressSpaces::place(uint32_t pid, uint64_t time, const CodeMapping& mapping) {
  uint32_t space = current(pid);
  if (space == 0) {
    space = add_space(0);
    // What was mapped when the recording began was there before it.
    begin(pid, 0, space);
  }
  auto& own = spaces_[space].own;
  auto next = own.upper_bound(mapping.start);
  if (next != own.begin()) {
    const CodeMapping& before = std::prev(next)->second;
    if (before.end > mapping.start) next = std::prev(next);
  }
  bool other = false;
  for (auto it = next; it != own.end() && it->second.start < mapping.end; ++it) {
    other = other || !same_code(it->second, mapping);
  }
  if (other && spaces_[space].depth < kDeepest) {
    // Other code takes the place: samples of before and after must not be mixed.
    space = add_space(space);
    begin(pid, time, space);
    spaces_[space].own.emplace(mapping.start, mapping);
    return;
  }
  if (other) ++simplified_;
  cut(own, mapping.start, mapping.end);
  own.emplace(mapping.start, mapping);
}

uint32_t AddressSpaces::space_of(uint32_t pid, uint64_t time) const {
  const auto found = history_.find(pid);
  if (found == history_.end()) return 0;
  const auto& since = found->second;
  const auto after = std::upper_bound(since.begin(), since.end(), time,
                                      [](uint64_t value, const Since& s) { return value < s.time; });
  return after == since.begin() ? 0 : std::prev(after)->space;
}

const CodeMapping* AddressSpaces::find(uint32_t space, uint64_t address) const {
  for (; space != 0; space = spaces_[space].parent) {
    const auto& own = spaces_[space].own;
    const auto above = own.upper_bound(address);
    if (above == own.begin()) continue;
    const CodeMapping& mapping = std::prev(above)->second;
    if (address < mapping.end) return &mapping;
  }
  return nullptr;
}

bool AddressSpaces::empty(uint32_t space) const {
  for (; space != 0; space = spaces_[space].parent) {
    if (!spaces_[space].own.empty()) return false;
  }
  return true;
}

}  // namespace nettoll
