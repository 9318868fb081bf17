// SPDX-License-Identifier: Apache-2.0
#include "recording/profile_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "full_profile.h"
#include "recording/envelope.h"
#include "recording/profile_codec.h"
#include "recording/recording.h"

namespace nettoll {
namespace {

using testing::HasSubstr;

struct Breakage {
  const char* says;
  std::function<void(Profile&)> make;
};

const Breakage kBreakages[] = {
    {"row 1 of samples names event 2 of 2", [](Profile& p) { p.samples[1].event = 2; }},
    {"row 0 of samples names CPU 6 of 6", [](Profile& p) { p.samples[0].cpu = 6; }},
    {"row 2 of samples names stack 4 of 4", [](Profile& p) { p.samples[2].stack = 4; }},
    {"row 2 of samples names stack 4294967295 of 4", [](Profile& p) { p.samples[2].stack = UINT32_MAX; }},
    {"row 4 of stacks names symbol 7 of 7",
     [](Profile& p) {
       p.stacks.add(std::array<uint32_t, 2>{0, 7});
     }},
    {"row 1 of counts names event 2 of 2", [](Profile& p) { p.counts[1].event = 2; }},
    {"row 0 of counts names CPU 6 of 6", [](Profile& p) { p.counts[0].cpu = 6; }},
    {"row 2 of calls names function 6 of 6", [](Profile& p) { p.calls[2].function = 6; }},
    {"row 0 of calls counts on 7 CPUs of 6", [](Profile& p) { p.calls[0].by_cpu.resize(7); }},
    {"row 8 of packets names CPU 6 of 6", [](Profile& p) { p.packets[8].cpu = 6; }},
    {"row 0 of napi names CPU 6 of 6", [](Profile& p) { p.napi[0].cpu = 6; }},
    {"row 1 of queues names queue -2", [](Profile& p) { p.queues[1].queue = -2; }},
    {"row 1 of softirqs names CPU 9 of 6", [](Profile& p) { p.softirqs[1].cpu = 9; }},
    {"65537 CPUs", [](Profile& p) { p.session.cpu_limit = 65537; }},
    {"1025 events", [](Profile& p) { p.session.events.resize(1025); }},
    {"hooks a packet", [](Profile& p) { p.session.hooks_per_packet = std::nan(""); }},
    {"hooks a packet", [](Profile& p) { p.session.hooks_per_packet = INFINITY; }},
    {"row 3 of functions has -1 hooks", [](Profile& p) { p.session.functions[3].hooks_per_packet = -1; }},
    {"row 1 of exact has a mean of nan", [](Profile& p) { p.exact[1].mean = std::nan(""); }},
    {"row 0 of exact has a standard error of -1", [](Profile& p) { p.exact[0].std_error = -1; }},
    {"row 0 of exact has a median of inf", [](Profile& p) { p.exact[0].p50 = INFINITY; }},
    {"row 0 of exact has a 90th percentile of -1", [](Profile& p) { p.exact[0].p90 = -1; }},
    {"row 0 of exact has a 99th percentile of -2", [](Profile& p) { p.exact[0].p99 = -2; }},
    {"row 0 of exact has probes inside that cost -1", [](Profile& p) { p.exact[0].probes_inside = -1; }},
    {"row 1 of exact has an own cost of nan", [](Profile& p) { p.exact[1].own_cost = std::nan(""); }},
    {"names event 0 of 0", [](Profile& p) { p.session.events.clear(); }},
    {"names CPU 5 of 0",
     [](Profile& p) {
       p.session.cpu_limit = 0;
       p.calls.clear();
     }},
};

TEST(ProfileCheck, TakesWhatIsWhole) {
  EXPECT_TRUE(check_profile(full_profile()));
  EXPECT_TRUE(check_profile({}));
}

TEST(ProfileCheck, NamesTheRowThatRefersToNothing) {
  for (const auto& c : kBreakages) {
    Profile profile = full_profile();
    c.make(profile);
    const auto fine = check_profile(profile);
    ASSERT_FALSE(fine) << c.says;
    EXPECT_THAT(fine.error().message, HasSubstr(c.says));
  }
}

TEST(ProfileCheck, GuardsBothWaysOfARecording) {
  for (const auto& c : kBreakages) {
    Profile profile = full_profile();
    c.make(profile);
    const auto written = encode_recording(profile);
    ASSERT_FALSE(written) << c.says;
    EXPECT_THAT(written.error().message, HasSubstr(c.says));

    const auto file = pack(encode_profile(profile));
    ASSERT_TRUE(file);
    const auto read = decode_recording(*file);
    ASSERT_FALSE(read) << c.says;
    EXPECT_THAT(read.error().message, HasSubstr("damaged"));
    EXPECT_THAT(read.error().message, HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace nettoll
