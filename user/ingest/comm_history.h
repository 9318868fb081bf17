// SPDX-License-Identifier: Apache-2.0
// How threads were named, by time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace nettoll {

/// Names of threads as PERF_RECORD_COMM and _FORK tell them, in any order; then asked for by time. Knows of
/// one name only whether a thread had it, which is what a filter asks.
class CommHistory {
 public:
  explicit CommHistory(std::string wanted) : wanted_(std::move(wanted)) {}

  void name(uint64_t time, uint32_t tid, std::string_view comm) {
    changes_.push_back({time, tid, 0, comm == wanted_});
  }
  void fork(uint64_t time, uint32_t tid, uint32_t parent) { changes_.push_back({time, tid, parent, false}); }

  /// Puts the changes in order. Call once, then ask.
  void settle() {
    std::stable_sort(changes_.begin(), changes_.end(),
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    for (const Change& change : changes_) {
      const bool matches = change.parent != 0 ? matches_now(change.parent) : change.matches;
      history_[change.tid].push_back({change.time, matches});
    }
    changes_ = {};
  }
  /// Whether the thread had the name at a time.
  bool matches(uint32_t tid, uint64_t time) const {
    const auto found = history_.find(tid);
    if (found == history_.end()) return false;
    const auto& since = found->second;
    const auto after = std::upper_bound(since.begin(), since.end(), time,
                                        [](uint64_t t, const Since& s) { return t < s.time; });
    return after != since.begin() && std::prev(after)->matches;
  }

 private:
  struct Change {
    uint64_t time;
    uint32_t tid;
    uint32_t parent;  ///< 0 for a new name
    bool matches;
  };
  struct Since {
    uint64_t time;
    bool matches;
  };

  bool matches_now(uint32_t tid) const {
    const auto found = history_.find(tid);
    return found != history_.end() && found->second.back().matches;
  }

  std::string wanted_;
  std::vector<Change> changes_;
  std::unordered_map<uint32_t, std::vector<Since>> history_;
};

}  // namespace nettoll
