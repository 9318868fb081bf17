// SPDX-License-Identifier: Apache-2.0
// Who calls a function, and whom it calls, as samples saw it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/profile.h"

namespace nettoll::tui {

struct Neighbour {
  uint32_t symbol = 0;  ///< index in the profile's symbols
  uint64_t samples = 0;
};

struct Neighbours {
  uint64_t samples = 0;            ///< with the function on their stack
  std::vector<Neighbour> callers;  ///< most samples first
  std::vector<Neighbour> callees;
};

/// From the samples of one event. Where a function is on a stack twice, its innermost place counts.
Neighbours neighbours_of(const Profile& profile, const Symbol& function, uint32_t event);

}  // namespace nettoll::tui
