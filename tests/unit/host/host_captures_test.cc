// SPDX-License-Identifier: Apache-2.0
// The parsers against files of real hosts, where those are at hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>

#include "fakes/fake_root.h"
#include "host/proc_interrupts.h"
#include "host/proc_net_snmp.h"
#include "host/proc_softirqs.h"
#include "host/proc_softnet.h"
#include "host/proc_stat.h"
#include "host/queue_statistics.h"
#include "host/sysfs_nic.h"
#include "host/text.h"

namespace nettoll {
namespace {

namespace fs = std::filesystem;

class HostCaptures : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(folder())) GTEST_SKIP() << "no " << folder();
  }
  static fs::path folder() { return fs::path(NETTOLL_SOURCE_DIR) / "../shared/captures/host"; }
  static std::string read(const std::string& name) {
    std::ifstream file(folder() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static bool has(const std::string& name) { return fs::exists(folder() / name); }
};

/// As many CPUs as there are rows.
CpuSet rows_of(std::string_view text) {
  CpuSet set;
  while (!text.empty()) {
    if (!trimmed(take_line(text)).empty()) set.ids.push_back(static_cast<uint32_t>(set.size()));
  }
  return set;
}

/// What `ethtool -S` printed, as a driver told it.
StatisticsList printed_statistics(std::string_view text) {
  StatisticsList list;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const size_t colon = line.rfind(": ");
    const auto value =
        colon == std::string_view::npos ? std::nullopt : number_of(trimmed(line.substr(colon + 2)));
    if (value) list.emplace_back(line.substr(0, colon), *value);
  }
  return list;
}

template <typename T>
std::string verdict(const Result<T>& result) {
  return result ? "" : result.error().message;
}

TEST_F(HostCaptures, EachParsesOrIsRefusedClearly) {
  // By the first word that a name contains.
  const struct {
    const char* word;
    std::function<std::string(const std::string&)> parse;
  } parsers[] = {
      {"interrupts", [](const std::string& text) { return verdict(parse_interrupts(text)); }},
      {"softirqs", [](const std::string& text) { return verdict(parse_softirqs(text)); }},
      {"softnet_stat", [](const std::string& text) { return verdict(parse_softnet(text, rows_of(text))); }},
      {"netstat", [](const std::string& text) { return verdict(parse_snmp(text)); }},
      {"snmp", [](const std::string& text) { return verdict(parse_snmp(text)); }},
      {"-stat", [](const std::string& text) { return verdict(parse_cpu_times(text)); }},
  };
  const std::set<std::string> refused = {"insights-interrupts-int_invalid_1.txt",
                                         "insights-interrupts-int_invalid_2.txt",
                                         "insights-softnet_stat_3.txt",  // two rows of CPU 0
                                         "procfs-softnet_stat.broken.txt"};
  size_t parsed = 0;
  for (const auto& entry : fs::directory_iterator(folder())) {
    const std::string name = entry.path().filename().string();
    for (const auto& parser : parsers) {
      if (name.find(parser.word) == std::string::npos) continue;
      const std::string why = parser.parse(read(name));
      EXPECT_EQ(!why.empty(), refused.contains(name)) << name << ": " << why;
      parsed += why.empty() ? 1 : 0;
      break;
    }
  }
  EXPECT_GT(parsed, 20u);
}

TEST_F(HostCaptures, NoRowOfInterruptsIsSkipped) {
  for (const auto& entry : fs::directory_iterator(folder())) {
    const std::string name = entry.path().filename().string();
    if (name.find("interrupts") == std::string::npos) continue;
    const auto table = parse_interrupts(read(name));
    if (table) {
      EXPECT_EQ(table->skipped, 0u) << name;
    }
  }
}

TEST_F(HostCaptures, Interrupts) {
  if (!has("procfs-interrupts.txt") || !has("insights-interrupts-int_multi.txt"))
    GTEST_SKIP() << "files are missing";
  const auto four = parse_interrupts(read("procfs-interrupts.txt"));
  ASSERT_TRUE(four);
  EXPECT_EQ(four->rows.at(36).name, "virtio0-input.0");
  EXPECT_EQ(four->rows.at(36).by_cpu, (std::vector<uint64_t>{0, 335, 37, 0}));
  const auto eight = parse_interrupts(read("insights-interrupts-int_multi.txt"));
  ASSERT_TRUE(eight);
  EXPECT_EQ(eight->rows.at(29).name, "enp0s25");
  EXPECT_EQ(eight->rows.at(16).name, "ehci_hcd:usb1, mmc0");
  EXPECT_EQ(eight->rows.at(30).name, "");
}

TEST_F(HostCaptures, Softnet) {
  if (!has("guest-softnet_stat-6.18.txt") || !has("insights-softnet_stat.txt"))
    GTEST_SKIP() << "files are missing";
  const auto fifteen = parse_softnet(read("guest-softnet_stat-6.18.txt"), CpuSet{{0, 1}});
  ASSERT_TRUE(fifteen);
  EXPECT_EQ(fifteen->at(0).processed, 0x314e152u);
  EXPECT_EQ(fifteen->at(1).processed, 0x2208u);
  const auto ten = parse_softnet(read("insights-softnet_stat.txt"), CpuSet{{0, 1, 2, 3}});
  ASSERT_TRUE(ten);
  EXPECT_EQ(ten->at(1).dropped, 0xffu);
  EXPECT_EQ(ten->at(3).received_rps, 8u);
  EXPECT_FALSE(ten->at(3).flow_limit);
}

TEST_F(HostCaptures, StatisticsOfQueues) {
  if (!has("guest-ethtool-S.txt") || !has("node_exporter-ethtool-S-eth0.txt"))
    GTEST_SKIP() << "files are missing";
  const auto guest = queue_statistics(printed_statistics(read("guest-ethtool-S.txt")));
  EXPECT_EQ(guest, (QueueStatistics{{}, {{0, 0}}, {}}));
  EXPECT_EQ(queue_statistics(printed_statistics(read("node_exporter-ethtool-S-eth0.txt"))),
            QueueStatistics{});
}

/// The files of a dump, a line each: "sys/devices/.../net/eth0/mtu: 1500". Devices get what the dump leaves
/// out.
void lay_out(std::string_view text, const FakeRoot& root) {
  std::set<std::string> devices;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const size_t begin = line.find("sys/"), colon = line.find(": ");
    if (begin == std::string_view::npos || colon == std::string_view::npos) continue;
    const std::string path = "/" + std::string(line.substr(begin, colon - begin));
    root.write(path, std::string(line.substr(colon + 2)) + "\n");
    if (const size_t net = path.find("/net/"); path.starts_with("/sys/devices/") && net != std::string::npos)
      devices.insert(path.substr(0, path.find('/', net + 5)));
  }
  int ifindex = 1;
  for (const std::string& device : devices) {
    if (!fs::exists(root.path() + device + "/ifindex"))
      root.write(device + "/ifindex", std::to_string(ifindex++) + "\n");
    root.link(device + "/device", "../..");
    root.link("/sys/class/net/" + device.substr(device.rfind('/') + 1), "../../.." + device);
  }
}

TEST_F(HostCaptures, Devices) {
  if (!has("node_exporter-sysfs-net-queues.txt")) GTEST_SKIP() << "a file is missing";
  FakeRoot root;
  lay_out(read("node_exporter-sysfs-net-queues.txt"), root);
  std::vector<std::string> notes;
  const auto nics = read_nics(KernelFs(root.path()), notes);
  ASSERT_TRUE(nics);
  const auto found =
      std::find_if(nics->begin(), nics->end(), [](const Nic& nic) { return nic.name == "ens10f0"; });
  ASSERT_NE(found, nics->end());
  EXPECT_TRUE(found->physical);
  ASSERT_EQ(found->rx_queues.size(), 8u);
  for (const RxQueue& queue : found->rx_queues) {
    EXPECT_EQ(queue.rps_cpus, CpuSet{});  // 256 CPUs, none set
    EXPECT_EQ(queue.rps_flow_cnt, 0u);
  }
  EXPECT_FALSE(found->tx_queues.empty());
}

TEST_F(HostCaptures, MoreDevices) {
  if (!has("procfs-sysfs-net-and-topology.txt")) GTEST_SKIP() << "a file is missing";
  FakeRoot root;
  lay_out(read("procfs-sysfs-net-and-topology.txt"), root);
  std::vector<std::string> notes;
  const auto nics = read_nics(KernelFs(root.path()), notes);
  ASSERT_TRUE(nics);
  ASSERT_FALSE(nics->empty());
  EXPECT_FALSE(nics->front().up);
  EXPECT_FALSE(nics->front().speed_mbps);
}

}  // namespace
}  // namespace nettoll
