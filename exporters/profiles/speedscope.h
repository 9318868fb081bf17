// SPDX-License-Identifier: Apache-2.0
// The JSON that https://www.speedscope.app reads.
#pragma once

#include <cstdint>
#include <span>

#include "base/byte_sink.h"
#include "model/named_stacks.h"
#include "model/profile.h"

namespace nettoll {

/// Writes one profile of type "sampled" for each of `events` (places in the session's list), over a shared
/// table of frames. Weights are whole and add up to the event's total (see WholeWeights).
Status write_speedscope(const Profile& profile, const NamedStacks& costs, std::span<const uint32_t> events,
                        ByteSink& sink);

}  // namespace nettoll
