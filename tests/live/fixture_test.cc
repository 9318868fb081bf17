// SPDX-License-Identifier: Apache-2.0
// The fixture itself: what it sends is what the kernel counts, and nothing else moves on its devices.
#include <gtest/gtest.h>

#include <thread>

#include "base/kernel_fs.h"
#include "live/kernel_counters.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

class Fixture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
  }

  static VethPair make(const VethOptions& options = {}) {
    auto pair = VethPair::create(options);
    if (!pair) throw std::runtime_error(pair.error().text());
    return std::move(*pair);
  }

  static KernelCounters counters(const VethEnd& end) {
    auto read = read_kernel_counters(end.ns);
    if (!read) throw std::runtime_error(read.error().text());
    return *read;
  }
};

TEST_F(Fixture, EveryPacketIsCountedOnceAndHalfFindNoPort) {
  const VethPair pair = make();
  const auto a0 = counters(pair.a), b0 = counters(pair.b);
  const auto sent = send_udp(pair.a, pair.b, {.packets = 100'000, .open = 50'000, .size = 64, .cpu = 0});
  ASSERT_TRUE(sent) << sent.error().text();
  const auto a = difference(counters(pair.a), a0), b = difference(counters(pair.b), b0);

  EXPECT_EQ(sent->sent, 100'000u);
  EXPECT_EQ(sent->sent_open, 50'000u);
  EXPECT_EQ(sent->sent_closed, 50'000u);
  EXPECT_EQ(sent->send_errors, 0u);
  EXPECT_EQ(sent->received, 50'000u);

  EXPECT_EQ(a.device(pair.a.device).tx_packets, 100'000u);
  EXPECT_EQ(b.device(pair.b.device).rx_packets, 100'000u);
  EXPECT_EQ(b.device(pair.b.device).rx_bytes, 100'000u * (14 + 20 + 8 + 64));
  EXPECT_EQ(b.device(pair.b.device).rx_dropped, 0u);
  EXPECT_EQ(b.protocol("UdpInDatagrams"), 50'000);
  EXPECT_EQ(b.protocol("UdpNoPorts"), 50'000);
  EXPECT_EQ(b.protocol("UdpRcvbufErrors"), 0);

  // One ICMP error for each packet that found no port goes back the same way.
  EXPECT_EQ(b.protocol("IcmpOutDestUnreachs"), 50'000);
  EXPECT_EQ(a.protocol("IcmpInDestUnreachs"), 50'000);
  EXPECT_EQ(a.device(pair.a.device).rx_packets, 50'000u);

  // softnet counts the whole host: at least these 150,000, all on the CPU that sent.
  EXPECT_GE(b.softnet_processed(), 150'000u);
  EXPECT_GE(b.softnet.at(0).processed, 150'000u);
}

TEST_F(Fixture, Ipv6CountsTheSame) {
  const VethPair pair = make({.ipv6 = true});
  const auto b0 = counters(pair.b);
  const auto sent = send_udp(pair.a, pair.b, {.packets = 10'001, .open = 3'000, .ipv6 = true});
  ASSERT_TRUE(sent) << sent.error().text();
  const auto b = difference(counters(pair.b), b0);
  EXPECT_EQ(b.device(pair.b.device).rx_packets, 10'001u);
  EXPECT_EQ(b.protocol("Udp6InDatagrams"), 3'000);
  EXPECT_EQ(b.protocol("Udp6NoPorts"), 7'001);
  EXPECT_EQ(b.device(pair.b.device).tx_packets, 7'001u);
}

TEST_F(Fixture, AnIdlePairIsSilent) {
  for (const bool ipv6 : {false, true}) {
    const VethPair pair = make({.ipv6 = ipv6});
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    // Counted from the birth of the devices.
    for (const VethEnd* end : {&pair.a, &pair.b}) {
      EXPECT_EQ(counters(*end).device(end->device).rx_packets, 0u) << ipv6;
      EXPECT_EQ(counters(*end).device(end->device).tx_packets, 0u) << ipv6;
    }
  }
}

TEST_F(Fixture, AReceiverThatDoesNotDrainLosesInItsBuffer) {
  const VethPair pair = make();
  const auto b0 = counters(pair.b);
  const auto sent =
      send_udp(pair.a, pair.b, {.packets = 5'000, .open = 5'000, .drain = false, .receive_buffer = 65'536});
  ASSERT_TRUE(sent) << sent.error().text();
  const auto b = difference(counters(pair.b), b0);
  EXPECT_EQ(b.device(pair.b.device).rx_packets, 5'000u);
  EXPECT_GT(b.protocol("UdpRcvbufErrors"), 4'000);
  EXPECT_LT(b.protocol("UdpRcvbufErrors"), 5'000);
  EXPECT_EQ(b.protocol("UdpNoPorts"), 0);
}

TEST_F(Fixture, TwoPairsAreApartAndBothCpusCarryTraffic) {
  const auto cpus = KernelFs().online_cpus();
  ASSERT_TRUE(cpus);
  if (cpus->size() < 2) GTEST_SKIP() << "a second CPU is missing";
  const VethPair one = make(), two = make();
  const auto before = counters(one.b);
  auto first = start_udp(one.a, one.b, {.packets = 20'000, .open = 10'000, .cpu = cpus->ids[0]});
  auto second = start_udp(two.a, two.b, {.packets = 30'000, .open = 30'000, .cpu = cpus->ids[1]});
  ASSERT_TRUE(first) << first.error().text();
  ASSERT_TRUE(second) << second.error().text();
  ASSERT_TRUE(first->wait());
  ASSERT_TRUE(second->wait());
  const auto after = difference(counters(one.b), before);
  EXPECT_EQ(counters(one.b).device(one.b.device).rx_packets, 20'000u);
  EXPECT_EQ(counters(two.b).device(two.b.device).rx_packets, 30'000u);
  EXPECT_GE(after.softnet.at(cpus->ids[0]).processed, 30'000u);
  EXPECT_GE(after.softnet.at(cpus->ids[1]).processed, 30'000u);
}

TEST_F(Fixture, NothingIsLeftInTheHostsNamespace) {
  const auto devices = [] { return *KernelFs().read("/proc/net/dev"); };
  const VethPair pair = make();
  EXPECT_EQ(devices().find(pair.a.device), std::string::npos);
  EXPECT_EQ(devices().find(pair.b.device), std::string::npos);
}

TEST_F(Fixture, AFailureInsideANamespaceNamesItsCommand) {
  const VethPair pair = make();
  const auto status = pair.a.ns.run([]() -> Status {
    auto out = run_checked({"ip", "link", "show", "dev", "no-such-device"});
    return out ? Status() : Status(out.error());
  });
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().text().find("no-such-device"), std::string::npos) << status.error().text();
  EXPECT_FALSE(run({"/no/such/program"}));
}

}  // namespace
}  // namespace nettoll::live
