// SPDX-License-Identifier: Apache-2.0
// What went wrong on real hosts, retold from public reports by their numbers. Each has a right answer, and
// many a tempting wrong one; so every case says which findings there are, and no others may be. Where a
// report tells nothing of packets there are four for each interrupt, and a window that makes rates as they
// were.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnose/ledger.h"
#include "unit/diagnose/case_files.h"
#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Diagnosis of(const HostState& window) {
  return diagnose(window, nullptr, nullptr);
}

/// A trace of 10 s.
ProfileBuilder traced(std::vector<Drops> drops) {
  ProfileBuilder trace({"cycles"}, 4);
  trace.profile.duration_ns = 10'000'000'000;
  trace.profile.packets = {{Path::rx, 0, 1'000'000, 1'000'000}};
  trace.profile.drops = std::move(drops);
  return trace;
}

/// CPU `cpu` alone has `count`.
std::vector<uint64_t> at(uint32_t cpu, uint64_t count) {
  std::vector<uint64_t> counts(cpu + 1);
  counts[cpu] = count;
  return counts;
}

TEST(DiagnosisCases, Case01EvenQueuesServedByOneCpu) {
  CaseFiles files(46);
  std::vector<CaseVector> vectors;
  uint64_t sum = 0;
  for (const uint64_t count : {271'490'338, 247'106'142, 255'000'000, 262'000'000, 250'000'000, 249'000'000,
                               268'000'000, 259'000'000}) {
    const auto irq = static_cast<uint32_t>(56 + vectors.size());
    vectors.push_back({irq, fmt::format("eth0-rxtx-{}", vectors.size()), {}, at(0, count)});
    sum += count;
  }
  files.device("eth0", std::vector<std::string>(8, "0000,00000000"), 4 * sum, vectors);
  const Diagnosis diagnosis = of(files.window(20'000));
  ASSERT_THAT(ids(diagnosis), ElementsAre("vectors_on_one_cpu"));
  const Finding& found = diagnosis.findings[0];
  EXPECT_EQ(found.subject, "eth0");
  EXPECT_THAT(found.condition, HasSubstr("CPU 0 serves all 8 busy vectors"));
  EXPECT_TRUE(has_remedy(&found, "> /proc/irq/56/smp_affinity_list"));
  EXPECT_FALSE(has_remedy(&found, "ethtool -X"));
}

TEST(DiagnosisCases, Case02TwoVectorsOnACpuWhileAnotherHasNone) {
  CaseFiles files(4);
  files.device("enp1s0", std::vector<std::string>(4, "0"), 4 * 9'909'713ull,
               {{128, "enp1s0", {}, at(3, 1'710'005)},
                {129, "enp1s0", {}, at(0, 2'216'316)},
                {130, "enp1s0", {}, at(3, 3'127'524)},
                {131, "enp1s0", {}, at(1, 2'855'864)},
                {132, "enp1s0", {}, at(2, 3)},
                {133, "enp1s0", {}, at(0, 1)}});
  const Diagnosis diagnosis = of(files.window(3'600));
  ASSERT_THAT(ids(diagnosis), ElementsAre("vectors_collide"));
  EXPECT_THAT(diagnosis.findings[0].condition, HasSubstr("share CPU 3 while CPU 2 serves none"));
  // The busier of the two stays.
  EXPECT_THAT(diagnosis.findings[0].remedy, ElementsAre("echo 2 > /proc/irq/128/smp_affinity_list"));
}

TEST(DiagnosisCases, Case03SingleQueuesWithoutRpsAndANicThatUsesOneOfEight) {
  CaseFiles files(8);
  files.device("eth0", {"00"}, 4 * 27'389'481ull, {{40, "eth0", {}, at(0, 27'389'481)}});
  files.device("eth1", {"00"}, 4 * 2'682'691ull, {{41, "eth1", {}, at(0, 2'682'691)}});
  std::vector<CaseVector> vectors = {{50, "eth2-0", {}, at(0, 16'876'872)}};
  for (uint32_t queue = 1; queue < 8; ++queue)
    vectors.push_back({50 + queue, fmt::format("eth2-{}", queue), {}, {}});
  files.device("eth2", std::vector<std::string>(8, "00"), 4 * 16'876'872ull, vectors);
  const Diagnosis diagnosis = of(files.window(1'000));
  ASSERT_THAT(ids(diagnosis),
              ElementsAre("rss_not_in_effect", "single_queue_without_rps", "single_queue_without_rps"));
  EXPECT_TRUE(has_remedy(find(diagnosis, "single_queue_without_rps", "eth0"),
                         "echo fe > /sys/class/net/eth0/queues/rx-0/rps_cpus"));
  EXPECT_TRUE(has_remedy(find(diagnosis, "single_queue_without_rps", "eth1"), "/eth1/queues/rx-0/rps_cpus"));
  const Finding* rss = find(diagnosis, "rss_not_in_effect");
  EXPECT_EQ(rss->subject, "eth2");
  EXPECT_THAT(rss->explanation, HasSubstr("CPU 0 serves eth0 and eth1 too"));
  EXPECT_FALSE(has_remedy(rss, "rps_cpus"));
}

/// Eight queues that received these packets, with an even table.
CaseFiles eight_queues(const std::vector<uint64_t>& packets, bool udp_ports) {
  CaseFiles files(8);
  uint64_t sum = 0;
  for (const uint64_t queue : packets) sum += queue;
  files.device("eth0", std::vector<std::string>(8, "00"), sum);
  FakeDriver& driver = files.ethtool.devices["eth0"];
  Indirection table;
  for (uint32_t bucket = 0; bucket < 128; ++bucket) table.queues.push_back(bucket % 8);
  driver.indirection = table;
  driver.channels = Channels{0, 0, 8, 0, 0, 8};
  driver.flow_hash.emplace("udp4", FlowHash{"udp4", true, udp_ports});
  driver.flow_hash.emplace("tcp4", FlowHash{"tcp4", true, true});
  const auto statistics = [&](uint64_t times) {
    StatisticsList list;
    for (size_t queue = 0; queue < packets.size(); ++queue) {
      list.emplace_back(fmt::format("rx_queue_{}_packets", queue), times * packets[queue]);
    }
    return list;
  };
  driver.statistics = statistics(1);
  files.ethtool_before = files.ethtool;
  files.ethtool_before.devices["eth0"].statistics = statistics(0);
  return files;
}

const std::vector<uint64_t> kOneHot = {143'976, 699'764,       26'454, 19'396,
                                       169'114, 8'291'144'458, 30'807, 1'832};
constexpr double kOneHotSeconds = 10'050;  // 825,000 packets a second

void expect_one_flow(const Diagnosis& diagnosis) {
  ASSERT_THAT(ids(diagnosis), ElementsAre("one_dominant_flow"));
  for (const char* wrong : {"ethtool -X", "ethtool -L", "ethtool -N", "rps_cpus", "rps_flow_cnt"}) {
    EXPECT_FALSE(has_remedy(&diagnosis.findings[0], wrong)) << wrong;
  }
  EXPECT_THAT(diagnosis.findings[0].condition, HasSubstr("queue 5 of eth0"));
}

TEST(DiagnosisCases, Case04OneFlowThatNoHashDivides) {
  expect_one_flow(of(eight_queues(kOneHot, true).window(kOneHotSeconds)));
}

TEST(DiagnosisCases, Case04TheSameFromADriverThatTellsNoTable) {
  CaseFiles files = eight_queues(kOneHot, true);
  for (FakeEthtool* source : {&files.ethtool, &files.ethtool_before}) {
    source->devices["eth0"].indirection = FakeDriver::refusal();
    source->devices["eth0"].flow_hash.clear();
  }
  expect_one_flow(of(files.window(kOneHotSeconds)));
}

TEST(DiagnosisCases, Case05HashOnAddressesAlone) {
  const Diagnosis diagnosis = of(eight_queues({0, 0, 0, 5'000'000, 0, 120, 0, 0}, false).window(10));
  ASSERT_THAT(ids(diagnosis), ElementsAre("hash_on_addresses_only"));
  EXPECT_THAT(diagnosis.findings[0].remedy, ElementsAre("ethtool -N eth0 rx-flow-hash udp4 sdfn"));
  EXPECT_THAT(diagnosis.findings[0].explanation, HasSubstr("Some devices refuse that"));
}

TEST(DiagnosisCases, Case06OneSaturatedCpuHiddenByTheMean) {
  CaseFiles files(12);
  // 12,000 ticks: 88.8% idle, 8.6% softirq, the rest in programs.
  std::vector<std::array<uint64_t, 3>> ticks(12, {28, 969, 3});
  ticks[10] = {0, 0, 1'000};
  ticks[11] = {16, 966, 2};
  files.times(ticks);
  for (uint32_t cpu = 0; cpu < 12; ++cpu) files.ksoftirqd(cpu, cpu == 10 ? 1'000 : 0);
  files.device("eth0", std::vector<std::string>(8, "000"), 8'000'000);
  const Diagnosis diagnosis = of(files.window(10));
  ASSERT_THAT(ids(diagnosis), ElementsAre("softirq_cpu_saturated"));
  const Finding& found = diagnosis.findings[0];
  EXPECT_EQ(found.subject, "CPU 10");
  EXPECT_EQ(found.severity, Severity::critical);
  EXPECT_THAT(found.explanation, HasSubstr("the mean of all CPUs hides it"));
  EXPECT_THAT(found.explanation, HasSubstr("cause is not established"));
  EXPECT_EQ(check(diagnosis, "rss_not_in_effect")->outcome, Check::Outcome::unknown);
}

TEST(DiagnosisCases, Case07RpsOffOnASingleQueueOf32Cpus) {
  CaseFiles files(32);
  files.device("eth0", {"00000000,00000000,00000000,00000000"}, 2'000'000,
               {{30, "eth0", {}, at(4, 500'000)}});
  const Diagnosis diagnosis = of(files.window(10));
  ASSERT_THAT(ids(diagnosis), ElementsAre("single_queue_without_rps"));
  EXPECT_THAT(diagnosis.findings[0].remedy,
              ElementsAre("echo ffffffef > /sys/class/net/eth0/queues/rx-0/rps_cpus"));
}

TEST(DiagnosisCases, Case07RpsOnInASpellingLongerThanTheCpus) {
  CaseFiles files(32);
  files.device("eth0", {"00000000,00000000,00000000,ffffffef"}, 2'000'000,
               {{30, "eth0", {}, at(4, 500'000)}});
  EXPECT_THAT(ids(of(files.window(10))), IsEmpty());
}

TEST(DiagnosisCases, Case08FourQueuesOnFourCpusWithoutRpsAreHealthy) {
  for (const uint64_t packets : {400ull, 4'000'000ull}) {
    CaseFiles files(4);
    std::vector<CaseVector> vectors;
    for (uint32_t queue = 0; queue < 4; ++queue) {
      vectors.push_back({60 + queue, fmt::format("eth0-TxRx-{}", queue), {}, at(queue, packets / 16)});
    }
    files.device("eth0", std::vector<std::string>(4, "0"), packets, vectors);
    const Diagnosis diagnosis = of(files.window(10));
    EXPECT_THAT(ids(diagnosis), IsEmpty());
    const Check* rps = check(diagnosis, "single_queue_without_rps");
    EXPECT_EQ(rps->outcome, packets > 1'000 ? Check::Outcome::fine : Check::Outcome::unknown);
    EXPECT_EQ(rps->why.starts_with("too little traffic"), packets < 1'000);
  }
}

CaseFiles busy_with_other_softirqs() {
  CaseFiles files(8);
  files.times(std::vector<std::array<uint64_t, 3>>(8, {200, 200, 600}));
  for (uint32_t cpu = 0; cpu < 8; ++cpu) files.ksoftirqd(cpu, 600);
  files.device("eth0", std::vector<std::string>(4, "00"), 750,
               {{60, "eth0-TxRx-0", {}, at(0, 750)},
                {61, "eth0-TxRx-1", {}, at(1, 0)},
                {62, "eth0-TxRx-2", {}, at(2, 0)},
                {63, "eth0-TxRx-3", {}, at(3, 0)}});
  std::string softnet_before;
  std::string softnet;
  for (uint32_t cpu = 0; cpu < 8; ++cpu) {
    const auto row = [cpu](uint32_t processed) {
      return fmt::format(
          "{:08x} 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
          "00000000 00000000 {:08x}\n",
          processed, cpu);
    };
    softnet_before += row(7);
    softnet += row(7 + 94);
  }
  files.change("/proc/net/softnet_stat", softnet_before, softnet);
  return files;
}

TEST(DiagnosisCases, Case09SoftirqTimeThatIsNotTheNetworks) {
  // 75 interrupts and as many packets a second, all on one queue of four: a handful of flows.
  const HostState window = busy_with_other_softirqs().window(10);
  // With the time of NET_RX, and at a full CPU too.
  HostState full = window;
  for (auto& cpu : full.cpus) *cpu.times = CpuTimes{0, 0, 0, 0, 0, 0, 1'000, 0};
  auto trace = traced({});
  for (uint32_t cpu = 0; cpu < 8; ++cpu) {
    trace.profile.softirqs.push_back({1, cpu, 100'000, 6'000'000'000});
    trace.profile.softirqs.push_back({3, cpu, 94, 4'000'000});
  }
  for (const HostState& state : {window, full}) {
    EXPECT_THAT(ids(of(state)), IsEmpty());
    EXPECT_THAT(ids(diagnose(state, trace.profile)), IsEmpty());
  }
}

TEST(DiagnosisCases, Case10BacklogOverflowIsNotTheBudget) {
  const char* const kZeros = "00000000 00000000 00000000 00000000 00000000 00000000 00000000";
  // Nine columns, as kernels had that know neither RPS nor the CPU's id; and fifteen.
  for (const bool old : {true, false}) {
    CaseFiles files(2);
    const auto row = [&](const char* counts, uint32_t cpu) {
      return old ? fmt::format("{} 00000000 {}\n", counts, kZeros).substr(0, 9 * 9 - 1) + "\n"
                 : fmt::format("{} 00000000 {} 00000000 00000000 {:08x} 00000000 00000000\n", counts, kZeros,
                               cpu);
    };
    files.change("/proc/net/softnet_stat", row("00000000 00000000", 0) + row("00000000 00000000", 1),
                 row("000bb344 00000471", 0) + row("000bc76f 00000305", 1));
    files.both("/proc/sys/net/core/netdev_max_backlog", "1000\n");
    files.both("/proc/sys/net/core/netdev_budget", "300\n");
    const Diagnosis diagnosis = of(files.window(60));
    ASSERT_THAT(ids(diagnosis), ElementsAre("backlog_overflow")) << old;
    const Finding& found = diagnosis.findings[0];
    EXPECT_TRUE(has_remedy(&found, "sysctl -w net.core.netdev_max_backlog=2000"));
    EXPECT_FALSE(has_remedy(&found, "netdev_budget"));
    EXPECT_EQ(found.evidence[0], (Evidence{"dropped on CPU 0", 0x471, "packets"}));
    EXPECT_EQ(found.evidence[1], (Evidence{"dropped on CPU 1", 0x305, "packets"}));
    EXPECT_EQ(check(diagnosis, "time_squeeze")->outcome, Check::Outcome::fine);
  }
}

TEST(DiagnosisCases, Case11AfUnixIsNoNetworkDrop) {
  const HostBuilder host(4);
  auto trace = traced({drop("NOT_SPECIFIED", "unix_stream_connect", 5'000, "", "none")});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "drop_storm")->outcome, Check::Outcome::fine);
  const Ledger ledger = make_ledger(host.state, &trace.profile);
  EXPECT_THAT(ledger.losses, IsEmpty());
  ASSERT_THAT(ledger.noise, SizeIs(1));
  EXPECT_EQ(ledger.noise[0].packets, 5'000u);
}

TEST(DiagnosisCases, Case12AHorizonDropWhileForwardingIsALossOfSending) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  host.nic("eth1", 4);
  auto trace = traced({drop("FQ_HORIZON_LIMIT", "fq_enqueue", 3'000, "eth1")});
  trace.sample(0, 0,
               {"sk_skb_reason_drop", "fq_enqueue", "__dev_queue_xmit", "ip_forward", "ip_rcv", "__napi_poll",
                "net_rx_action", "handle_softirqs"},
               20, 1'000);
  trace.count(0, 0, 20'000);
  const CostTable costs = correlate(trace.profile);
  EXPECT_EQ(costs.path(Path::tx)->events[0].samples, 20u);  // the innermost entry point
  EXPECT_EQ(costs.path(Path::rx)->events[0].samples, 0u);
  const Diagnosis diagnosis = diagnose(host.state, &trace.profile, &costs);
  ASSERT_THAT(ids(diagnosis), ElementsAre("qdisc_drops"));
  EXPECT_EQ(diagnosis.findings[0].subject, "eth1");
  EXPECT_THAT(diagnosis.findings[0].explanation, HasSubstr("time stamp of another clock"));
  EXPECT_TRUE(has_remedy(&diagnosis.findings[0], "horizon_cap"));
  EXPECT_THAT(make_ledger(host.state, &trace.profile).losses,
              ElementsAre(LedgerRow{DropLayer::qdisc, "eth1", "FQ_HORIZON_LIMIT", "kfree_skb", 3'000}));
}

TEST(DiagnosisCases, Case13AReceiverThatIsTooSlow) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  auto trace = traced({drop("SOCKET_RCVBUFF", "__udp_enqueue_schedule_skb", 100)});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  ASSERT_THAT(ids(diagnosis), ElementsAre("receive_buffer_overflow"));
  EXPECT_TRUE(has_remedy(&diagnosis.findings[0], "net.core.rmem_max="));
  EXPECT_EQ(diagnosis.findings[0].severity, Severity::warning);
}

TEST(DiagnosisCases, Case14AFreeHelperIsNotWhoDropped) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  auto trace = traced({drop("QDISC_DROP", "kfree_skb_list_reason", 5'000)});
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  ASSERT_THAT(ids(diagnosis), ElementsAre("qdisc_drops"));
  EXPECT_EQ(diagnosis.findings[0].subject, "eth0");
  EXPECT_THAT(words(diagnosis.findings[0]), Not(HasSubstr("kfree_skb_list_reason")));
}

TEST(DiagnosisCases, Case15ASlowReaderOfAHugeBuffer) {
  CaseFiles files(4);
  const auto table = [](uint64_t drops) {
    return fmt::format(
        "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode "
        "ref "
        "pointer drops\n"
        " 1201: 00000000:14EB 00000000:0000 07 00000000:3FFFFFC0 00:00000000 00000000     0        0 47110 2 "
        "0000000000000000 {}\n",
        drops);
  };
  files.change("/proc/net/udp", table(0), table(1'875'166'813));
  files.both("/proc/812/comm", "collectd\n");
  files.both("/proc/sys/net/core/rmem_max", "1073741824\n");
  const Diagnosis diagnosis = of(files.window(86'400));
  ASSERT_THAT(ids(diagnosis), ElementsAre("receive_buffer_overflow"));
  const Finding& found = diagnosis.findings[0];
  EXPECT_EQ(found.subject, "UDP port 5355");
  EXPECT_EQ(found.severity, Severity::critical);
  EXPECT_THAT(found.explanation, HasSubstr("A larger buffer fills up as well"));
  for (const char* wrong : {"rmem", "ethtool", "rps"}) EXPECT_FALSE(has_remedy(&found, wrong)) << wrong;
}

TEST(DiagnosisCases, Case16UnevenSinceBootAndEvenNow) {
  CaseFiles files(4);
  std::vector<CaseVector> vectors;
  for (uint32_t queue = 0; queue < 4; ++queue) {
    std::vector<uint64_t> before = {2'000'000'000, 0, 0, 0};
    std::vector<uint64_t> after = before;
    after[queue] += 250'000;
    vectors.push_back({60 + queue, fmt::format("eth0-TxRx-{}", queue), before, after});
  }
  files.device("eth0", std::vector<std::string>(4, "0"), 4'000'000, vectors);
  const Diagnosis diagnosis = of(files.window(10));
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "vectors_on_one_cpu")->outcome, Check::Outcome::fine);
  EXPECT_EQ(check(diagnosis, "rss_not_in_effect")->outcome, Check::Outcome::fine);
}

TEST(DiagnosisCases, Case17TransmitCompletionIsNoLoss) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  auto trace = traced({drop("NOT_SPECIFIED", "dev_kfree_skb_any_reason", 1'000'000)});
  trace.profile.packets.push_back({Path::tx, 0, 1'000'000, 1'000'000});
  EXPECT_THAT(ids(diagnose(host.state, trace.profile)), IsEmpty());
  const Ledger ledger = make_ledger(host.state, &trace.profile);
  EXPECT_THAT(ledger.losses, IsEmpty());
  EXPECT_THAT(ledger.noise,
              ElementsAre(LedgerRow{DropLayer::transmit, "eth0", "NOT_SPECIFIED", "kfree_skb", 1'000'000}));
}

}  // namespace
}  // namespace nettoll
