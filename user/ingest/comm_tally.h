// SPDX-License-Identifier: Apache-2.0
// Samples summed by the name of their thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/foreign.h"

namespace nettoll {

/// Sums by (name, event). Memory follows the different names; what the names of a file of any size may take
/// is bounded, and what comes after goes to one row.
class CommTally {
 public:
  static constexpr size_t kMostNames = 4096;
  static constexpr const char* kOthers = "[other threads]";

  void add(std::string_view comm, uint32_t event, uint64_t period) {
    auto found = numbers_.find(comm);
    if (found == numbers_.end()) {
      if (numbers_.size() >= kMostNames && comm != kOthers) return add(kOthers, event, period);
      found = numbers_.emplace(std::string(comm), numbers_.size()).first;
      names_.push_back(found->first);
      sums_.emplace_back();
    }
    auto& sums = sums_[found->second];
    for (CommSamples& sum : sums) {
      if (sum.event != event) continue;
      ++sum.samples;
      sum.period += period;
      return;
    }
    sums.push_back({"", event, 1, period});
  }
  /// The rows, in order of first appearance.
  std::vector<CommSamples> rows() const {
    std::vector<CommSamples> rows;
    for (size_t name = 0; name < sums_.size(); ++name) {
      for (CommSamples row : sums_[name]) {
        row.comm = names_[name];
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::unordered_map<std::string, size_t, TextHash, std::equal_to<>> numbers_;
  std::vector<std::string> names_;
  std::vector<std::vector<CommSamples>> sums_;  ///< by name
};

}  // namespace nettoll
