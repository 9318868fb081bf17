// SPDX-License-Identifier: Apache-2.0
#include "host/window.h"

#include <gtest/gtest.h>

namespace nettoll {
namespace {

constexpr uint64_t kRange = uint64_t{1} << 32;

Nic nic_of(uint32_t ifindex) {
  Nic nic;
  nic.ifindex = ifindex;
  nic.name = "eth" + std::to_string(ifindex);
  return nic;
}

HostState with_nic(Nic nic) {
  HostState state;
  state.nics.push_back(std::move(nic));
  return state;
}

TEST(Window, DifferencesAndSetUpOfAfter) {
  Nic before = nic_of(2), after = nic_of(2);
  before.link.rx_packets = 100, after.link.rx_packets = 130;
  before.link.tx_bytes = 100, after.link.tx_bytes = 20;  // set to zero meanwhile
  before.channels.value = Channels{};
  after.channels.reason = "Operation not supported";
  before.rx_queues = {{0, 10, 1, {}, {}}, {1, 10, {}, {}, {}}};
  after.rx_queues = {{0, 15, 4, CpuSet{{1}}, 7}, {1, {}, {}, {}, {}}, {2, 9, {}, {}, {}}};
  before.tx_queues = {{0, 5, {}}};
  after.tx_queues = {{0, 6, {}}};
  before.statistics.value = {{"a", 5}, {"gone", 1}};
  after.statistics.value = {{"a", 8}, {"new", 3}};
  HostState first = with_nic(before), second = with_nic(after);
  first.settings.netdev_budget = 300, second.settings.netdev_budget = 600;
  first.notes = {"old"}, second.notes = {"new"};
  const HostState state = window(first, second, 10);
  EXPECT_EQ(state.seconds, 10);
  EXPECT_EQ(state.settings.netdev_budget, 600u);
  EXPECT_EQ(state.notes, std::vector<std::string>{"new"});
  const Nic& nic = state.nics.at(0);
  EXPECT_EQ(nic.link.rx_packets, 30u);
  EXPECT_EQ(nic.link.tx_bytes, 20u);
  EXPECT_EQ(nic.channels.reason, "Operation not supported");
  EXPECT_EQ(nic.rx_queues,
            (std::vector<RxQueue>{{0, 5, 3, CpuSet{{1}}, 7}, {1, {}, {}, {}, {}}, {2, 9, {}, {}, {}}}));
  EXPECT_EQ(nic.tx_queues, (std::vector<TxQueue>{{0, 1, {}}}));
  EXPECT_EQ(*nic.statistics, (std::map<std::string, uint64_t>{{"a", 3}, {"new", 3}}));
}

TEST(Window, ADeviceMadeAnewHasItsOwnCounts) {
  Nic before = nic_of(2), after = nic_of(3);
  after.name = before.name;
  before.link.rx_packets = 100, after.link.rx_packets = 130;
  EXPECT_EQ(window(with_nic(before), with_nic(after), 1).nics.at(0).link.rx_packets, 130u);
  // A renamed one is the same.
  after = before;
  after.name = "lan", after.link.rx_packets = 130;
  EXPECT_EQ(window(with_nic(before), with_nic(after), 1).nics.at(0).link.rx_packets, 30u);
}

TEST(Window, Vectors) {
  const auto vector = [](uint32_t irq, const char* name, std::vector<uint64_t> by_cpu) {
    Vector v;
    v.irq = irq, v.name = name, v.by_cpu = std::move(by_cpu);
    return v;
  };
  Nic before = nic_of(2), after = nic_of(2);
  before.vectors = {vector(24, "a", {10, 20}), vector(25, "b", {10}), vector(26, "c", {kRange - 5, 300}),
                    vector(27, "d", {9, 9, 9})};
  after.vectors = {vector(24, "a", {15, 20, 7}), vector(25, "other", {12}), vector(26, "c", {5, 200}),
                   vector(27, "d", {9})};
  const Nic nic = window(with_nic(before), with_nic(after), 1).nics.at(0);
  EXPECT_EQ(nic.vectors[0].by_cpu, (std::vector<uint64_t>{5, 0, 7}));  // a CPU came
  EXPECT_EQ(nic.vectors[1].by_cpu, (std::vector<uint64_t>{12}));       // another interrupt of the same number
  EXPECT_EQ(nic.vectors[2].by_cpu, (std::vector<uint64_t>{10, 200}));  // wrapped; set to zero
  EXPECT_EQ(nic.vectors[3].by_cpu, (std::vector<uint64_t>{0}));        // CPUs went
}

TEST(Window, Qdiscs) {
  Nic before = nic_of(2), after = nic_of(2);
  before.qdiscs = {{"fq", "8001:", "root", 10, kRange - 1, 3, 50}, {"pfifo", "0:", ":1", 10, 1, 1, 1}};
  after.qdiscs = {{"fq", "8001:", "root", 25, 1, 3, 40}, {"pfifo", "0:", ":2", 12, 2, 2, 2}};
  EXPECT_EQ(window(with_nic(before), with_nic(after), 1).nics.at(0).qdiscs,
            (std::vector<Qdisc>{{"fq", "8001:", "root", 15, 2, 0, 40}, {"pfifo", "0:", ":2", 12, 2, 2, 2}}));
}

TEST(Window, Cpus) {
  HostCpu before, after;
  before.id = after.id = 3;
  before.softnet = Softnet{kRange - 10, 5, 1, 7, {}, 100};
  after.softnet = Softnet{20, 9, 1, 7, 4, 60};
  before.softirqs = {{"NET_RX", 100}, {"TIMER", kRange - 1}};
  after.softirqs = {{"NET_RX", 140}, {"TIMER", 1}, {"RCU", 8}};
  before.times = CpuTimes{10, 0, 5, 1000, 50, 0, 3, 0};
  after.times = CpuTimes{14, 0, 6, 999, 49, 0, 8, 0};  // idle and iowait may go back by a little
  before.ksoftirqd_ticks = 100, after.ksoftirqd_ticks = 101;
  HostCpu came;
  came.id = 4, came.ksoftirqd_ticks = 9;
  HostCpu went;
  went.id = 1;
  HostState first, second;
  first.cpus = {went, before};
  second.cpus = {after, came};
  const HostState state = window(first, second, 1);
  ASSERT_EQ(state.cpus.size(), 2u);
  EXPECT_EQ(state.cpus[0].softnet, (Softnet{30, 4, 0, 0, 4, 60}));
  EXPECT_EQ(state.cpus[0].softirqs,
            (std::map<std::string, uint64_t>{{"NET_RX", 40}, {"TIMER", 2}, {"RCU", 8}}));
  EXPECT_EQ(state.cpus[0].times, (CpuTimes{4, 0, 1, 0, 0, 0, 5, 0}));
  EXPECT_EQ(state.cpus[0].ksoftirqd_ticks, 1u);
  EXPECT_EQ(state.cpus[1].ksoftirqd_ticks, 9u);
}

TEST(Window, UdpSockets) {
  HostState first, second;
  first.udp = {{false, 53, 100, 0, 7, "named"}, {false, 9000, 101, 500, 3, ""}};
  second.udp = {{false, 53, 100, 0, 7, "named"},     // nothing happened
                {false, 9000, 101, 800, 5, "slow"},  //
                {true, 9000, 102, 0, 4, ""}};        // came
  EXPECT_EQ(window(first, second, 1).udp,
            (std::vector<UdpSocket>{{false, 9000, 101, 800, 2, "slow"}, {true, 9000, 102, 0, 4, ""}}));
}

TEST(Window, Protocols) {
  HostState first, second;
  first.protocols = {{"Udp.RcvbufErrors", 5}, {"Tcp.CurrEstab", 10}, {"Udp.NoPorts", 9}};
  second.protocols = {
      {"Udp.RcvbufErrors", 8}, {"Tcp.CurrEstab", 12}, {"Udp.NoPorts", 2}, {"Udp6.NoPorts", 3}};
  EXPECT_EQ(window(first, second, 1).protocols,
            (std::map<std::string, uint64_t>{
                {"Udp.RcvbufErrors", 3}, {"Tcp.CurrEstab", 12}, {"Udp.NoPorts", 2}, {"Udp6.NoPorts", 3}}));
}

}  // namespace
}  // namespace nettoll
