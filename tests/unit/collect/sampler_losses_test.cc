// SPDX-License-Identifier: Apache-2.0
#include "collect/sampler_losses.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(SampleLosses, NamesEachLossOnce) {
  Event clock, cycles;
  clock.name = "cpu-clock";
  cycles.name = "cycles";
  const std::vector<Event> events{clock, cycles};
  SampleLosses losses;
  std::vector<Loss> rows;
  losses.take(events, rows);
  EXPECT_TRUE(rows.empty());

  losses.ring_full(1, 3);
  losses.ring_full(1, 4);
  losses.ring_full_any(2);
  losses.throttled(0);
  losses.throttled(0);
  const uint64_t overflow[] = {0, 9};
  losses.stack_table(overflow);
  losses.unmatched();
  losses.take(events, rows);
  EXPECT_EQ(rows, (std::vector<Loss>{{LossKind::ring_full, "cycles", 7},
                                     {LossKind::throttled, "cpu-clock", 2},
                                     {LossKind::stack_table, "cycles", 9},
                                     {LossKind::ring_full, "all events", 2},
                                     {LossKind::unmatched_sample, "all events", 1}}));
  rows.clear();
  losses.take(events, rows);
  EXPECT_TRUE(rows.empty());
}

}  // namespace
}  // namespace nettoll
