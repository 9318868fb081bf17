// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_losses.h"

#include <algorithm>

namespace nettoll {
namespace {

void add(std::vector<uint64_t>& counts, size_t event, uint64_t count) {
  if (counts.size() <= event) counts.resize(event + 1);
  counts[event] += count;
}

}  // namespace

void SampleLosses::ring_full(uint32_t event, uint64_t count) {
  add(ring_full_, event, count);
}

void SampleLosses::throttled(uint32_t event) {
  add(throttled_, event, 1);
}

void SampleLosses::stack_table(std::span<const uint64_t> by_event) {
  for (size_t event = 0; event < by_event.size(); ++event) add(stack_table_, event, by_event[event]);
}

void SampleLosses::take(std::span<const Event> events, std::vector<Loss>& losses) {
  const auto put = [&](LossKind kind, std::vector<uint64_t>& counts) {
    for (size_t event = 0; event < std::min(counts.size(), events.size()); ++event) {
      if (counts[event] != 0) losses.push_back({kind, events[event].name, counts[event]});
    }
    counts.clear();
  };
  put(LossKind::ring_full, ring_full_);
  put(LossKind::throttled, throttled_);
  put(LossKind::stack_table, stack_table_);
  if (any_ != 0) losses.push_back({LossKind::ring_full, "all events", any_});
  if (unmatched_ != 0) losses.push_back({LossKind::unmatched_sample, "all events", unmatched_});
  any_ = unmatched_ = 0;
}

}  // namespace nettoll
