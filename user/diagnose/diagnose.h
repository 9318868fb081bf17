// SPDX-License-Identifier: Apache-2.0
// Diagnosis: from what a host's devices and kernel counted, and what was traced, to findings.
//
// Facts are derived once (facts.h), each device's bad spread gets one cause for its queues and one for its
// vectors (spread.h), and rules (rules.h) put what holds in words. Thresholds are in thresholds.h. Pure: no
// input or output, no clock.
#pragma once

#include <span>

#include "diagnose/rule.h"
#include "model/finding.h"
#include "model/host_state.h"

namespace nettoll {

/// All rules, in the order of checks.
std::span<const Rule> rules();

/// `window` holds differences of counters over its `seconds`; with none nothing is judged by it. `profile`
/// and `costs` are null where nothing was traced; indexes in them must be in range. Findings are sorted by
/// severity, then as rules are. Every rule has a check.
Diagnosis diagnose(const HostState& window, const Profile* profile, const CostTable* costs);

}  // namespace nettoll
