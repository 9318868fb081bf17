// SPDX-License-Identifier: Apache-2.0
// The events that every kernel names by itself: generic hardware, cache and software events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nettoll {

/// One event of the enums in linux/perf_event.h.
struct GenericEvent {
  std::string name;     ///< the first spelling in perf-list(1)
  uint32_t type = 0;    ///< PERF_TYPE_HARDWARE, _HW_CACHE or _SOFTWARE
  uint64_t config = 0;  ///< perf_hw_id, perf_sw_ids, or cache | op << 8 | result << 16

  bool operator==(const GenericEvent&) const = default;
};

/// The event with this name or other spelling, in any case; empty if there is none.
std::optional<GenericEvent> find_generic_event(std::string_view name);

/// The name of every generic event, in perf-list's order.
std::vector<std::string> generic_event_names();

}  // namespace nettoll
