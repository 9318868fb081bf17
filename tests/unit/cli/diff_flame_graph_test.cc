// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_flame_graph.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "correlate/correlate.h"
#include "correlate/diff.h"
#include "fakes/profile_builder.h"
#include "fakes/string_sink.h"

namespace nettoll {
namespace {

using nlohmann::json;

/// A receive path that costs `cost`, `packets` packets, idle time, and a function of `name`.
Profile profile(uint64_t cost, uint64_t packets, const std::string& name) {
  ProfileBuilder builder({"page-faults", "cpu-clock"}, 1);
  builder.sample(0, 0, {"memcpy", "net_rx_action"}, 20, 20);
  builder.sample(1, 0, {name, "net_rx_action"}, 20, cost).sample(1, 0, {"default_idle"}, 20, 5000);
  if (packets > 0) builder.profile.packets.push_back({Path::rx, 0, packets, packets});
  return std::move(builder.profile);
}

struct Sides {
  Sides(Profile one, Profile other, DiffOptions options = {})
      : a(std::move(one)), b(std::move(other)), diff(*diff_costs(input_a, input_b, options)) {}
  Profile a, b;
  CostTable cost_a = correlate(a), cost_b = correlate(b);
  DiffInput input_a{a, cost_a, "old.data"}, input_b{b, cost_b, "new.data"};
  CostDiff diff;
};

json data_of(const Sides& sides) {
  StringSink sink;
  EXPECT_TRUE(write_flame_graph(sides.diff, sides.input_a, sides.input_b, sink));
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const size_t from = sink.text.find(begin) + begin.size();
  return json::parse(sink.text.substr(from, sink.text.find("</script", from) - from));
}

TEST(DiffFlameGraph, DividesByThePacketsThatDiffDividesBy) {
  const json data = data_of(Sides(profile(1000, 10, "f"), profile(3000, 20, "f")));
  EXPECT_EQ(data["event"], "cpu-clock");
  EXPECT_EQ(data["per"], "rx packet");
  EXPECT_EQ(data["beforeDivisor"], 10);
  EXPECT_EQ(data["divisor"], 20);
  EXPECT_EQ(data["beforeAbout"][0], "old.data");
  EXPECT_EQ(data["about"][0], "new.data");
}

TEST(DiffFlameGraph, DividesBySecondsOrByAllTime) {
  EXPECT_EQ(data_of(Sides(profile(1000, 0, "f"), profile(3000, 0, "f")))["per"], "second");
  const json share = data_of(Sides(profile(1000, 10, "f"), profile(3000, 10, "f"), {DiffPer::share, {}, {}}));
  EXPECT_EQ(share["per"], "");
  // Idle time is a part of all, though not shown.
  EXPECT_EQ(share["beforeDivisor"], 6000);
  EXPECT_EQ(share["divisor"], 8000);
}

TEST(DiffFlameGraph, ShowsTheComparedPathsAloneAndSaysSo) {
  const json data = data_of(Sides(profile(1000, 10, "f"), profile(3000, 10, "f")));
  EXPECT_EQ(data["symbols"],
            json::parse(R"([["f", "vmlinux", "kernel", ""], ["net_rx_action", "vmlinux", "kernel", "rx"]])"));
  EXPECT_EQ(data["total"], 3000);
  EXPECT_EQ(data["beforeTotal"], 1000);
  EXPECT_EQ(data["notes"][0], "only costs in these paths are shown: rx, tx, send, receive, timer");
}

TEST(DiffFlameGraph, MatchesFunctionsAsDiffDoes) {
  const json data = data_of(Sides(profile(1000, 10, "f.isra.0"), profile(3000, 10, "f.isra.1")));
  EXPECT_EQ(data["symbols"][0][0], "f.isra.1");
  EXPECT_EQ(data["inclusive"], json({3000, 3000}));
  EXPECT_EQ(data["beforeInclusive"], json({1000, 1000}));
  EXPECT_EQ(data["notes"].back(), "1 functions have another suffix of the compiler, or another module, in B");
}

TEST(DiffFlameGraph, FailsWithoutACommonEvent) {
  const Sides sides(ProfileBuilder({"cycles"}, 1).profile, ProfileBuilder({"faults"}, 1).profile);
  StringSink sink;
  EXPECT_FALSE(write_flame_graph(sides.diff, sides.input_a, sides.input_b, sink));
  EXPECT_EQ(sink.text, "");
}

}  // namespace
}  // namespace nettoll
