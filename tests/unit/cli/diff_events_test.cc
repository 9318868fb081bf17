// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "correlate/diff.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

/// What is left of a comparison of profiles with these events: names, or the error's text.
std::vector<std::string> kept(const std::vector<std::string>& in_a, const std::vector<std::string>& in_b,
                              const std::vector<std::string>& names) {
  const auto profile = [](const std::vector<std::string>& events) {
    ProfileBuilder builder(events, 1);
    for (uint32_t i = 0; i < events.size(); ++i) builder.sample(i, 0, {"f"}, 20, 100);
    return std::move(builder.profile);
  };
  const Profile a = profile(in_a), b = profile(in_b);
  const CostTable cost_a = correlate(a), cost_b = correlate(b);
  const DiffInput input{a, cost_a, "a"};
  auto diff = diff_costs(input, {b, cost_b, "b"}, {});
  EXPECT_TRUE(diff);
  const auto status = keep_events(*diff, input, names);
  if (!status) return {status.error().text()};
  std::vector<std::string> left;
  for (const EventDiff& event : diff->events) left.push_back(event.name);
  return left;
}

TEST(DiffEvents, AllWhereNoneIsNamed) {
  EXPECT_THAT(kept({"page-faults", "cycles:k"}, {"cycles:k", "page-faults"}, {}),
              ElementsAre("cycles", "page-faults"));
}

TEST(DiffEvents, TheNamedOnesInTheirOrder) {
  EXPECT_THAT(
      kept({"cpu-clock", "cycles:k", "faults"}, {"faults", "cycles:k", "cpu-clock"}, {"faults,cycles"}),
      ElementsAre("faults", "cycles"));
}

TEST(DiffEvents, RefusesOthers) {
  EXPECT_THAT(kept({"cycles", "faults"}, {"cycles"}, {"faults"}),
              ElementsAre("A and B did not both sample faults alike; they compare by cycles"));
  EXPECT_THAT(kept({"cycles"}, {"faults"}, {"cycles"}),
              ElementsAre("A and B did not both sample cycles alike; they have no event in common"));
  EXPECT_THAT(kept({"cycles"}, {"cycles"}, {"faults"}),
              ElementsAre("there is no event 'faults'; there is cycles"));
}

}  // namespace
}  // namespace nettoll
