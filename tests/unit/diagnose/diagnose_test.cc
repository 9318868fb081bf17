// SPDX-License-Identifier: Apache-2.0
// What holds for every input.
#include "diagnose/diagnose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <set>

#include "diagnose/ledger.h"
#include "unit/diagnose/diagnosed.h"

namespace nettoll {
namespace {

using ::testing::IsEmpty;

/// Every rule has its check, findings agree with them, and every number is one.
void expect_sound(const Diagnosis& diagnosis, const std::string& what) {
  ASSERT_EQ(diagnosis.checks.size(), rules().size()) << what;
  std::set<std::string> found;
  for (const auto& finding : diagnosis.findings) {
    found.insert(finding.id);
    EXPECT_FALSE(finding.subject.empty() || finding.condition.empty() || finding.explanation.empty())
        << finding.id;
    EXPECT_FALSE(finding.evidence.empty()) << finding.id;
    for (const auto& numbers : {finding.evidence, finding.cost}) {
      for (const auto& one : numbers)
        EXPECT_TRUE(std::isfinite(one.value)) << what << ' ' << finding.id << ' ' << one.what;
    }
    EXPECT_THAT(words(finding), ::testing::Not(::testing::HasSubstr("nan"))) << finding.id;
  }
  for (size_t i = 0; i < diagnosis.checks.size(); ++i) {
    const Check& one = diagnosis.checks[i];
    EXPECT_EQ(one.id, rules()[i].id);
    EXPECT_EQ(one.outcome == Check::Outcome::found, found.contains(one.id)) << what << ' ' << one.id;
    EXPECT_EQ(one.outcome == Check::Outcome::unknown, !one.why.empty()) << what << ' ' << one.id;
  }
  for (size_t i = 1; i < diagnosis.findings.size(); ++i) {
    EXPECT_GE(diagnosis.findings[i - 1].severity, diagnosis.findings[i].severity) << what;
  }
}

void expect_all_unknown(const Diagnosis& diagnosis, const std::string& what) {
  expect_sound(diagnosis, what);
  EXPECT_THAT(ids(diagnosis), IsEmpty()) << what;
  for (const auto& one : diagnosis.checks)
    EXPECT_EQ(one.outcome, Check::Outcome::unknown) << what << ' ' << one.id;
}

TEST(Diagnose, RulesHaveTheirOwnIds) {
  std::set<std::string> all;
  for (const auto& rule : rules()) EXPECT_TRUE(all.insert(rule.id).second) << rule.id;
  EXPECT_EQ(all.size(), 26u);
}

TEST(Diagnose, NothingIsKnownOfNothing) {
  HostState nothing;
  expect_all_unknown(diagnose(nothing, nullptr, nullptr), "empty");
  nothing.seconds = 10;
  expect_all_unknown(diagnose(nothing, nullptr, nullptr), "empty window");
}

TEST(Diagnose, TotalsSinceBootAreNotJudged) {
  for (const double seconds : {0.0, -1.0, std::nan("")}) {
    HostBuilder host(4);
    Nic& nic = host.nic("eth0", 4);
    HostBuilder::table(nic, {128, 0, 0, 0});
    HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
    nic.link.rx_missed = 1'000'000;
    host.state.cpus[0].softnet->dropped = 1'000'000;
    host.state.udp = {{false, 514, 7, 0, 1'000'000, ""}};
    host.state.protocols["Udp.RcvbufErrors"] = 1'000'000;
    nic.qdiscs[0].drops = 1'000'000;
    host.state.seconds = seconds;
    expect_all_unknown(diagnose(host), std::to_string(seconds));
  }
}

TEST(Diagnose, DevicesThatTellNothing) {
  HostState window;
  window.seconds = 10;
  window.cpus.resize(4);
  for (uint32_t id = 0; id < 4; ++id) window.cpus[id].id = id;
  Nic nic;
  nic.name = "eth0";
  nic.physical = nic.up = true;
  nic.link.rx_packets = 1'000'000;
  window.nics.push_back(nic);
  const Diagnosis diagnosis = diagnose(window, nullptr, nullptr);
  expect_sound(diagnosis, "silent");
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  for (const char* id : {"rss_not_in_effect", "vectors_on_one_cpu", "single_queue_without_rps",
                         "rps_mask_wrong", "softirq_cpu_saturated", "backlog_overflow", "gro_off"}) {
    EXPECT_EQ(check(diagnosis, id)->outcome, Check::Outcome::unknown) << id;
  }
}

TEST(Diagnose, OneCpuHasNothingToSpread) {
  HostBuilder host(1);
  Nic& nic = host.nic("eth0", 4);
  HostBuilder::table(nic, {128, 0, 0, 0});
  HostBuilder::receive(nic, {1'000'000, 0, 0, 0});
  const Diagnosis diagnosis = diagnose(host);
  expect_sound(diagnosis, "one CPU");
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  EXPECT_EQ(check(diagnosis, "rss_not_in_effect")->why, "one CPU: there is nothing to spread to");
}

TEST(Diagnose, AHealthyHostHasEveryCheckFine) {
  HostBuilder host(4);
  host.nic("eth0", 4);
  ProfileBuilder trace({"cycles"}, 4);
  for (uint32_t cpu = 0; cpu < 4; ++cpu) {
    trace.sample(0, cpu, {"ip_rcv", "net_rx_action"}, 100, 1000).count(0, cpu, 1'000'000);
    trace.profile.packets.push_back({Path::rx, cpu, 10'000, 10'000});
    trace.profile.softirqs.push_back({3, cpu, 1'000, 50'000'000});
  }
  const Diagnosis diagnosis = diagnose(host.state, trace.profile);
  expect_sound(diagnosis, "healthy");
  EXPECT_THAT(ids(diagnosis), IsEmpty());
  for (const auto& one : diagnosis.checks)
    EXPECT_EQ(one.outcome, Check::Outcome::fine) << one.id << ": " << one.why;
}

TEST(Diagnose, AnEmptyTraceIsOne) {
  const Profile nothing;
  const CostTable costs;
  const HostBuilder host(2);
  expect_sound(diagnose(host.state, &nothing, &costs), "empty trace");
  expect_sound(diagnose(HostState{}, &nothing, &costs), "empty all");
}

/// Random hosts: numbers of every size, queues and CPUs that do not fit each other, answers missing.
class RandomHost {
 public:
  explicit RandomHost(uint32_t seed) : random_(seed) {}

  HostState state() {
    HostState window;
    window.seconds = below(4) ? below(100) * 0.5 : 0;
    const uint32_t cpus = below(6);
    for (uint32_t id = 0; id < cpus; ++id) window.cpus.push_back(cpu(id * (1 + below(3))));
    const uint32_t nics = below(3);
    for (uint32_t i = 0; i < nics; ++i) window.nics.push_back(nic(i));
    for (uint32_t i = below(4); i > 0; --i) {
      window.udp.push_back({below(2) == 0, static_cast<uint16_t>(below(65536)), below(99), any(), any(), ""});
    }
    if (below(2))
      window.protocols = {{"Udp.InDatagrams", any()}, {"Tcp.InSegs", any()}, {"Udp.RcvbufErrors", any()}};
    if (below(2)) window.settings.rps_sock_flow_entries = below(3);
    if (below(2)) window.settings.netdev_budget = any();
    if (below(2)) window.irqbalance = below(2) == 0;
    return window;
  }

  Profile profile() {
    ProfileBuilder trace({"cycles", "cache-misses"}, 4);
    if (below(3) == 0) trace.profile.duration_ns = 0;
    for (uint32_t cpu = 0; cpu < below(5); ++cpu) {
      trace.sample(below(2), cpu, {"native_queued_spin_lock_slowpath", "net_rx_action"}, 1 + below(99),
                   below(999));
      trace.profile.packets.push_back({Path::rx, cpu, any(), any()});
      trace.profile.softirqs.push_back({3, cpu, any(), any()});
      trace.profile.queues.push_back({{0, 2}, "eth0", static_cast<int32_t>(below(6)) - 1, any()});
      trace.profile.drops.push_back(drop(below(2) ? "QDISC_DROP" : "NO_SOCKET", "f", any()));
    }
    return trace.profile;
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  /// 0 often, and otherwise of any size below 2^40.
  uint64_t any() { return below(3) == 0 ? 0 : (uint64_t{below(1u << 30)} << 10) >> below(40); }
  CpuSet set() {
    CpuSet cpus;
    for (uint32_t id = 0; id < 40; id += 1 + below(20)) cpus.ids.push_back(id);
    if (below(2)) cpus.ids.clear();
    return cpus;
  }

  HostCpu cpu(uint32_t id) {
    HostCpu cpu;
    cpu.id = id;
    if (below(2)) cpu.numa_node = static_cast<int>(below(2));
    if (below(2)) cpu.softnet = Softnet{any(), any(), any(), any(), any(), {}};
    if (below(2)) cpu.times = CpuTimes{any(), 0, any(), any(), 0, 0, any(), 0};
    if (below(2)) cpu.ksoftirqd_ticks = any();
    if (below(2)) cpu.softirqs["NET_RX"] = any();
    return cpu;
  }

  Nic nic(uint32_t i) {
    Nic nic;
    nic.name = "eth" + std::to_string(i);
    nic.ifindex = i + 2;
    nic.physical = nic.up = below(5) > 0;
    if (below(2)) nic.numa_node = static_cast<int>(below(3));
    nic.link.rx_packets = any();
    nic.link.tx_packets = any();
    nic.link.rx_missed = any();
    for (uint32_t queue = 0; queue < below(6); ++queue) {
      nic.rx_queues.push_back({queue, {}, {}, {}, {}});
      if (below(4)) nic.rx_queues.back().packets = any();
      if (below(4)) nic.rx_queues.back().rps_cpus = set();
      if (below(4)) nic.rx_queues.back().rps_flow_cnt = below(2) * 128;
      nic.tx_queues.push_back({queue, {}, {}});
      if (below(4)) nic.tx_queues.back().xps_cpus = set();
      Vector vector;
      vector.irq = queue;
      vector.role = static_cast<Vector::Role>(below(5));
      if (below(2)) vector.queue = below(6);
      for (uint32_t n = below(8); n > 0; --n) vector.by_cpu.push_back(any());
      if (below(2)) vector.effective_affinity = set();
      nic.vectors.push_back(vector);
    }
    if (below(2)) nic.channels.value = Channels{below(4), below(4), below(4), below(8), below(8), below(8)};
    if (below(2)) nic.rings.value = RingSizes{below(512), 0, below(512), 0};
    if (below(2)) nic.indirection.value = Indirection{{below(8), below(8), below(8)}, "", {}};
    if (below(2)) nic.flow_hash["udp4"].value = FlowHash{"udp4", below(2) == 0, below(2) == 0};
    if (below(2)) nic.coalescing.value = Coalescing{below(2), 0, false};
    if (below(2)) nic.features["rx-gro"] = below(2) == 0;
    if (below(2)) nic.statistics.value = {{"rx_out_of_buffer", any()}, {"rx0_xdp_drop", any()}, {"7", any()}};
    if (below(2)) nic.qdiscs.push_back({"fq", "1:", below(2) ? "root" : "1:1", any(), any(), 0, 0});
    return nic;
  }

  std::mt19937 random_;
};

TEST(Diagnose, AnyInputGivesASoundAnswer) {
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    RandomHost random(seed);
    const HostState window = random.state();
    const std::string what = "seed " + std::to_string(seed);
    expect_sound(diagnose(window, nullptr, nullptr), what);
    const Profile profile = random.profile();
    expect_sound(diagnose(window, profile), what + " traced");
    for (const auto& row : make_ledger(window, &profile).losses) EXPECT_GT(row.packets, 0u) << what;
  }
}

/// The page has a row for each rule, and no row for what is no rule.
TEST(Diagnose, EveryRuleIsExplained) {
  std::ifstream file(NETTOLL_SOURCE_DIR "/deploy/docs/findings.md");
  std::multiset<std::string> rows;
  for (std::string line; std::getline(file, line);) {
    const size_t end = line.find("` |");
    if (line.starts_with("| `") && end != line.npos) rows.insert(line.substr(3, end - 3));
  }
  std::multiset<std::string> ids;
  for (const Rule& rule : rules()) ids.emplace(rule.id);
  EXPECT_EQ(rows, ids);
}

}  // namespace
}  // namespace nettoll
