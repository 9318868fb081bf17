// SPDX-License-Identifier: Apache-2.0
// Events that do not run, as a person reads of them.
#pragma once

#include <string>
#include <vector>

#include "model/event.h"

namespace nettoll {

/// Events that are missing for one reason; `names` are comma separated.
struct MissingGroup {
  std::string names;
  std::string reason;

  bool operator==(const MissingGroup&) const = default;
};

/// One group for each reason, in the order in which the reasons come first.
std::vector<MissingGroup> group_by_reason(const std::vector<MissingEvent>& missing);

}  // namespace nettoll
