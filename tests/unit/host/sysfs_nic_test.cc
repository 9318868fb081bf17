// SPDX-License-Identifier: Apache-2.0
#include "host/sysfs_nic.h"

#include <gtest/gtest.h>

#include "fakes/fake_root.h"

namespace nettoll {
namespace {

void add_device(const FakeRoot& root, const std::string& name, int ifindex) {
  const std::string folder = "/sys/class/net/" + name;
  root.write(folder + "/ifindex", std::to_string(ifindex) + "\n");
  root.write(folder + "/flags", "0x1003\n");
  root.write(folder + "/operstate", "up\n");
  for (const char* file :
       {"rx_packets", "rx_bytes", "rx_errors", "rx_dropped", "rx_missed_errors", "rx_fifo_errors",
        "rx_crc_errors", "rx_nohandler", "tx_packets", "tx_bytes", "tx_errors", "tx_dropped"})
    root.write(folder + "/statistics/" + file, "0\n");
}

TEST(SysfsNic, ReadsADevice) {
  FakeRoot root;
  const std::string eth0 = "/sys/class/net/eth0";
  add_device(root, "eth0", 3);
  root.link("/sys/devices/pci0/0000:3b:00.0/driver", "../../../bus/pci/drivers/ixgbe");
  root.write("/sys/devices/pci0/0000:3b:00.0/numa_node", "1\n");
  root.link(eth0 + "/device", "../../../devices/pci0/0000:3b:00.0");
  root.write(eth0 + "/speed", "10000\n");
  root.write(eth0 + "/queues/rx-0/rps_cpus", "00000000,00000000,00000000,00000000\n");
  root.write(eth0 + "/queues/rx-0/rps_flow_cnt", "0\n");
  root.write(eth0 + "/queues/rx-2/rps_cpus", "1,00000003\n");
  root.write(eth0 + "/queues/rx-2/rps_flow_cnt", "4096\n");
  root.write(eth0 + "/queues/rx-10/byte_queue_limits", "");
  root.write(eth0 + "/queues/tx-0/xps_cpus", "f\n");
  root.write(eth0 + "/queues/tx-1/traffic_class", "");
  root.write(eth0 + "/statistics/rx_packets", "18446744073709551615\n");
  root.write(eth0 + "/statistics/rx_missed_errors", "12\n");
  root.write(eth0 + "/statistics/tx_dropped", "7\n");
  std::vector<std::string> notes;
  const auto nics = read_nics(KernelFs(root.path()), notes);
  ASSERT_TRUE(nics);
  ASSERT_EQ(nics->size(), 1u);
  const Nic& nic = nics->front();
  EXPECT_EQ(nic.name, "eth0");
  EXPECT_EQ(nic.ifindex, 3u);
  EXPECT_EQ(nic.driver, "ixgbe");
  EXPECT_TRUE(nic.physical);
  EXPECT_TRUE(nic.up);
  EXPECT_EQ(nic.numa_node, 1);
  EXPECT_EQ(nic.speed_mbps, 10000u);
  ASSERT_EQ(nic.rx_queues.size(), 3u);
  EXPECT_EQ(nic.rx_queues[0].rps_cpus, CpuSet{});
  EXPECT_EQ(nic.rx_queues[1].index, 2u);
  EXPECT_EQ(nic.rx_queues[1].rps_cpus, (CpuSet{{0, 1, 32}}));
  EXPECT_EQ(nic.rx_queues[1].rps_flow_cnt, 4096u);
  EXPECT_EQ(nic.rx_queues[2].index, 10u);
  EXPECT_FALSE(nic.rx_queues[2].rps_cpus);
  ASSERT_EQ(nic.tx_queues.size(), 2u);
  EXPECT_EQ(nic.tx_queues[0].xps_cpus, (CpuSet{{0, 1, 2, 3}}));
  EXPECT_FALSE(nic.tx_queues[1].xps_cpus);
  EXPECT_EQ(nic.link.rx_packets, UINT64_MAX);
  EXPECT_EQ(nic.link.rx_missed, 12u);
  EXPECT_EQ(nic.link.tx_dropped, 7u);
  EXPECT_TRUE(notes.empty()) << notes.front();
}

TEST(SysfsNic, UpNeedsFlagAndState) {
  const struct {
    const char* flags;
    const char* state;
    bool up;
  } cases[] = {
      {"0x1003\n", "up\n", true},       {"0x1003\n", "unknown\n", true},  {"0x1002\n", "up\n", false},
      {"0x1003\n", "down\n", false},    {"0x1003\n", "dormant\n", false}, {"1003\n", "up\n", false},
      {"0x1ffffffff\n", "up\n", false},
  };
  for (const auto& c : cases) {
    FakeRoot root;
    add_device(root, "eth0", 2);
    root.write("/sys/class/net/eth0/flags", c.flags);
    root.write("/sys/class/net/eth0/operstate", c.state);
    std::vector<std::string> notes;
    EXPECT_EQ(read_nics(KernelFs(root.path()), notes)->front().up, c.up) << c.flags << c.state;
  }
}

TEST(SysfsNic, UnknownIsAbsent) {
  for (const char* speed : {"-1\n", "4294967295\n"}) {
    FakeRoot root;
    add_device(root, "eth0", 2);
    root.write("/sys/class/net/eth0/speed", speed);
    root.write("/sys/class/net/eth0/device/numa_node", "-1\n");
    std::vector<std::string> notes;
    const auto nics = read_nics(KernelFs(root.path()), notes);
    ASSERT_TRUE(nics);
    EXPECT_FALSE(nics->front().speed_mbps) << speed;
    EXPECT_FALSE(nics->front().numa_node);
    EXPECT_EQ(nics->front().driver, "");
    EXPECT_TRUE(nics->front().physical);
    EXPECT_TRUE(notes.empty()) << notes.front();
  }
}

TEST(SysfsNic, OddFilesGetANote) {
  FakeRoot root;
  const std::string eth0 = "/sys/class/net/eth0";
  add_device(root, "eth0", 2);
  root.write(eth0 + "/speed", "fast\n");
  root.write(eth0 + "/device/numa_node", "99999999999\n");
  root.write(eth0 + "/queues/rx-0/rps_cpus", "zz\n");
  root.write(eth0 + "/queues/rx-0/rps_flow_cnt", "-4\n");
  root.write(eth0 + "/queues/rx-x/rps_cpus", "1\n");
  root.write(eth0 + "/statistics/rx_bytes", "18446744073709551616\n");
  std::vector<std::string> notes;
  const auto nics = read_nics(KernelFs(root.path()), notes);
  ASSERT_TRUE(nics);
  EXPECT_EQ(nics->front().rx_queues.size(), 1u);
  EXPECT_EQ(nics->front().link.rx_bytes, 0u);
  EXPECT_EQ(notes.size(), 6u);  // the five, and that rx_bytes is missing
}

TEST(SysfsNic, DevicesInTheOrderOfTheirIndexes) {
  FakeRoot root;
  add_device(root, "a", 12);
  add_device(root, "lo", 1);
  root.write("/sys/class/net/bonding_masters", "bond0\n");
  root.write("/sys/class/net/gone/flags", "0x1\n");
  std::vector<std::string> notes;
  const auto nics = read_nics(KernelFs(root.path()), notes);
  ASSERT_TRUE(nics);
  ASSERT_EQ(nics->size(), 2u);
  EXPECT_EQ(nics->front().name, "lo");
  EXPECT_FALSE(nics->front().physical);
  EXPECT_FALSE(read_nics(KernelFs(root.path() + "/nowhere"), notes));
}

}  // namespace
}  // namespace nettoll
