// SPDX-License-Identifier: Apache-2.0
// Decides what to do without, so that nettoll keeps within its budget of CPU time, and when to have it back.
// Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "collect/own_load.h"

namespace nettoll {

/// What may be decided.
struct ShedLimits {
  double budget = 1;           ///< part of all CPU time
  uint32_t most_halvings = 0;  ///< of the sampling rate
};

/// Hooks that are detached for now, and what they took of all CPU time for one packet a second.
struct ShedHooks {
  std::vector<uint32_t> rows;
  double share_a_packet = 0;

  bool operator==(const ShedHooks&) const = default;
};

/// What is shed, and what the next decision has to remember.
struct Shedding {
  uint32_t halvings = 0;         ///< of the sampling rate
  std::vector<ShedHooks> hooks;  ///< in the order in which they went
  bool exhausted = false;        ///< over the budget, with nothing left to shed

  bool settling = false;    ///< the next interval holds what the change itself took: it is not judged
  uint32_t calm = 0;        ///< intervals within the budget since it was last over, or last changed
  uint32_t patience = 0;    ///< how many of them it takes to have something back; 0: the fewest
  bool trial = false;       ///< something came back, and it is not known yet whether for good
  double peak_share = 0;    ///< highest load of the calm intervals
  double peak_packets = 0;  ///< and most packets a second

  bool full_detail() const { return halvings == 0 && hooks.empty(); }
};

/// Calm intervals before something is taken back: at first, and at most, which it comes to where what comes
/// back again and again does not stay.
inline constexpr uint32_t kFewestCalm = 4;
inline constexpr uint32_t kMostCalm = 128;
/// The part of the budget to get below when shedding, and to stay below with what comes back.
inline constexpr double kShedTo = 0.9;
inline constexpr double kRestoreTo = 0.75;

/// What to shed after an interval with `load`, in this order: the sampling rate is halved, again and again;
/// then hooks of functions go, the most expensive first. As much goes at once as is expected to do. It comes
/// back in the opposite order once the load was within the budget for a while and is expected to stay there;
/// what did not stay has to wait twice as long the next time.
Shedding decide_shedding(const OwnLoad& load, const ShedLimits& limits, Shedding state);

}  // namespace nettoll
