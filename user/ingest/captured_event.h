// SPDX-License-Identifier: Apache-2.0
// The events of a perf.data and what they say of its records.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/event.h"

namespace nettoll {

/// What is used of a perf_event_attr (perf_event_open(2)) of any size: fields that a small one lacks are 0,
/// what a large one has behind is not looked at.
struct CapturedAttr {
  uint32_t type = 0;
  uint32_t size = 0;
  uint64_t config = 0;
  uint64_t period_or_frequency = 0;
  uint64_t sample_type = 0;
  uint64_t read_format = 0;
  uint64_t flags = 0;  ///< bit n is AttrFlag n, whatever the byte order

  bool flag(unsigned bit) const { return flags >> bit & 1; }
  bool operator==(const CapturedAttr&) const = default;
};

/// The attr in the first bytes of `bytes`; nothing where that is shorter than the oldest attr (64 bytes).
std::optional<CapturedAttr> parse_attr(std::span<const uint8_t> bytes, std::endian order);

/// One event of a capture.
struct CapturedEvent {
  CapturedAttr attr;
  std::string name;  ///< as perf recorded it; "" where it did not
};

/// Events by the ids that records carry.
class EventTable {
 public:
  /// Adds an event; ids of an earlier one stay with that.
  void add(const CapturedAttr& attr, std::span<const uint64_t> ids);
  /// Names the event with one of these ids, or, where it has none, the event of that number. In pipes names
  /// come before their events, and wait for them.
  void name(std::span<const uint64_t> ids, std::optional<size_t> number, std::string_view name);

  const std::vector<CapturedEvent>& events() const { return events_; }
  bool empty() const { return events_.empty(); }
  /// The event with an id; nothing where there is none.
  std::optional<uint32_t> find(uint64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::vector<CapturedEvent> events_;
  std::unordered_map<uint64_t, uint32_t> by_id_;
  std::unordered_map<uint64_t, std::string> waiting_;           ///< names by id
  std::unordered_map<size_t, std::string> waiting_for_number_;  ///< of events without ids
};

/// Names of PMUs by the types that attrs have for them (HEADER_PMU_MAPPINGS).
using PmuNames = std::map<uint32_t, std::string>;

/// The event as reports show it. A name that was not recorded is made from type and config: "cycles", "r1c2",
/// or "cpu_atom/cycles/k" where the config says of which PMU of a hybrid CPU the event is. Such a PMU without
/// a name is "pmu10".
Event shown_event(const CapturedEvent& event, const PmuNames& pmus);

}  // namespace nettoll
