// SPDX-License-Identifier: Apache-2.0
// A profile cut down to some of its samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/profile.h"

namespace nettoll {

/// Which samples are wanted; what is empty asks for nothing.
struct SampleSelection {
  std::vector<Path> paths;     ///< one of these
  std::string function;        ///< a function of this name on the stack
  std::vector<uint32_t> cpus;  ///< one of these

  bool any() const { return !paths.empty() || !function.empty() || !cpus.empty(); }
};

/// Keeps the samples that match all of it, each with its weight in the whole: the sum of its periods, scaled
/// to what was counted on its CPU. What cannot be divided as samples can goes: counts, calls, packets, NAPI,
/// queues, softirqs, drops, exact costs, and what is said of code without names. Losses stay: they are of the
/// whole. Works on its own data alone; a profile of no matching sample keeps its events, with none.
Profile select_samples(Profile profile, const SampleSelection& selection);

}  // namespace nettoll
