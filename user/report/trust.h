// SPDX-License-Identifier: Apache-2.0
// Whether the percentages of a report can be trusted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/cost_table.h"
#include "model/profile.h"

namespace nettoll {

/// How far percentages hold: as shown; their order, not their last digits; not at all.
enum class Trust : uint8_t { good, fair, poor };

std::string_view name_of(Trust trust);

/// What the judgement rests on.
struct SamplingFacts {
  struct OfEvent {
    std::string name;
    uint64_t samples = 0;
    double unsampled = 0;  ///< the part of what was counted that went by without a sample
  };
  std::vector<OfEvent> events;  ///< that ran
  uint64_t lost = 0;            ///< samples that found no room, or could not be read
  uint64_t left_out = 0;        ///< samples that filters left out; those that were lost might be of them
  uint64_t throttled = 0;       ///< times that the kernel stopped an event
  uint64_t duration_ns = 0;     ///< in which it was throttled; 0 where unknown
  uint32_t cpus = 0;            ///< 0 where unknown
  Ending ending = Ending::whole;
};

SamplingFacts sampling_facts(const Profile& profile, const CostTable& cost);

struct Verdict {
  Trust trust = Trust::good;
  /// Why, the worst first; a person's sentence each.
  std::vector<std::string> reasons;
};

/// Below 1% a loss does not change what is shown, from 10% on it may change the order: samples are lost where
/// most happens, so what is lost is not like what is left. Being throttled counts as the longest time that it
/// can last, a tick of 10 ms (kernel/events/core.c, perf_event_task_tick(); HZ is 100 at least). An event
/// with fewer than 1,000 samples gives a share of 10% an error of over a tenth, with fewer than 100 of over a
/// third. Of a capture that was cut nobody knows how much is missing; in one that was damaged what is there
/// may be wrong as well.
Verdict judge_sampling(const SamplingFacts& facts);

}  // namespace nettoll
