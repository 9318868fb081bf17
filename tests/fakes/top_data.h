// SPDX-License-Identifier: Apache-2.0
// Refreshes of the live screen for tests and benchmarks.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>

#include "correlate/correlate.h"
#include "fakes/profile_builder.h"
#include "tui/data.h"

namespace nettoll::tui {

/// A second of a host with two CPUs, one of which receives 200,000 packets: every number can be worked out by
/// hand.
inline TopData small_refresh() {
  ProfileBuilder builder({"cpu-clock"}, 2);
  Profile& profile = builder.profile;
  constexpr uint64_t kPeriod = 10'000'000;
  const auto sample = [&](uint32_t cpu, const std::vector<std::string>& stack, uint32_t samples) {
    builder.sample(0, cpu, stack, samples, samples * kPeriod);
  };
  sample(0, {"__udp4_lib_rcv", "ip_rcv", "net_rx_action"}, 50);
  sample(0, {"net_rx_action"}, 20);
  sample(0, {"veth_xmit", "__dev_queue_xmit", "udp_sendmsg"}, 10);
  sample(0, {"do_idle"}, 20);
  sample(1, {"do_idle"}, 90);
  sample(1, {kUserName}, 10);
  builder.count(0, 0, 1'000'000'000).count(0, 1, 1'000'000'000);
  builder.counted("ip_rcv", 200'000);
  builder.counted("kfree_skb", 1000, Method::tracepoint).condition = "frees of other kinds count too";
  profile.session.host = "testhost";
  profile.session.kernel = "6.1.0";
  profile.session.arch = "x86_64";
  profile.session.version = "0.1.0";
  profile.session.missing_events = {{"cycles", "no PMU"}, {"instructions", "no PMU"}};
  profile.wall_start_ns = 1'700'000'000'000'000'000;  // 2023-11-14 22:13:20 UTC
  profile.packets = {{Path::rx, 0, 200'000, 250'000}, {Path::tx, 0, 200'000, 200'000}};
  profile.softirqs = {{3, 0, 1000, 700'000'000}, {1, 0, 250, 5'000'000}, {1, 1, 250, 5'000'000}};
  profile.napi = {{{1, 2}, "veth0", 0, 4000, 200'000, 100}};
  profile.drops = {{"NO_SOCKET", "core", "__udp4_lib_rcv", kVmlinux, "ipv4", "veth0", 4026531840, 1000},
                   {"NOT_SPECIFIED", "core", "unix_release_sock", kVmlinux, "none", "", 0, 2000}};
  TopData data;
  data.cost = correlate(profile);
  data.profile = std::move(profile);
  data.own = RefreshCost{12'300'000, 1'000'000'000};
  Judgement judgement;
  judgement.seconds = 5;
  Finding finding;
  finding.id = "softirq_saturated";
  finding.condition = "one CPU has no time left";
  finding.severity = Severity::critical;
  finding.subject = "CPU 0";
  finding.evidence = {{"time in softirqs", 98, "%"}};
  finding.explanation = "Packets wait for this CPU while others are idle.";
  finding.cost = {{"CPU time a packet", 3500, "ns"}};
  finding.remedy = {"echo 3 > /sys/class/net/veth0/queues/rx-0/rps_cpus"};
  judgement.diagnosis.findings = {finding};
  judgement.diagnosis.checks = {{"softirq_saturated", Check::Outcome::found, ""},
                                {"gro_off", Check::Outcome::fine, ""}};
  judgement.ledger.losses = {{DropLayer::nic, "eth0", "rx_missed_errors", "ethtool", 500},
                             {DropLayer::stack, "veth0", "NO_SOCKET", "kfree_skb", 5000}};
  data.judgement = std::move(judgement);
  return data;
}

/// How much there is of everything.
struct RefreshSize {
  uint32_t functions = 500, cpus = 256, findings = 50, drops = 200, stacks = 5000;
};

/// A refresh of any size. Names hold what names may hold: wide characters, controls, bytes that are no UTF-8.
inline TopData random_refresh(uint32_t seed, const RefreshSize& size) {
  std::mt19937 random(seed);
  const auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % std::max(limit, 1u)); };
  const char* odd[] = {"",         "网卡",    "\033[2J",
                       "\xFF\xFE", "e\u0301", "a_very_long_name_of_a_function_that_goes_on_and_on"};
  const auto name = [&](const char* base, uint32_t n) {
    return fmt::format("{}_{}{}", base, n, below(4) ? "" : odd[below(6)]);
  };
  ProfileBuilder builder({"cpu-clock", "cycles", "instructions", "cache-misses"}, std::max(size.cpus, 1u));
  Profile& profile = builder.profile;
  for (uint32_t i = 0; i < size.functions; ++i)
    profile.symbols.push_back({name("function", i), kVmlinux, SymbolKind::kernel});
  const uint32_t entry = builder.symbol("net_rx_action");
  for (uint32_t i = 0; i < size.stacks && size.functions; ++i) {
    std::vector<uint32_t> frames;
    for (uint32_t depth = below(12) + 1; depth > 0; --depth) frames.push_back(below(size.functions));
    frames.push_back(entry);
    const uint32_t samples = below(30) + 1;
    profile.samples.push_back(
        {below(4), below(size.cpus), profile.stacks.add(frames), samples, samples * 1000ULL});
  }
  for (uint32_t cpu = 0; cpu < size.cpus; ++cpu) {
    for (uint32_t event = 0; event < 4; ++event)
      builder.count(event, cpu, random(), 1000, below(3) ? 1000 : 500);
    profile.packets.push_back({Path::rx, cpu, random(), random()});
    profile.softirqs.push_back({3, cpu, below(1000), below(1'000'000'000)});
    profile.napi.push_back({{1, 2}, name("eth", cpu), cpu, below(1000), below(100'000), below(10)});
  }
  for (uint32_t i = 0; i < size.drops; ++i) {
    const std::string function = below(3) ? name("function", i) : "unix_release_sock";
    profile.drops.push_back({name("REASON", i), "core", function, kVmlinux, below(2) ? "ipv4" : "none",
                             below(2) ? name("eth", i) : "", below(2), random()});
  }
  if (below(2)) profile.losses.push_back({LossKind::ring_full, "cycles", random()});
  TopData data;
  data.cost = correlate(profile);
  data.profile = std::move(profile);
  if (below(2)) data.own = RefreshCost{random(), 1'000'000'000};
  if (below(2)) data.notes.push_back(name("note", 1));
  Judgement judgement;
  judgement.seconds = 5;
  for (uint32_t i = 0; i < size.findings; ++i) {
    Finding finding;
    finding.id = name("finding", i);
    finding.condition = name("condition", i);
    finding.severity = static_cast<Severity>(below(3));
    finding.subject = name("eth", i);
    finding.evidence = {{name("packets", i), static_cast<double>(random()), "packets"}};
    finding.explanation = fmt::format("{} {} {}", name("because", i), name("of", i), name("this", i));
    finding.remedy = {name("ethtool -X", i)};
    judgement.diagnosis.findings.push_back(std::move(finding));
  }
  data.judgement = std::move(judgement);
  return data;
}

}  // namespace nettoll::tui
