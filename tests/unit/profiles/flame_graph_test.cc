// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/flame_graph.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <regex>

#include "fakes/string_sink.h"
#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

using nlohmann::json;

std::string page_of(const Joined& joined, uint32_t event, size_t most = kMostFlameGraphFrames) {
  StringSink sink;
  EXPECT_TRUE(write_flame_graph(FlameGraphInput{joined.profile, joined.stacks, event}, sink, most));
  return sink.text;
}

/// What a browser finds in the element of the data: all up to the first end of a script.
json data_of(const std::string& page) {
  const std::string begin = "<script id=\"data\" type=\"application/json\">";
  const size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script", from) - from));
}

TEST(FlameGraph, HoldsTheTree) {
  const json data = data_of(page_of(Joined(small_profile()), 0));
  EXPECT_EQ(data["event"], "cpu-clock");
  EXPECT_EQ(data["unit"], "ns");
  EXPECT_EQ(data["total"], 60);
  EXPECT_EQ(data["symbols"], json::parse(R"([["</script><img src=x>\";,'\n€\ufffd", "veth", "module", ""],
      ["memcpy", "vmlinux", "kernel", ""], ["net_rx_action", "vmlinux", "kernel", "rx"]])"));
  EXPECT_EQ(data["symbol"], json({0, 2, 1}));
  EXPECT_EQ(data["depth"], json({0, 0, 1}));
  EXPECT_EQ(data["self"], json({20, 10, 30}));
  EXPECT_EQ(data["inclusive"], json({20, 40, 30}));
  EXPECT_EQ(data["samples"], json({2, 4, 3}));
  EXPECT_EQ(data["about"], json({"box, kernel 6.1.0 x86_64", "1.0 s"}));
  EXPECT_FALSE(data.contains("beforeTotal"));
}

TEST(FlameGraph, TellsCodeWithoutANameByItsModule) {
  ProfileBuilder builder({"cycles"}, 1);
  sample_unnamed(builder.profile, "/lib/libc.so.6", SymbolKind::user, 10);
  sample_unnamed(builder.profile, kVmlinux, SymbolKind::kernel, 30);
  EXPECT_EQ(
      data_of(page_of(Joined(std::move(builder.profile)), 0))["symbols"],
      json::parse(
          R"([["[libc.so.6]", "/lib/libc.so.6", "user", ""], ["[vmlinux]", "vmlinux", "kernel", ""]])"));
}

TEST(FlameGraph, NoNameBreaksOut) {
  const std::string page = page_of(Joined(small_profile()), 0);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  // One end for each of the page's two scripts.
  const std::regex end("</script");
  EXPECT_EQ(std::distance(std::sregex_iterator(page.begin(), page.end(), end), std::sregex_iterator()), 2);
}

TEST(FlameGraph, LoadsNothing) {
  ProfileBuilder builder({"cycles"}, 1);
  builder.sample(0, 0, {"a"}, 1, 10);
  const std::string page = page_of(Joined(std::move(builder.profile)), 0);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_FALSE(std::regex_search(page, std::regex("https?:|src=|@import|url\\(|fetch\\(|XMLHttp|innerHTML")));
}

TEST(FlameGraph, SaysWhatWasLost) {
  Profile profile = small_profile();
  profile.losses.push_back({LossKind::ring_full, "cycles", 12});
  EXPECT_EQ(data_of(page_of(Joined(std::move(profile)), 0))["about"].back(), "lost: ring_full 12 of cycles");
}

TEST(FlameGraph, SaysWhatWasPruned) {
  const json data = data_of(page_of(Joined(small_profile()), 0, 2));
  EXPECT_EQ(data["symbol"], json({1, 0}));
  EXPECT_EQ(data["pruned"], 1);
  EXPECT_EQ(data["prunedSelf"], 20);
}

TEST(FlameGraph, DifferentialHoldsBoth) {
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, {"memcpy", "net_rx_action"}, 1, 100).sample(0, 0, {"gone"}, 1, 50);
  builder.profile.session.host = "other";
  const Joined before(std::move(builder.profile));
  const Joined now(small_profile());
  const FlameGraphDiff diff{{before.profile, before.stacks, 0, "old.data"},
                            {now.profile, now.stacks, 0, "new.data"},
                            "rx packet",
                            2.5,
                            4,
                            {"read me first"}};
  StringSink sink;
  ASSERT_TRUE(write_flame_graph(diff, sink));
  const json data = data_of(sink.text);
  EXPECT_EQ(data["differential"], true);
  EXPECT_EQ(data["beforeTotal"], 150);
  EXPECT_EQ(data["symbol"], json({0, 1, 3, 2}));
  EXPECT_EQ(data["inclusive"], json({20, 0, 40, 30}));
  EXPECT_EQ(data["beforeInclusive"], json({0, 50, 100, 100}));
  EXPECT_EQ(data["beforeSelf"], json({0, 50, 0, 100}));
  EXPECT_EQ(data["beforeSamples"], json({0, 1, 1, 1}));
  EXPECT_EQ(data["beforeAbout"], json({"old.data", "other", "1.0 s"}));
  EXPECT_EQ(data["about"][0], "new.data");
  EXPECT_EQ(data["per"], "rx packet");
  EXPECT_EQ(data["beforeDivisor"], 2.5);
  EXPECT_EQ(data["divisor"], 4);
  EXPECT_EQ(data["notes"], json({"read me first"}));
}

TEST(FlameGraph, DifferentialSaysWhatWasPrunedOfBoth) {
  ProfileBuilder builder({"cpu-clock"}, 1);
  builder.sample(0, 0, {"large"}, 1, 100).sample(0, 0, {"small"}, 1, 5);
  const Joined before(builder.profile);
  builder.sample(0, 0, {"small"}, 1, 2);
  const Joined now(std::move(builder.profile));
  StringSink sink;
  ASSERT_TRUE(write_flame_graph(
      FlameGraphDiff{{before.profile, before.stacks, 0}, {now.profile, now.stacks, 0}}, sink, 1));
  const json data = data_of(sink.text);
  EXPECT_EQ(data["prunedSelf"], 7);
  EXPECT_EQ(data["beforePrunedSelf"], 5);
}

TEST(FlameGraph, IsTheSameForTheSameProfile) {
  EXPECT_EQ(page_of(Joined(small_profile()), 1), page_of(Joined(small_profile()), 1));
}

}  // namespace
}  // namespace nettoll
