// SPDX-License-Identifier: Apache-2.0
// What a performance engineer sees in a profile alone, ours or another tool's.
//
// Sight derives from stacks and their cost, once, which frames do which work (work.h). Each observation sums
// the stacks that it is about, gives the sum as a share of network or of kernel time with its error
// (share.h), and speaks where the error bar stays above its limit (limits.h). What makes the profile itself
// doubtful is observed too, and lowers the confidence of all findings that it may have led astray. Pure: no
// input or output, no clock.
#pragma once

#include <span>

#include "diagnose/observe/observation.h"
#include "model/finding.h"

namespace nettoll {

/// All observations, in the order of checks.
std::span<const Observation> observations();

/// `costs` are the stack_costs() of `profile`. Findings are sorted by severity, then as observations are;
/// those that rest on shares have a confidence. Every observation has a check.
Diagnosis observe(const Profile& profile, std::span<const StackCost> costs);

}  // namespace nettoll
