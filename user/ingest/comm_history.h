// SPDX-License-Identifier: Apache-2.0
// How threads were named, by time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nettoll {

/// Names of threads as PERF_RECORD_COMM and _FORK tell them, in any order; then asked for by time.
class CommHistory {
 public:
  void name(uint64_t time, uint32_t tid, std::string_view comm) {
    const auto [place, is_new] = numbers_.emplace(std::string(comm), static_cast<uint32_t>(names_.size()));
    if (is_new) {
      names_.emplace_back(comm);
      memory_ += 2 * comm.size() + 150;
    }
    add({time, tid, 0, place->second});
  }
  void fork(uint64_t time, uint32_t tid, uint32_t parent) { add({time, tid, parent, kUnnamed}); }

  /// Puts the changes in order. Call once, then ask.
  void settle() {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    for (const Change& change : changes_) {
      const uint32_t name = change.parent != 0 ? name_now(change.parent) : change.name;
      history_[change.tid].push_back({change.time, name});
    }
    changes_ = {};
  }
  /// The name of a thread at a time; "" where none was recorded. The idle task is perf's "swapper".
  std::string_view name_at(uint32_t tid, uint64_t time) const {
    if (tid == 0) return "swapper";
    const auto found = history_.find(tid);
    if (found == history_.end()) return {};
    const auto& since = found->second;
    const auto after = std::upper_bound(since.begin(), since.end(), time,
                                        [](uint64_t t, const Since& s) { return t < s.time; });
    if (after == since.begin() || std::prev(after)->name == kUnnamed) return {};
    return names_[std::prev(after)->name];
  }
  /// Roughly what all of this takes.
  uint64_t memory_bytes() const { return memory_; }

 private:
  static constexpr uint32_t kUnnamed = UINT32_MAX;

  struct Change {
    uint64_t time;
    uint32_t tid;
    uint32_t parent;  ///< 0 for a new name
    uint32_t name;
  };
  struct Since {
    uint64_t time;
    uint32_t name;
  };

  void add(const Change& change) {
    changes_.push_back(change);
    memory_ += 2 * sizeof(Change) + 80;
  }
  uint32_t name_now(uint32_t tid) const {
    const auto found = history_.find(tid);
    return found == history_.end() ? kUnnamed : found->second.back().name;
  }

  std::map<std::string, uint32_t, std::less<>> numbers_;
  std::vector<std::string> names_;
  std::vector<Change> changes_;
  std::unordered_map<uint32_t, std::vector<Since>> history_;
  uint64_t memory_ = 0;
};

}  // namespace nettoll
