// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

TEST(Format, Quantities) {
  const struct {
    double value;
    const char* text;
  } cases[] = {
      {0, "0"},         {0.0001, "<0.001"}, {0.0123, "0.012"}, {0.9994, "0.999"}, {0.9996, "1.00"},
      {1.234, "1.23"},  {9.994, "9.99"},    {9.996, "10.0"},   {99.94, "99.9"},   {99.96, "100"},
      {999.4, "999"},   {999.6, "1.00k"},   {12345, "12.3k"},  {999499, "999k"},  {999600, "1.00M"},
      {1.5e9, "1.50G"}, {2.5e12, "2.50T"},  {3e15, "3.00P"},
  };
  for (const auto& c : cases) EXPECT_EQ(format_quantity(c.value), c.text) << c.value;
}

TEST(Format, Times) {
  EXPECT_EQ(format_time(0), "0 ns");
  EXPECT_EQ(format_time(0.5), "0.500 ns");
  EXPECT_EQ(format_time(999), "999 ns");
  EXPECT_EQ(format_time(999.7), "1.00 us");
  EXPECT_EQ(format_time(12'345), "12.3 us");
  EXPECT_EQ(format_time(12'345'678), "12.3 ms");
  EXPECT_EQ(format_time(10e9), "10.0 s");
  EXPECT_EQ(format_time(1234e9), "1,234 s");
}

TEST(Format, ExactCountsKeepTheirDigits) {
  EXPECT_EQ(format_exact(0), "0");
  EXPECT_EQ(format_exact(999), "999");
  EXPECT_EQ(format_exact(1000), "1,000");
  EXPECT_EQ(format_exact(18446744073709551615u), "18,446,744,073,709,551,615");
  EXPECT_EQ(format_count(9'999'999), "9,999,999");
  EXPECT_EQ(format_count(10'000'000), "10.0M");
  EXPECT_EQ(format_count(std::optional<uint64_t>{}), "-");
  EXPECT_EQ(format_count(std::optional<uint64_t>{0}), "0");
}

TEST(Format, PercentagesAndErrors) {
  EXPECT_EQ(format_percent(0), "0%");
  EXPECT_EQ(format_percent(0.00005), "<0.01%");
  EXPECT_EQ(format_percent(0.00012), "0.01%");
  EXPECT_EQ(format_percent(0.1234), "12.3%");
  EXPECT_EQ(format_percent(0.9997), "100%");
  EXPECT_EQ(format_error(0.005), "±0.5%");
  EXPECT_EQ(format_error(0.25), "±25%");
  EXPECT_EQ(format_error(1), "±100%");
  EXPECT_EQ(format_error(Estimate{}), "-");
}

TEST(Format, EstimatesCarryTheirMarks) {
  EXPECT_EQ(format_estimate(EventUnit::count, {}), "-");
  EXPECT_EQ(format_estimate(EventUnit::count, {5000, 16}), "5.00k");
  EXPECT_EQ(format_estimate(EventUnit::count, {5000, 15}), "~5.00k");
  EXPECT_EQ(format_estimate(EventUnit::nanoseconds, {5000, 15}), "~5.00 us");
  EXPECT_EQ(format_per(EventUnit::count, {}, {5, 100}), "-");
  EXPECT_EQ(format_per(EventUnit::count, 2.5, {5, 3}), "~2.50");
  EXPECT_EQ(format_ratio({}), "-");
  EXPECT_EQ(format_ratio(Ratio{1.25, 0.1, false}), "1.25");
  EXPECT_EQ(format_share(Ratio{0.25, 0.3, true}), "~25.0%");
}

}  // namespace
}  // namespace nettoll
