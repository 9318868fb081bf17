// SPDX-License-Identifier: Apache-2.0
#include "cli/report_filters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseTimeRange, IsExactToTheNanosecond) {
  const struct {
    const char* text;
    uint64_t from;
    uint64_t to;
  } cases[] = {
      {"1,2", 1'000'000'000, 2'000'000'000},
      {"61234.123456789,61234.123456789", 61'234'123'456'789, 61'234'123'456'789},
      {"0.5,1.25", 500'000'000, 1'250'000'000},
      {",1", 0, 1'000'000'000},
      {"1,", 1'000'000'000, UINT64_MAX},
  };
  for (const auto& test : cases) {
    const auto range = parse_time_range(test.text);
    ASSERT_TRUE(range) << test.text;
    EXPECT_EQ(range->first, test.from) << test.text;
    EXPECT_EQ(range->second, test.to) << test.text;
  }
}

TEST(ParseTimeRange, RefusesWhatIsNone) {
  for (const char* text : {"", ",", "1", "a,b", "1,b", "1.,2", "1.2.3,4", "-1,2", "1,+2", "1.1234567890,2",
                           "99999999999999999999,", "2,1"}) {
    const auto range = parse_time_range(text);
    ASSERT_FALSE(range) << text;
    EXPECT_EQ(range.error().kind, ErrorKind::usage);
    EXPECT_THAT(range.error().message, HasSubstr("--time"));
  }
}

TEST(ReportFilters, NothingSelectedSaysWhatThereIs) {
  Profile whole;
  whole.samples = {{0, 3, 0, 20, 20}, {0, 0, 0, 10, 10}, {0, 1, 0, 5, 5}, {0, 3, 0, 1, 1}};
  whole.foreign.emplace();
  whole.foreign->first_ns = 75'758'019'621'000;
  whole.duration_ns = 2'000'000'000;
  ReportFilters filters;
  filters.comm = "nosuch";
  EXPECT_EQ(nothing_selected(filters, whole, "perf.data").text(),
            "no sample is of comm nosuch; perf.data has 36 samples on CPUs 0-1,3, from 75758.019621000 to "
            "75760.019621000 s; 'nettoll report perf.data --by comm' lists its threads");
  ReportFilters cpu;
  cpu.cpus = "99";
  whole.foreign.reset();
  EXPECT_EQ(nothing_selected(cpu, whole, "nettoll.data").text(),
            "no sample is of CPU 99; nettoll.data has 36 samples on CPUs 0-1,3");
}

TEST(ReportFilters, AFunctionThatIsNowhereIsMisspelt) {
  Profile whole;
  whole.samples = {{0, 3, 0, 20, 20}};
  whole.symbols = {{"ip_rcv", kVmlinux}, {"udp_rcv", kVmlinux}};
  for (const auto& [name, state] :
       {std::pair{"tcp_v4_rcv", CountState::counted}, {"tcp_v6_rcv", CountState::absent}})
    whole.session.functions.push_back({name, kVmlinux, Method::samples, state, "", "", false, 0});
  ReportFilters filters;
  const auto error_of = [&](const char* function) {
    filters.function = function;
    return nothing_selected(filters, whole, "f");
  };
  EXPECT_EQ(error_of("ip_rvc").kind, ErrorKind::usage);
  EXPECT_EQ(error_of("ip_rvc").text(),
            "--function ip_rvc: no sample has this function; did you mean ip_rcv?");
  EXPECT_EQ(error_of("tcp_v6_rcv").kind, ErrorKind::usage);
  // There, and left out by another filter, or never sampled.
  EXPECT_EQ(error_of("ip_rcv").kind, ErrorKind::failure);
  EXPECT_EQ(error_of("tcp_v4_rcv").kind, ErrorKind::failure);
}

TEST(ReportFilters, BecomeWhatReadersAndTheJoinAskFor) {
  ReportFilters filters;
  filters.paths = {"tx", "rx"};
  filters.function = "memcpy";
  filters.cpus = "0-1,5";
  filters.comm = "nginx";
  filters.times = "1,2";
  const auto reading = ingest_filters(filters);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->comm, "nginx");
  EXPECT_THAT(reading->cpus, ElementsAre(0, 1, 5));
  EXPECT_EQ(reading->times, (std::pair<uint64_t, uint64_t>(1'000'000'000, 2'000'000'000)));
  const auto selection = selection_of(filters);
  ASSERT_TRUE(selection);
  EXPECT_THAT(selection->paths, ElementsAre(Path::rx, Path::tx));
  EXPECT_EQ(selection->function, "memcpy");
  EXPECT_THAT(selection->cpus, ElementsAre(0, 1, 5));
  EXPECT_EQ(describe(filters), "path tx or rx, function memcpy, CPU 0-1,5, comm nginx, time 1,2");
  EXPECT_EQ(describe({}), "");
}

TEST(ReportFilters, ARecordingRefusesWhatItDoesNotHold) {
  ReportFilters filters;
  filters.cpus = "1";
  filters.paths = {"rx"};
  EXPECT_TRUE(check_for_recording(filters));
  filters.comm = "x";
  const auto comm = check_for_recording(filters);
  ASSERT_FALSE(comm);
  EXPECT_EQ(comm.error().kind, ErrorKind::usage);
  EXPECT_THAT(comm.error().message, HasSubstr("--comm"));
  filters.comm = "";
  filters.times = "1,2";
  const auto times = check_for_recording(filters);
  ASSERT_FALSE(times);
  EXPECT_THAT(times.error().message, HasSubstr("--time"));
}

TEST(ReportFilters, AWrongListOfCpusIsAUsageError) {
  ReportFilters filters;
  filters.cpus = "x";
  const auto reading = ingest_filters(filters);
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace nettoll
