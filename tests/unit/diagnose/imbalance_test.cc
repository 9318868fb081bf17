// SPDX-License-Identifier: Apache-2.0
#include "diagnose/imbalance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RxImbalance, IsTheBusiestQueueOverTheMean) {
  const struct {
    std::vector<uint64_t> packets;
    double ratio;
  } cases[] = {
      {{250'000, 250'000, 250'000, 250'000}, 1},
      {{1'000'000, 0, 0, 0}, 4},
      {{600'000, 200'000, 100'000, 100'000}, 2.4},
      {{0, 300'000}, 2},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    HostBuilder::receive(host.nic("eth0", static_cast<uint32_t>(c.packets.size())), c.packets);
    const auto rows = rx_imbalances(host.state, nullptr);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].device, "eth0");
    EXPECT_DOUBLE_EQ(rows[0].ratio, c.ratio);
  }
}

TEST(RxImbalance, NothingIsSaidWhereItWasNotMeasured) {
  const struct {
    const char* what;
    void (*change)(Nic&);
  } cases[] = {
      {"too few packets",
       [](Nic& nic) {
         HostBuilder::receive(nic, {999, 0});
       }},
      {"down", [](Nic& nic) { nic.up = false; }},
      {"no hardware", [](Nic& nic) { nic.physical = false; }},
      // Interrupts are there, and a queue that is polled raises few.
      {"no packets by queue",
       [](Nic& nic) {
         for (RxQueue& queue : nic.rx_queues) queue.packets.reset();
       }},
  };
  for (const auto& c : cases) {
    HostBuilder host(4);
    c.change(host.nic("eth0", 2));
    EXPECT_THAT(rx_imbalances(host.state, nullptr), IsEmpty()) << c.what;
  }
  HostBuilder host(4);
  host.nic("eth0", 1);
  EXPECT_THAT(rx_imbalances(host.state, nullptr), IsEmpty());
}

TEST(RxImbalance, TheTraceTellsWhereTheDriverDoesNot) {
  HostBuilder host(4);
  Nic& nic = host.nic("eth0", 2);
  for (RxQueue& queue : nic.rx_queues) queue.packets.reset();
  ProfileBuilder trace({}, 4);
  trace.profile.queues = {{{1, nic.ifindex}, "eth0", 0, 1'500'000}, {{1, nic.ifindex}, "eth0", 1, 500'000}};
  EXPECT_THAT(rx_imbalances(host.state, &trace.profile), ElementsAre(RxImbalance{"eth0", 1.5}));
}

}  // namespace
}  // namespace nettoll
