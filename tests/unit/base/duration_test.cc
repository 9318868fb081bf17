// SPDX-License-Identifier: Apache-2.0
#include "base/duration.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(Duration, ReadsNumbersWithAndWithoutUnit) {
  const struct {
    const char* text;
    int64_t ns;
  } cases[] = {
      {"10", 10'000'000'000},
      {"10s", 10'000'000'000},
      {"500ms", 500'000'000},
      {"1m", 60'000'000'000},
      {"2h", 7'200'000'000'000},
      {"0.5", 500'000'000},
      {"1.5m", 90'000'000'000},
      {"0.25ms", 250'000},
      {"007", 7'000'000'000},
      {"0.1", 100'000'000},
      {"0.000001ms", 1},
      {"86400", 86'400'000'000'000},
      {"2500000h", 9'000'000'000'000'000'000},
  };
  for (const auto& c : cases) {
    const auto duration = parse_duration(c.text);
    ASSERT_TRUE(duration) << c.text;
    EXPECT_EQ(duration->count(), c.ns) << c.text;
  }
}

TEST(Duration, RefusesNonsenseAsWrongUsage) {
  const struct {
    const char* text;
    const char* why;
  } cases[] = {
      {"", "digit"},
      {"s", "digit"},
      {"-1", "digit"},
      {"+1", "digit"},
      {" 1", "digit"},
      {"inf", "digit"},
      {"nan", "digit"},
      {".5", "digit"},
      {"1 s", "unit"},
      {"1x", "unit"},
      {"1S", "unit"},
      {"1min", "unit"},
      {"1h30m", "unit"},
      {"1e3", "unit"},
      {"0x10", "unit"},
      {"1,5", "unit"},
      {"1s ", "unit"},
      {"0", "zero"},
      {"0ms", "zero"},
      {"0.0000001ms", "zero"},
      {"3000000h", "years"},
      {"9300000000", "years"},
      {"99999999999999999999999", "years"},
  };
  for (const auto& c : cases) {
    const auto duration = parse_duration(c.text);
    ASSERT_FALSE(duration) << c.text;
    EXPECT_EQ(duration.error().kind, ErrorKind::usage) << c.text;
    EXPECT_NE(duration.error().message.find(fmt::format("'{}'", c.text)), std::string::npos) << c.text;
    EXPECT_NE(duration.error().message.find(c.why), std::string::npos) << duration.error().message;
  }
  EXPECT_FALSE(parse_duration(std::string(400, '9')));
  EXPECT_FALSE(parse_duration("0." + std::string(400, '0') + "1"));
}

}  // namespace
}  // namespace nettoll
