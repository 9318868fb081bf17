// SPDX-License-Identifier: Apache-2.0
// What nettoll counts equals what the kernel counts, to the unit.
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "base/capabilities.h"
#include "cli/live_session.h"
#include "live/kernel_counters.h"
#include "live/traffic.h"

namespace nettoll::live {
namespace {

TraceOptions counting_only() {
  TraceOptions options;
  options.set = "wide";
  options.events = {"none"};
  options.queues = true;
  return options;
}

/// Sums of several windows.
struct Counts {
  std::map<std::string, uint64_t> calls;
  std::map<Path, uint64_t> packets;
  std::map<Path, uint64_t> segments;
  std::map<std::pair<uint32_t, std::string>, uint64_t> drops;     ///< by netns and reason
  std::map<std::pair<uint32_t, std::string>, uint64_t> received;  ///< by netns and device, any queue
  std::map<uint32_t, uint64_t> rx_by_cpu;
  uint64_t backlog_packets = 0;
  uint64_t net_rx_runs = 0;
  uint64_t lost = 0;

  void add(const Profile& profile) {
    for (const auto& row : profile.calls) calls[profile.session.functions[row.function].name] += row.total();
    for (const auto& row : profile.packets) {
      packets[row.path] += row.packets;
      segments[row.path] += row.segments;
      if (row.path == Path::rx) rx_by_cpu[row.cpu] += row.packets;
    }
    for (const auto& row : profile.drops) drops[{row.netns, row.reason}] += row.packets;
    for (const auto& row : profile.queues) received[{row.id.netns, row.device}] += row.packets;
    for (const auto& row : profile.napi) backlog_packets += row.device == "backlog" ? row.packets : 0;
    for (const auto& row : profile.softirqs) net_rx_runs += row.vector == 3 ? row.runs : 0;
    for (const auto& row : profile.losses) lost += row.kind == LossKind::missed_run ? 0 : row.count;
  }
};

/// Runs of NET_RX on all CPUs since boot, from /proc/softirqs.
uint64_t net_rx_softirqs() {
  const auto text = KernelFs().read("/proc/softirqs");
  if (!text) return 0;
  const size_t at = text->find("NET_RX:");
  std::istringstream line(text->substr(at + 7, text->find('\n', at) - at - 7));
  uint64_t sum = 0;
  for (uint64_t n = 0; line >> n;) sum += n;
  return sum;
}

class ExactCounts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = missing_for_netns(); !missing.empty()) GTEST_SKIP() << missing;
    if (auto ok = check_tracing_rights(KernelFs()); !ok) GTEST_SKIP() << ok.error().text();
  }

  static VethPair make() {
    auto pair = VethPair::create();
    if (!pair) throw std::runtime_error(pair.error().text());
    return std::move(*pair);
  }
  static LiveSession start() {
    auto session = LiveSession::start(counting_only(), KernelFs());
    if (!session) throw std::runtime_error(session.error().text());
    return std::move(*session);
  }
  static KernelCounters counters(const VethEnd& end) {
    auto read = read_kernel_counters(end.ns);
    if (!read) throw std::runtime_error(read.error().text());
    return *read;
  }
  static void read(LiveSession& session, Counts& counts) {
    auto profile = session.read();
    if (!profile) throw std::runtime_error(profile.error().text());
    counts.add(*profile);
  }
};

TEST_F(ExactCounts, OneMillionPacketsHalfToAClosedPort) {
  constexpr uint64_t kPackets = 1'000'000;
  const VethPair pair = make();
  // The host may have traffic of its own between two reads. Counters read outside and inside nettoll's window
  // bracket what it may see; on a quiet host the brackets meet.
  const auto outer0 = counters(pair.b);
  const uint64_t outer_runs0 = net_rx_softirqs();
  LiveSession session = start();
  Counts none;
  read(session, none);
  const auto a0 = counters(pair.a), b0 = counters(pair.b);
  const uint64_t inner_runs0 = net_rx_softirqs();

  const auto sent =
      send_udp(pair.a, pair.b, {.packets = kPackets, .open = kPackets / 2, .size = 64, .cpu = 0});
  ASSERT_TRUE(sent) << sent.error().text();
  ASSERT_EQ(sent->sent, kPackets);

  const auto a = difference(counters(pair.a), a0), b = difference(counters(pair.b), b0);
  const uint64_t inner_runs = net_rx_softirqs() - inner_runs0;
  Counts counts;
  read(session, counts);
  const auto outer = difference(counters(pair.b), outer0);
  const uint64_t outer_runs = net_rx_softirqs() - outer_runs0;

  const auto netns_a = static_cast<uint32_t>(pair.a.ns.inode()),
             netns_b = static_cast<uint32_t>(pair.b.ns.inode());
  EXPECT_EQ(counts.lost, 0u);
  EXPECT_EQ(b.protocol("UdpNoPorts"), static_cast<int64_t>(kPackets / 2));
  // Drops by reason in the receiver's namespace: /proc/net/snmp's UdpNoPorts.
  EXPECT_EQ((counts.drops[{netns_b, "NO_SOCKET"}]), static_cast<uint64_t>(b.protocol("UdpNoPorts")));
  // Packets by device: /proc/net/dev of each namespace.
  EXPECT_EQ((counts.received[{netns_b, pair.b.device}]), b.device(pair.b.device).rx_packets);
  EXPECT_EQ((counts.received[{netns_a, pair.a.device}]), a.device(pair.a.device).rx_packets);
  // Packets of the receive path: softnet's processed, over all CPUs and on the CPU that sent.
  EXPECT_GE(counts.packets[Path::rx], b.softnet_processed());
  EXPECT_LE(counts.packets[Path::rx], outer.softnet_processed());
  EXPECT_GE(counts.rx_by_cpu[0], b.softnet.at(0).processed);
  EXPECT_LE(counts.rx_by_cpu[0], outer.softnet.at(0).processed);
  EXPECT_EQ(counts.calls["__netif_receive_skb_core"], counts.packets[Path::rx]);
  EXPECT_EQ(counts.segments[Path::rx], counts.packets[Path::rx]) << "no packet is merged here";
  // Both ends' devices transmit what the path sent.
  EXPECT_GE(counts.packets[Path::tx],
            a.device(pair.a.device).tx_packets + b.device(pair.b.device).tx_packets);
  EXPECT_GE(counts.net_rx_runs, inner_runs);
  EXPECT_LE(counts.net_rx_runs, outer_runs);
  EXPECT_EQ(counts.calls["net_rx_action"], counts.net_rx_runs);
  if (outer.softnet_processed() == b.softnet_processed()) {
    // A quiet host: everything is known exactly.
    EXPECT_EQ(counts.packets[Path::rx], kPackets + kPackets / 2);
    EXPECT_EQ(counts.packets[Path::tx], kPackets + kPackets / 2);
    EXPECT_EQ(counts.backlog_packets, kPackets + kPackets / 2);
  }
}

TEST_F(ExactCounts, TrafficFromTwoCpus) {
  const auto cpus = KernelFs().online_cpus();
  ASSERT_TRUE(cpus);
  if (cpus->size() < 2) GTEST_SKIP() << "a second CPU is missing";
  const VethPair one = make(), two = make();
  LiveSession session = start();
  Counts counts;
  auto first = start_udp(one.a, one.b, {.packets = 300'000, .open = 100'000, .cpu = cpus->ids[0]});
  auto second = start_udp(two.a, two.b, {.packets = 400'000, .open = 0, .cpu = cpus->ids[1]});
  ASSERT_TRUE(first) << first.error().text();
  ASSERT_TRUE(second) << second.error().text();
  // Reading while it runs must lose nothing.
  while (first->running() || second->running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    read(session, counts);
  }
  ASSERT_TRUE(first->wait());
  ASSERT_TRUE(second->wait());
  read(session, counts);
  for (const auto& [pair, packets, no_port] :
       {std::tuple{&one, 300'000u, 200'000u}, {&two, 400'000u, 400'000u}}) {
    const auto netns = static_cast<uint32_t>(pair->b.ns.inode());
    const auto kernel = counters(pair->b);
    EXPECT_EQ(kernel.device(pair->b.device).rx_packets, packets);
    EXPECT_EQ((counts.received[{netns, pair->b.device}]), packets);
    EXPECT_EQ((counts.drops[{netns, "NO_SOCKET"}]), no_port);
    EXPECT_EQ(static_cast<uint64_t>(kernel.protocol("UdpNoPorts")), no_port);
  }
  EXPECT_EQ(counts.lost, 0u);
}

TEST_F(ExactCounts, AttachedAndDetachedWhileTrafficRuns) {
  const VethPair pair = make();
  auto traffic = start_udp(pair.a, pair.b, {.packets = 400'000, .open = 0, .cpu = 0, .rate = 100'000});
  ASSERT_TRUE(traffic) << traffic.error().text();
  const auto netns = static_cast<uint32_t>(pair.b.ns.inode());
  int rounds = 0;
  while (traffic->running() && rounds < 5) {
    const auto before = counters(pair.b);
    Counts counts;
    {
      LiveSession session = start();
      const auto inner0 = counters(pair.b);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      const auto inner = difference(counters(pair.b), inner0);
      read(session, counts);
      const auto outer = difference(counters(pair.b), before);
      EXPECT_GE((counts.received[{netns, pair.b.device}]), inner.device(pair.b.device).rx_packets);
      EXPECT_LE((counts.received[{netns, pair.b.device}]), outer.device(pair.b.device).rx_packets);
      EXPECT_GE((counts.drops[{netns, "NO_SOCKET"}]), static_cast<uint64_t>(inner.protocol("UdpNoPorts")));
      EXPECT_LE((counts.drops[{netns, "NO_SOCKET"}]), static_cast<uint64_t>(outer.protocol("UdpNoPorts")));
    }
    ++rounds;
  }
  EXPECT_GE(rounds, 2) << "the traffic ended too early to say anything";
  const auto sent = traffic->wait();
  ASSERT_TRUE(sent) << sent.error().text();
  EXPECT_EQ(sent->sent, 400'000u) << "tracing must not stop traffic";
}

}  // namespace
}  // namespace nettoll::live
