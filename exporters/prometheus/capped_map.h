// SPDX-License-Identifier: Apache-2.0
// A map from label values to totals that stops growing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

namespace nettoll::exporter {

/// The label value that stands for everything past the cap.
inline constexpr const char* kOther = "other";

/// Distinct sets of N label values that found no room.
template <size_t N>
class RefusedLabels {
 public:
  using Labels = std::array<std::string, N>;
  /// Told apart up to this many (by a 64-bit hash, 8 bytes each and the set's overhead).
  static constexpr size_t kLimit = 4096;

  void add(const Labels& labels) {
    if (hashes_.size() < kLimit) hashes_.insert(hash(labels));
  }
  /// Stays at kLimit when there are more.
  uint64_t count() const { return hashes_.size(); }

 private:
  static uint64_t hash(const Labels& labels) {
    uint64_t sum = 0;
    for (const auto& value : labels) {
      // boost::hash_combine's step, so that the order of the values matters.
      sum ^= std::hash<std::string>{}(value) + 0x9e3779b97f4a7c15ULL + (sum << 6) + (sum >> 2);
    }
    return sum;
  }

  std::unordered_set<uint64_t> hashes_;
};

/// Totals by the N label values of their series. Since label values are the key, two things that render alike
/// are one series by construction. Once admitted a key stays; keys that come after the cap share the entry
/// `other`, and are counted. Memory is bounded by the cap, the number of different `other` keys and
/// RefusedLabels::kLimit.
template <size_t N, typename Value>
class CappedMap {
 public:
  using Labels = std::array<std::string, N>;
  static constexpr size_t kRefusedLimit = RefusedLabels<N>::kLimit;

  explicit CappedMap(size_t limit) : limit_(limit) {}

  /// The entry of `key`, made if there is room, else that of `other`.
  Value& at(Labels key, const Labels& other) {
    if (const auto found = entries_.find(key); found != entries_.end()) return found->second;
    if (admitted_ < limit_) {
      ++admitted_;
      return entries_[std::move(key)];
    }
    refused_.add(key);
    return entries_[other];
  }

  const Value* find(const Labels& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }
  /// Distinct keys that found no room; stays at kRefusedLimit when there are more.
  uint64_t refused() const { return refused_.count(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  size_t limit_;
  size_t admitted_ = 0;
  std::map<Labels, Value> entries_;
  RefusedLabels<N> refused_;
};

}  // namespace nettoll::exporter
