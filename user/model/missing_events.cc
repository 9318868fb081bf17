// SPDX-License-Identifier: Apache-2.0
#include "model/missing_events.h"

#include <algorithm>

namespace nettoll {

std::vector<MissingGroup> group_by_reason(const std::vector<MissingEvent>& missing) {
  std::vector<MissingGroup> groups;
  for (const MissingEvent& event : missing) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const MissingGroup& group) { return group.reason == event.reason; });
    if (same == groups.end())
      groups.push_back({event.name, event.reason});
    else
      same->names += ", " + event.name;
  }
  return groups;
}

}  // namespace nettoll
