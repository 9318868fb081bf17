// SPDX-License-Identifier: Apache-2.0
#include "host/read_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_ethtool.h"
#include "fakes/fake_root.h"
#include "fakes/fake_route.h"

namespace nettoll {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A host with two CPUs, lo and a NIC of two queues.
class ReadHost : public ::testing::Test {
 protected:
  void SetUp() override {
    root_.write("/sys/devices/system/cpu/online", "0,2\n");
    root_.write("/sys/devices/system/node/node0/cpulist", "0-3\n");
    root_.link("/proc/self/ns/net", "net:[4026531840]");
    root_.write("/proc/stat", "cpu  3 0 0 0 0 0 0 0\ncpu0 1 0 0 90 0 0 5 0 0 0\ncpu2 2 0 0 80 0 0 9 0 0 0\n");
    root_.write(
        "/proc/interrupts",
        "       CPU0  CPU2\n 30:  11  5  PCI-MSIX-0000:3b:00.0  0-edge   eth0-TxRx-0\n"
        " 31:  0  77  PCI-MSIX-0000:3b:00.0  1-edge   eth0-TxRx-1\nNMI: 1 1 Non-maskable interrupts\n");
    root_.write("/proc/softirqs", "      CPU0 CPU1 CPU2 CPU3\n  NET_RX: 10 0 20 0\n");
    const std::string zeros = " 00000000 00000000 00000000 00000000 00000000 00000000";
    root_.write("/proc/net/softnet_stat",
                "00000064 00000001 00000002" + zeros + " 0000000a 0000000b 0000000c 00000000\n" +
                    "000000c8 00000000 00000000" + zeros + " 00000000 00000000 00000000 00000002\n");
    root_.write(
        "/proc/net/udp",
        "  sl local_address rem_address st tx_queue rx_queue tr tm->when retrnsmt uid timeout inode ref "
        "pointer drops\n"
        "  1: 00000000:2328 00000000:0000 07 00000000:00000010 00:00000000 00000000 0 0 4711 2 0000 3\n");
    root_.write("/proc/net/snmp", "Udp: NoPorts RcvbufErrors\nUdp: 4 3\n");
    root_.write("/proc/net/netstat", "TcpExt: ListenDrops\nTcpExt: 2\n");
    root_.write("/proc/net/snmp6", "Udp6RcvbufErrors 1\n");
    for (const char* name : {"netdev_budget", "netdev_budget_usecs", "netdev_max_backlog",
                             "rps_sock_flow_entries", "busy_poll", "busy_read", "rmem_default", "rmem_max"})
      root_.write(std::string("/proc/sys/net/core/") + name, "300\n");
    root_.write("/proc/15/comm", "ksoftirqd/2\n");
    root_.write("/proc/15/stat", "15 (ksoftirqd/2) S 2 0 0 0 -1 69238848 0 0 0 0 1 40 0 0\n");
    root_.write("/proc/900/comm", "reader\n");
    root_.link("/proc/900/fd/3", "socket:[4711]");
    add_device("lo", 1);
    add_device("eth0", 2);
    root_.link("/sys/devices/pci0/0000:3b:00.0/driver", "../../../bus/pci/drivers/ixgbe");
    root_.link("/sys/devices/pci0/0000:3b:00.0/subsystem", "../../../bus/pci");
    root_.write("/sys/devices/pci0/0000:3b:00.0/msi_irqs/30", "msix\n");
    root_.write("/sys/devices/pci0/0000:3b:00.0/msi_irqs/31", "msix\n");
    root_.link("/sys/class/net/eth0/device", "../../../devices/pci0/0000:3b:00.0");
    root_.write("/sys/class/net/eth0/queues/rx-1/rps_cpus", "0\n");

    FakeDriver& eth0 = ethtool_.devices["eth0"];
    Channels channels;
    channels.combined = channels.max_combined = 2;
    eth0.channels = channels;
    eth0.flow_hash.emplace("udp4", FlowHash{"udp4", true, false});
    eth0.features = std::map<std::string, bool>{{"rx-gro", true}};
    eth0.statistics = StatisticsList{{"rx_queue_0_packets", 40}, {"  rx_missed ", 5}, {"rx_missed", 6}};
    ethtool_.devices["lo"].features = std::map<std::string, bool>{{"rx-gro", true}};
    route_.link_answer = std::vector<RouteLink>{{1, "lo", {}}, {2, "eth0", "native"}};
    route_.qdisc_answer = std::map<uint32_t, std::vector<Qdisc>>{{2, {{"mq", "0:", "root", 9, 0, 0, 0}}}};
    // What the driver told stays.
    route_.queue_answer = std::map<uint32_t, QueueStatistics>{{2, {{{0, 1}, {1, 55}}, {{1, 6}}, {{0, 7}}}}};
  }

  void add_device(const std::string& name, int ifindex) {
    const std::string folder = "/sys/class/net/" + name;
    root_.write(folder + "/ifindex", std::to_string(ifindex) + "\n");
    root_.write(folder + "/flags", "0x1\n");
    root_.write(folder + "/operstate", "unknown\n");
    root_.write(folder + "/queues/rx-0/rps_cpus", "0\n");
    root_.write(folder + "/queues/tx-0/traffic_class", "\n");
    for (const char* file :
         {"rx_packets", "rx_bytes", "rx_errors", "rx_dropped", "rx_missed_errors", "rx_fifo_errors",
          "rx_crc_errors", "rx_nohandler", "tx_packets", "tx_bytes", "tx_errors", "tx_dropped"})
      root_.write(folder + "/statistics/" + file, "7\n");
  }

  HostState read() {
    auto state = read_host(KernelFs(root_.path()), ethtool_, route_);
    if (state) return std::move(*state);
    ADD_FAILURE() << state.error().text();
    return {};
  }

  FakeRoot root_;
  FakeEthtool ethtool_;
  FakeRoute route_;
};

TEST_F(ReadHost, Devices) {
  const HostState state = read();
  EXPECT_THAT(state.notes, IsEmpty());
  EXPECT_EQ(state.seconds, 0);
  ASSERT_EQ(state.nics.size(), 2u);
  EXPECT_EQ(state.nics[0].name, "lo");
  EXPECT_EQ(state.nics[0].channels.reason, "Operation not supported");
  EXPECT_EQ(state.nics[0].xdp, std::nullopt);
  const Nic& eth0 = state.nics[1];
  EXPECT_EQ(eth0.driver, "ixgbe");
  EXPECT_EQ(eth0.channels->receiving(), 2u);
  EXPECT_EQ(eth0.rings.reason, "Operation not supported");
  EXPECT_EQ(eth0.flow_hash.size(), 4u);
  EXPECT_TRUE(eth0.flow_hash.at("udp4"));
  EXPECT_EQ(eth0.flow_hash.at("tcp6").reason, "Operation not supported");
  EXPECT_EQ(eth0.features.at("rx-gro"), true);
  EXPECT_EQ(*eth0.statistics,
            (std::map<std::string, uint64_t>{{"rx_missed", 11}, {"rx_queue_0_packets", 40}}));
  ASSERT_EQ(eth0.rx_queues.size(), 2u);
  EXPECT_EQ(eth0.rx_queues[0].packets, 40u);
  EXPECT_EQ(eth0.rx_queues[1].packets, 55u);
  EXPECT_EQ(eth0.rx_queues[1].drops, 6u);
  EXPECT_EQ(eth0.tx_queues.at(0).packets, 7u);
  EXPECT_EQ(eth0.xdp, "native");
  ASSERT_EQ(eth0.qdiscs.size(), 1u);
  ASSERT_EQ(eth0.vectors.size(), 2u);
  EXPECT_EQ(eth0.vectors[1].queue, 1u);
  EXPECT_EQ(eth0.vectors[1].by_cpu, (std::vector<uint64_t>{0, 0, 77}));
  EXPECT_EQ(eth0.link.rx_missed, 7u);
}

TEST_F(ReadHost, CpusAndTheRest) {
  const HostState state = read();
  ASSERT_EQ(state.cpus.size(), 2u);
  EXPECT_EQ(state.cpus[0].id, 0u);
  EXPECT_EQ(state.cpus[0].softnet, (Softnet{100, 1, 2, 10, 11, 12}));
  EXPECT_EQ(state.cpus[0].numa_node, 0);
  EXPECT_EQ(state.cpus[0].ksoftirqd_ticks, std::nullopt);
  EXPECT_EQ(state.cpus[1].id, 2u);
  EXPECT_EQ(state.cpus[1].softnet->processed, 200u);
  EXPECT_EQ(state.cpus[1].softirqs.at("NET_RX"), 20u);
  EXPECT_EQ(state.cpus[1].times->softirq, 9u);
  EXPECT_EQ(state.cpus[1].ksoftirqd_ticks, 41u);
  EXPECT_EQ(state.udp, (std::vector<UdpSocket>{{false, 9000, 4711, 16, 3, "reader"}}));
  EXPECT_EQ(
      state.protocols,
      (std::map<std::string, uint64_t>{
          {"Udp.NoPorts", 4}, {"Udp.RcvbufErrors", 3}, {"TcpExt.ListenDrops", 2}, {"Udp6.RcvbufErrors", 1}}));
  EXPECT_EQ(state.settings.rmem_max, 300u);
  EXPECT_EQ(state.irqbalance, false);
}

TEST_F(ReadHost, OneBadFileCostsThatPart) {
  const struct {
    const char* file;
    const char* text;
    const char* note;
  } cases[] = {
      {"/proc/stat", "nothing\n", "Times of CPUs are unknown"},
      {"/proc/interrupts", "nothing\n", "Interrupts are unknown"},
      {"/proc/softirqs", "nothing\n", "Counts of softirqs are unknown"},
      {"/proc/net/softnet_stat", "00 00\n", "Backlogs of CPUs are unknown"},
      {"/proc/net/udp", "nothing\n", "UDP sockets are unknown"},
      {"/proc/net/udp6", "nothing\n", "UDP sockets of IPv6 are unknown"},
      {"/proc/net/snmp", "nothing\n", "Counters of protocols are unknown"},
      {"/proc/net/netstat", "nothing\n", "More counters of TCP and IP are unknown"},
      {"/proc/net/snmp6", "nothing\n", "Counters of IPv6 are unknown"},
      {"/proc/sys/net/core/busy_poll", "nothing\n", "does not tell busy_poll"},
      {"/sys/class/net/eth0/queues/rx-0/rps_cpus", "nothing\n", "not a mask of CPUs"},
  };
  for (const auto& c : cases) {
    const std::string was = KernelFs(root_.path()).read(c.file) ? *KernelFs(root_.path()).read(c.file) : "";
    root_.write(c.file, c.text);
    const HostState state = read();
    EXPECT_EQ(state.notes.size(), 1u) << c.file;
    EXPECT_THAT(state.notes, Contains(HasSubstr(c.note))) << c.file;
    EXPECT_EQ(state.nics.size(), 2u) << c.file;
    EXPECT_EQ(state.cpus.size(), 2u) << c.file;
    if (was.empty()) {
      std::filesystem::remove(root_.path() + c.file);
    } else {
      root_.write(c.file, was);
    }
  }
}

TEST_F(ReadHost, SkippedRowsAreTold) {
  root_.write("/proc/softirqs", "      CPU0 CPU2\n  NET_RX: 10 20\n  NET_TX: 1\n");
  EXPECT_THAT(read().notes, Contains(HasSubstr("1 rows of")));
}

TEST_F(ReadHost, SourcesThatFail) {
  ethtool_.devices.clear();
  route_.link_answer = system_error("no answer by netlink", EPERM);
  route_.qdisc_answer = system_error("no answer by netlink", EPERM);
  route_.queue_answer = system_error("no answer by netlink", EPERM);
  const HostState state = read();
  ASSERT_EQ(state.nics.size(), 2u);
  EXPECT_EQ(state.nics[1].channels.reason, "No such device");
  EXPECT_EQ(state.nics[1].vectors.size(), 2u);
  EXPECT_THAT(state.notes, Contains(HasSubstr("features of eth0 are unknown")));
  EXPECT_THAT(state.notes, Contains(HasSubstr("XDP is unknown")));
  EXPECT_THAT(state.notes, Contains(HasSubstr("Qdiscs are unknown")));
  EXPECT_THAT(state.notes, Contains(HasSubstr("counts by queue is unknown")));
}

TEST_F(ReadHost, OlderKernelsWithoutQueueCountersGetNoNote) {
  for (const int code : {ENOENT, EOPNOTSUPP}) {
    route_.queue_answer = system_error("refused", code);
    EXPECT_THAT(read().notes, IsEmpty());
  }
}

TEST_F(ReadHost, AnotherNamespaceInSysIsTold) {
  route_.link_answer = std::vector<RouteLink>{{1, "lo", "generic"}, {2, "eth7", "native"}};
  const HostState state = read();
  EXPECT_THAT(state.notes,
              Contains(HasSubstr("1 of 2 devices in /sys/class/net are not in this network namespace")));
  EXPECT_EQ(state.nics[0].xdp, "generic");
  EXPECT_EQ(state.nics[1].xdp, std::nullopt);
}

TEST_F(ReadHost, OnlineCpusOfProcStatWhereSysfsDoesNotTell) {
  root_.write("/sys/devices/system/cpu/online", "?\n");
  const HostState state = read();
  ASSERT_EQ(state.cpus.size(), 2u);
  EXPECT_EQ(state.cpus[1].id, 2u);
  root_.write("/proc/stat", "");
  EXPECT_FALSE(read_host(KernelFs(root_.path()), ethtool_, route_));
}

TEST(ReadHostOfNothing, Fails) {
  FakeRoot root;
  FakeEthtool ethtool;
  FakeRoute route;
  EXPECT_FALSE(read_host(KernelFs(root.path()), ethtool, route));
  // With CPUs alone it is a reading, though an empty one.
  root.write("/sys/devices/system/cpu/online", "0\n");
  const auto state = read_host(KernelFs(root.path()), ethtool, route);
  ASSERT_TRUE(state);
  EXPECT_TRUE(state->nics.empty());
  EXPECT_EQ(state->cpus.size(), 1u);
  EXPECT_THAT(state->notes, Contains(HasSubstr("Network devices are unknown")));
}

}  // namespace
}  // namespace nettoll
