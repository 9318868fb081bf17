// SPDX-License-Identifier: Apache-2.0
#include "report/own_cost_note.h"

#include <gtest/gtest.h>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"

namespace nettoll {
namespace {

/// 1000 samples of 1 ms on one CPU, of which some are of our programs and some of rx.
std::string note_of(uint32_t own, uint32_t rx, const std::string& set = "wide",
                    const std::string& event = "cpu-clock") {
  ProfileBuilder builder({event}, 1);
  builder.profile.session.set = set;
  const auto sample = [&](const std::vector<std::string>& stack, uint32_t samples) {
    if (samples) builder.sample(0, 0, stack, samples, samples * 1'000'000ull);
  };
  sample({kOwnCostName, "net_rx_action"}, own);
  sample({"ip_rcv", "net_rx_action"}, rx);
  sample({"do_idle"}, 1000 - own - rx);
  builder.count(0, 0, 1'000'000'000);
  return own_cost_note(builder.profile, correlate(builder.profile));
}

TEST(OwnCostNote, IsThereWhereTracingTookMuch) {
  EXPECT_EQ(note_of(118, 82),
            "tracing itself took 11.8% of CPU time, the network 8.20%: --set core has fewer hooks");
  // 2% of CPU time, and no more than a tenth of the network's.
  EXPECT_EQ(note_of(20, 300), "");
  EXPECT_EQ(note_of(21, 300),
            "tracing itself took 2.10% of CPU time, the network 30.0%: --set core has fewer hooks");
  // A tenth of the network's, and less than 2% of CPU time.
  EXPECT_EQ(note_of(16, 160), "");
  EXPECT_EQ(note_of(17, 160),
            "tracing itself took 1.70% of CPU time, the network 16.0%: --set core has fewer hooks");
}

TEST(OwnCostNote, IsNotThereWhereNothingCanBeSaidOrDone) {
  EXPECT_EQ(note_of(118, 82, "core"), "");
  EXPECT_EQ(note_of(118, 82, ""), "");
  EXPECT_EQ(note_of(0, 500), "");
  // Fewer than 16 samples of ours tell nothing; nor do so few of the network.
  EXPECT_EQ(note_of(15, 20), "");
  EXPECT_EQ(note_of(19, 10), "");
}

TEST(OwnCostNote, NamesTheEventWhereThereIsNoClock) {
  EXPECT_EQ(note_of(118, 82, "wide", "cycles"),
            "tracing itself took 11.8% of cycles, the network 8.20%: --set core has fewer hooks");
}

TEST(OwnCostNote, GoesWithoutTheNetworkWhereThatHasNoSample) {
  EXPECT_EQ(note_of(30, 0), "tracing itself took 3.00% of CPU time: --set core has fewer hooks");
}

}  // namespace
}  // namespace nettoll
