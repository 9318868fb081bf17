// SPDX-License-Identifier: Apache-2.0
// What of two windows may be compared, and what has to be said of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/cost_diff.h"
#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// One side of a comparison. Refers to what it was made of.
struct DiffInput {
  const Profile& profile;
  const CostTable& cost;
  std::string file;
};

/// An event of one meaning that both sides sampled.
struct CommonEvent {
  uint32_t a = 0;  ///< index in A's session
  uint32_t b = 0;
  std::string name;
};

/// Events that compare: equal in meaning, unit and scope (kernel or user mode), with samples on both sides
/// that weigh something. Why others do not is added to `notes`. The one that tells most of a cost comes
/// first: cycles, then cpu-clock, then as A has them.
std::vector<CommonEvent> common_events(const DiffInput& a, const DiffInput& b,
                                       std::vector<std::string>& notes);

/// Whether each of `events` has call chains on both sides or on none, so that paths, which are told by them,
/// compare. Adds to `notes` what is not compared for want of them.
bool chains_compare(const DiffInput& a, const DiffInput& b, const std::vector<CommonEvent>& events,
                    std::vector<std::string>& notes);

/// What costs are divided by.
struct DiffDivisors {
  DiffPer per = DiffPer::share;
  DiffPer totals_per = DiffPer::share;
  std::optional<Path> packet_path;
};

/// The wish, or the best that both sides have: packets, then seconds, then shares. A wish that a side cannot
/// meet is a usage error.
Result<DiffDivisors> choose_divisors(const DiffInput& a, const DiffInput& b, std::optional<DiffPer> wish);

/// Differences of hosts, kernels, set-ups and loads; what each side lost, and what the reader of another
/// tool's capture noted of it.
std::vector<std::string> notes_on_sides(const DiffInput& a, const DiffInput& b, const DiffDivisors& divisors);

DiffSide side_of(const DiffInput& side, const DiffDivisors& divisors);

/// The paths that are compared if none are asked for: the network's, or where neither side has any sample in
/// them by call chains, all that is work: neither idle time nor nettoll's own cost.
std::vector<Path> default_paths(const DiffInput& a, const DiffInput& b);

}  // namespace nettoll
