// SPDX-License-Identifier: Apache-2.0
#include "exporters/profiles/speedscope.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakes/string_sink.h"
#include "unit/profiles/small_profile.h"

namespace nettoll {
namespace {

using nlohmann::json;

json speedscope(const Joined& joined, const std::vector<uint32_t>& events) {
  StringSink sink;
  EXPECT_TRUE(write_speedscope(joined.profile, joined.stacks, events, sink));
  return json::parse(sink.text);
}

TEST(Speedscope, WritesAProfileAnEvent) {
  const json file = speedscope(Joined(small_profile()), {0, 1});
  const json expected = json::parse(R"({
    "$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "nettoll",
    "name": "box, kernel 6.1.0 x86_64", "activeProfileIndex": 0,
    "shared": {"frames": [{"name": "</script><img src=x>\";,'\n€\ufffd", "file": "veth"},
                          {"name": "memcpy", "file": "vmlinux"}, {"name": "net_rx_action", "file": "vmlinux"},
                          {"name": "[not sampled]"}]},
    "profiles": [
      {"type": "sampled", "name": "cpu-clock", "unit": "nanoseconds", "startValue": 0, "endValue": 60,
       "samples": [[0], [2], [2, 1]], "weights": [20, 10, 30]},
      {"type": "sampled", "name": "cycles", "unit": "none", "startValue": 0, "endValue": 1008,
       "samples": [[0], [2], [2, 1], [3]], "weights": [334, 333, 334, 7]}]})");
  EXPECT_EQ(file, expected);
}

TEST(Speedscope, TellsCodeWithoutANameByItsModule) {
  ProfileBuilder builder({"cycles"}, 1);
  sample_unnamed(builder.profile, "/lib/libc.so.6", SymbolKind::user, 10);
  const json file = speedscope(Joined(std::move(builder.profile)), {0});
  EXPECT_EQ(file["shared"]["frames"][0], json::parse(R"({"name": "[libc.so.6]", "file": "/lib/libc.so.6"})"));
}

TEST(Speedscope, HasTheChosenEventsAlone) {
  const json file = speedscope(Joined(small_profile()), {1});
  ASSERT_EQ(file["profiles"].size(), 1u);
  EXPECT_EQ(file["profiles"][0]["name"], "cycles");
}

TEST(Speedscope, AnEventWithoutSamplesIsEmpty) {
  const json file = speedscope(Joined(ProfileBuilder({"cycles"}, 1).profile), {0});
  EXPECT_EQ(file["profiles"][0]["samples"], json::array());
  EXPECT_EQ(file["profiles"][0]["weights"], json::array());
}

}  // namespace
}  // namespace nettoll
