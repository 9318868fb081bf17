// SPDX-License-Identifier: Apache-2.0
#include "diagnose/cpu_facts.h"

#include <algorithm>
#include <cmath>

#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

/// NET_RX_SOFTIRQ of include/linux/interrupt.h.
constexpr uint32_t kNetRx = 3;

double part_of(uint64_t part, uint64_t whole) {
  return std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

std::map<uint32_t, double> received(const Profile* profile) {
  std::map<uint32_t, double> packets;
  if (!profile) return packets;
  for (const auto& row : profile->packets) {
    if (row.path == Path::rx) packets[row.cpu] += static_cast<double>(row.packets);
  }
  return packets;
}

void add_times(const HostCpu& cpu, double seconds, CpuFacts& facts) {
  uint64_t total = 0;
  if (cpu.times && cpu.times->total() > 0) {
    total = cpu.times->total();
    facts.softirq = part_of(cpu.times->softirq, total);
    facts.idle = part_of(cpu.times->idle + cpu.times->iowait, total);
  } else if (seconds > 0) {
    total = static_cast<uint64_t>(seconds * 100);  // USER_HZ is 100 wherever nettoll runs
  }
  if (cpu.ksoftirqd_ticks && total > 0) facts.ksoftirqd = part_of(*cpu.ksoftirqd_ticks, total);
}

void add_traced_times(const Profile& profile, std::vector<CpuFacts>& cpus) {
  if (profile.duration_ns == 0) return;
  for (auto& cpu : cpus) {
    uint64_t ns = 0;
    bool seen = false;
    for (const auto& row : profile.softirqs) {
      if (row.cpu != cpu.id) continue;
      seen = true;
      if (row.vector == kNetRx) ns += row.ns;
    }
    if (seen) cpu.net_rx = part_of(ns, profile.duration_ns);
  }
}

}  // namespace

std::optional<double> CpuFacts::any_softirq() const {
  if (!softirq) return ksoftirqd;
  return ksoftirqd ? std::max(*softirq, *ksoftirqd) : *softirq;
}

std::vector<CpuFacts> cpu_facts(const HostState& window, const Profile* profile) {
  std::vector<CpuFacts> all;
  const std::map<uint32_t, double> traced = received(profile);
  for (const auto& cpu : window.cpus) {
    CpuFacts facts;
    facts.id = cpu.id;
    facts.node = cpu.numa_node;
    add_times(cpu, window.seconds, facts);
    if (cpu.softnet) {
      facts.packets = static_cast<double>(cpu.softnet->processed);
      facts.squeezes = static_cast<double>(cpu.softnet->time_squeeze);
    } else if (!traced.empty()) {
      const auto found = traced.find(cpu.id);
      facts.packets = found == traced.end() ? 0 : found->second;
    }
    const auto runs = cpu.softirqs.find("NET_RX");
    if (runs != cpu.softirqs.end()) facts.net_rx_runs = static_cast<double>(runs->second);
    all.push_back(facts);
  }
  if (profile) add_traced_times(*profile, all);
  return all;
}

std::optional<double> receive_part(const CpuFacts& cpu, double seconds) {
  if (cpu.net_rx) return cpu.net_rx;
  if (!cpu.packets || *cpu.packets < threshold::kPackets ||
      *cpu.packets < threshold::kPacketsPerSecond * seconds) {
    return std::nullopt;
  }
  return cpu.any_softirq();
}

std::map<uint32_t, PerPacket> receive_costs(const CostTable* costs, const Profile* profile, uint32_t event) {
  std::map<uint32_t, PerPacket> all;
  if (!costs) return all;
  const std::map<uint32_t, double> packets = received(profile);
  for (const auto& row : costs->cpus) {
    const auto found = packets.find(row.cpu);
    const auto rx = static_cast<size_t>(Path::rx);
    if (row.event != event || found == packets.end() || rx >= row.paths.size()) continue;
    const Estimate& cost = row.paths[rx];
    if (found->second < threshold::kPackets || cost.too_few()) continue;
    const double value = cost.value / found->second;
    all[row.cpu] = {value, value * cost.relative_error(), found->second};
  }
  return all;
}

std::optional<PerPacket> together(const std::map<uint32_t, PerPacket>& costs,
                                  std::optional<uint32_t> without) {
  double events = 0;
  double variance = 0;
  double packets = 0;
  for (const auto& [cpu, cost] : costs) {
    if (without == cpu) continue;
    events += cost.value * cost.packets;
    variance += std::pow(cost.error * cost.packets, 2);
    packets += cost.packets;
  }
  if (packets <= 0) return std::nullopt;
  return PerPacket{events / packets, std::sqrt(variance) / packets, packets};
}

}  // namespace nettoll
