// SPDX-License-Identifier: Apache-2.0
#include "cli/export_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;

/// cpu-clock, cycles:k, net:napi_poll, and cache-misses, which never ran.
Profile profile() {
  ProfileBuilder builder({"cpu-clock", "cycles:k", "net:napi_poll", "cache-misses"}, 1);
  for (uint32_t event : {0u, 1u, 2u}) builder.sample(event, 0, {"a"}, 1, 10);
  builder.count(3, 0, 0, 1000, 0);
  return std::move(builder.profile);
}

Result<std::vector<uint32_t>> chosen(const std::vector<std::string>& names, const Profile& from = profile()) {
  return choose_events(from, correlate(from), names);
}

TEST(ExportEvents, AllThatRanWhereNoneIsNamed) {
  EXPECT_THAT(*chosen({}), ElementsAre(0, 1, 2));
}

TEST(ExportEvents, TheNamedOnesInTheirOrder) {
  EXPECT_THAT(*chosen({"net:napi_poll,cpu-clock"}), ElementsAre(2, 0));
  EXPECT_THAT(*chosen({"cycles", "cpu-clock", "cycles:k"}), ElementsAre(1, 0));
}

TEST(ExportEvents, RefusesOthers) {
  const std::pair<std::string, std::string> table[] = {
      {"cycle", "there is no event 'cycle'; there is cpu-clock, cycles:k, net:napi_poll"},
      {"net", "there is no event 'net'; there is cpu-clock, cycles:k, net:napi_poll"},
      {"cpu-clock,", "there is no event ''; there is cpu-clock, cycles:k, net:napi_poll"},
      {"cache-misses", "event cache-misses never ran; there is cpu-clock, cycles:k, net:napi_poll"},
  };
  for (const auto& [name, text] : table) {
    const auto result = chosen({name});
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().text(), text);
    EXPECT_EQ(result.error().kind, ErrorKind::usage);
  }
  Profile twice = profile();
  twice.session.events[0].name = "cycles:u";
  EXPECT_FALSE(chosen({"cycles"}, twice));
}

TEST(ExportEvents, FailsWhereNothingRan) {
  const auto result = chosen({}, ProfileBuilder({"cycles"}, 1).profile);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::failure);
}

}  // namespace
}  // namespace nettoll
