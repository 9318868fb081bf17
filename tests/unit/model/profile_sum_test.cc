// SPDX-License-Identifier: Apache-2.0
#include "model/profile_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Profile sum_of(const std::vector<Profile>& windows, size_t max_stacks = ProfileSum::kMaxStacks) {
  ProfileSum sum(max_stacks);
  for (const Profile& window : windows) sum.add(window);
  return sum.take();
}

/// Stacks by name with what was sampled in them, so that numbers do not matter.
using Sampled = std::tuple<std::string, uint32_t, std::vector<std::string>, uint32_t, uint64_t>;
std::vector<Sampled> sampled(const Profile& profile) {
  std::vector<Sampled> rows;
  for (const StackSamples& row : profile.samples) {
    std::vector<std::string> names;
    for (const uint32_t symbol : profile.stacks[row.stack]) names.push_back(profile.symbols[symbol].name);
    rows.emplace_back(profile.session.events[row.event].name, row.cpu, names, row.samples, row.period);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

TEST(ProfileSum, OneWindowIsItself) {
  ProfileBuilder window({"cycles"}, 2);
  window.sample(0, 1, {"a", "b"}, 3, 300).count(0, 1, 1000, 10, 5, 7.0).counted("f", 4);
  window.profile.wall_start_ns = 5;
  window.profile.packets = {{Path::rx, 0, 1, 2}};
  window.profile.drops = {{"NO_SOCKET", "core", "f", kVmlinux, "ipv4", "eth0", 1, 3}};
  window.profile.losses = {{LossKind::ring_full, "cycles", 2}};
  EXPECT_EQ(sum_of({window.profile}), window.profile);
}

TEST(ProfileSum, EndsWhenItsLastWindowDoesThoughTheClockWasSet) {
  ProfileBuilder first({"cycles"}, 1), second({"cycles"}, 1);
  first.profile.wall_start_ns = 5'000'000'000;
  first.profile.duration_ns = 1'000'000'000;
  second.profile.wall_start_ns = 90'000'000'000;  // 84 s later than it would be
  second.profile.duration_ns = 2'000'000'000;
  const Profile sum = sum_of({first.profile, second.profile});
  EXPECT_EQ(sum.duration_ns, 3'000'000'000u);
  EXPECT_EQ(sum.wall_start_ns, 89'000'000'000u);
}

TEST(ProfileSum, SamplesMeetByTheNamesOfTheirStack) {
  ProfileBuilder first({"cycles"}, 2);
  first.sample(0, 0, {"a", "b"}, 1, 10).sample(0, 0, {"b"}, 1, 1);
  ProfileBuilder second({"cycles"}, 2);
  second.sample(0, 0, {"b"}, 2, 20).sample(0, 0, {"a", "b"}, 3, 30).sample(0, 1, {"c"}, 1, 5);
  const Profile sum = sum_of({first.profile, second.profile});
  EXPECT_THAT(sampled(sum),
              ElementsAre(Sampled{"cycles", 0, {"a", "b"}, 4, 40}, Sampled{"cycles", 0, {"b"}, 3, 21},
                          Sampled{"cycles", 1, {"c"}, 1, 5}));
  EXPECT_EQ(sum.stacks.size(), 3u);
  EXPECT_EQ(sum.symbols.size(), 3u);
  EXPECT_EQ(sum.duration_ns, 2'000'000'000u);
}

TEST(ProfileSum, SymbolsOfOneNameInTwoModulesStayApart) {
  ProfileBuilder first({"cycles"}, 1);
  first.symbol("f", "one");
  first.sample(0, 0, {}, 0, 0);
  ProfileBuilder second({"cycles"}, 1);
  second.symbol("f", "two");
  EXPECT_THAT(sum_of({first.profile, second.profile}).symbols,
              ElementsAre(Symbol{"f", "one"}, Symbol{"f", "two"}));
}

TEST(ProfileSum, EventsMeetByName) {
  ProfileBuilder first({"cycles", "cpu-clock"}, 1);
  first.sample(0, 0, {"a"}, 1, 10).count(0, 0, 100);
  ProfileBuilder second({"cpu-clock", "cycles"}, 1);
  second.sample(1, 0, {"a"}, 1, 10).count(1, 0, 100);
  const Profile sum = sum_of({first.profile, second.profile});
  EXPECT_THAT(sampled(sum), ElementsAre(Sampled{"cycles", 0, {"a"}, 2, 20}));
  ASSERT_EQ(sum.counts.size(), 1u);
  EXPECT_EQ(sum.counts[0].value, 200u);
}

TEST(ProfileSum, EachWindowOfACountIsScaledByItsOwnTimes) {
  const struct {
    const char* what;
    std::vector<EventCount> windows;
    EventCount sum;
  } cases[] = {
      {"never shared", {{0, 0, 5, 10, 10, 0.0}, {0, 0, 7, 10, 10, 0.0}}, {0, 0, 12, 20, 20, 0.0}},
      {"more running than enabled is rounding", {{0, 0, 5, 10, 11, {}}}, {0, 0, 5, 10, 11, 0.0}},
      // 100 and 60 * 10/5 = 120 are 220, which 20/15 makes of 165. A count that was not shared has no error.
      {"shared in one window", {{0, 0, 100, 10, 10, 3.0}, {0, 0, 60, 10, 5, 4.0}}, {0, 0, 165, 20, 15, 4.0}},
      // 10 * 2 and 30 * 4 are 140, which 40/15 makes of 52.5. Errors 3 and 4 make 5.
      {"shared in both", {{0, 0, 10, 20, 10, 3.0}, {0, 0, 30, 20, 5, 4.0}}, {0, 0, 53, 40, 15, 5.0}},
      {"an error is not known", {{0, 0, 10, 20, 10, 3.0}, {0, 0, 10, 20, 10, {}}}, {0, 0, 20, 40, 20, {}}},
      // 50 * 2 in the second window; nothing stands for the first, and so the error is not known.
      {"no counter in one window", {{0, 0, 0, 10, 0, {}}, {0, 0, 50, 20, 10, 2.0}}, {0, 0, 33, 30, 10, {}}},
      {"never a counter", {{0, 0, 0, 10, 0, {}}, {0, 0, 0, 10, 0, {}}}, {0, 0, 0, 20, 0, {}}},
  };
  for (const auto& c : cases) {
    std::vector<Profile> windows;
    for (const EventCount& count : c.windows) {
      windows.push_back(ProfileBuilder({"cycles"}, 1).profile);
      windows.back().counts = {count};
    }
    EXPECT_THAT(sum_of(windows).counts, ElementsAre(c.sum)) << c.what;
  }
}

TEST(ProfileSum, RowsOfAKindAreAddedUp) {
  Profile window = ProfileBuilder({}, 2).profile;
  window.packets = {{Path::tx, 0, 1, 2}, {Path::rx, 1, 10, 20}};
  window.napi = {{{1, 2}, "eth0", 0, 8, 100, 1}, {{9, 2}, "eth0", 0, 2, 5, 0}};
  window.queues = {{{1, 2}, "eth0", -1, 3}, {{1, 2}, "eth0", 0, 4}};
  window.softirqs = {{3, 0, 7, 250}};
  window.drops = {{"NO_SOCKET", "core", "f", kVmlinux, "ipv4", "eth0", 1, 3},
                  {"NO_SOCKET", "core", "f", kVmlinux, "ipv4", "eth0", 2, 4},
                  {"NO_SOCKET", "core", "f", kVmlinux, "ipv4", "eth0", 2, 4, "kfree_skb"}};
  window.losses = {{LossKind::ring_full, "cycles", 2}};
  const Profile sum = sum_of({window, window});
  EXPECT_THAT(sum.packets, ElementsAre(PathPackets{Path::rx, 1, 20, 40}, PathPackets{Path::tx, 0, 2, 4}));
  EXPECT_THAT(sum.napi,
              ElementsAre(NapiPolls{{1, 2}, "eth0", 0, 16, 200, 2}, NapiPolls{{9, 2}, "eth0", 0, 4, 10, 0}));
  EXPECT_THAT(sum.queues,
              ElementsAre(QueuePackets{{1, 2}, "eth0", -1, 6}, QueuePackets{{1, 2}, "eth0", 0, 8}));
  EXPECT_THAT(sum.softirqs, ElementsAre(SoftirqTime{3, 0, 14, 500}));
  ASSERT_EQ(sum.drops.size(), 3u);  // neither namespaces nor helpers are one
  EXPECT_EQ(sum.drops[0].packets, 6u);
  EXPECT_EQ(sum.drops[2].packets, 8u);
  EXPECT_THAT(sum.losses, ElementsAre(Loss{LossKind::ring_full, "cycles", 4}));
}

TEST(ProfileSum, FunctionsMeetByNameAlsoWhereOneCame) {
  ProfileBuilder first({}, 2);
  first.counted("f", 1);
  ProfileBuilder second({}, 2);
  second.counted("new", 5);
  second.counted("f", 2).condition = "counted in a part of the window alone";
  second.profile.session.functions[1].denominator = false;
  const Profile sum = sum_of({first.profile, second.profile});
  ASSERT_EQ(sum.session.functions.size(), 2u);
  EXPECT_EQ(sum.session.functions[0].name, "f");
  EXPECT_FALSE(sum.session.functions[0].denominator);
  EXPECT_EQ(sum.session.functions[0].condition, "counted in a part of the window alone");
  EXPECT_THAT(sum.calls, ElementsAre(FunctionCalls{0, {3}, 0}, FunctionCalls{1, {5}, 0}));
}

TEST(ProfileSum, StacksPastTheLimitAreLostAndCounted) {
  ProfileBuilder window({"cycles"}, 1);
  window.sample(0, 0, {"a"}, 1, 10).sample(0, 0, {"b"}, 2, 20).sample(0, 0, {"c"}, 4, 40);
  const Profile sum = sum_of({window.profile, window.profile}, 1);
  EXPECT_THAT(sampled(sum), ElementsAre(Sampled{"cycles", 0, {"a"}, 2, 20}));
  EXPECT_THAT(sum.losses, ElementsAre(Loss{LossKind::stack_table, "cycles", 12}));
}

TEST(ProfileSum, TakingBeginsAnew) {
  ProfileSum sum;
  ProfileBuilder window({"cycles"}, 1);
  window.sample(0, 0, {"a"}, 1, 10).count(0, 0, 5, 10, 10, 0.0);
  sum.add(window.profile);
  sum.take();
  EXPECT_TRUE(sum.empty());
  EXPECT_THAT(sum.take().samples, IsEmpty());
  sum.add(window.profile);
  EXPECT_EQ(sum.take(), window.profile);
}

/// A second with a leaf on the receive path.
ProfileBuilder received(const std::string& leaf, uint32_t samples, uint64_t drops) {
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, {leaf, "ip_rcv", "net_rx_action"}, samples, samples * 10);
  builder.count(0, 0, samples * 10);
  builder.counted("ip_rcv", 100);
  builder.profile.packets = {{Path::rx, 0, 50, 60}};
  builder.profile.drops = {{"NO_SOCKET", "core", leaf, kVmlinux, "ipv4", "eth0", 1, drops}};
  return builder;
}

TEST(ProfileSum, CostsAreThoseOfBothWindows) {
  const Profile sum = sum_of({received("udp_rcv", 20, 3).profile, received("tcp_v4_rcv", 30, 4).profile});
  EXPECT_EQ(sum.duration_ns, 2'000'000'000u);
  const CostTable cost = correlate(sum);
  ASSERT_EQ(cost.functions.size(), 4u);
  for (const auto& function : cost.functions) {
    const double self = function.symbol.name == "udp_rcv"      ? 200
                        : function.symbol.name == "tcp_v4_rcv" ? 300
                                                               : 0;
    EXPECT_DOUBLE_EQ(function.self(0).value, self) << function.symbol.name;
    if (function.symbol.name != "ip_rcv") continue;
    EXPECT_DOUBLE_EQ(function.inclusive(0).value, 500);
    EXPECT_EQ(function.inclusive(0).samples, 50u);
    EXPECT_EQ(function.calls, 200u);
  }
  ASSERT_TRUE(cost.path(Path::rx));
  EXPECT_EQ(cost.path(Path::rx)->packets, 100u);
  EXPECT_EQ(cost.path(Path::rx)->segments, 120u);
}

TEST(ProfileSum, DropsOfOneKindAreOneRow) {
  const Profile sum = sum_of({received("udp_rcv", 20, 3).profile, received("udp_rcv", 20, 4).profile,
                              received("tcp_v4_rcv", 20, 5).profile});
  ASSERT_EQ(sum.drops.size(), 2u);
  // By function.
  EXPECT_EQ(sum.drops[0].packets, 5u);
  EXPECT_EQ(sum.drops[1].packets, 7u);
}

}  // namespace
}  // namespace nettoll
