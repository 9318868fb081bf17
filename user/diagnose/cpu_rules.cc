// SPDX-License-Identifier: Apache-2.0
// CPUs that have no time left, and what they leave undone: Documentation/admin-guide/sysctl/net.rst.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

/// The part of time that makes a CPU saturated; empty where it is not, or where its softirq time is known to
/// be for something else than the network.
std::optional<double> saturation(const CpuFacts& cpu, double seconds) {
  const double softirq = cpu.any_softirq().value_or(0);
  if (cpu.net_rx) {
    if (*cpu.net_rx >= threshold::kSaturated) return cpu.net_rx;
    const bool network = *cpu.net_rx >= threshold::kMostOfSoftirq * softirq;
    return network && softirq >= threshold::kSaturated ? std::optional(softirq) : std::nullopt;
  }
  if (softirq < threshold::kSaturated) return std::nullopt;
  // Softirqs fill the CPU. Where packets are counted and there are none, these are not the network's.
  if (cpu.packets && !receive_part(cpu, seconds)) return std::nullopt;
  return softirq;
}

double average(const std::vector<CpuFacts>& cpus, std::optional<double> (*value)(const CpuFacts&)) {
  double sum = 0;
  double count = 0;
  for (const auto& cpu : cpus) {
    if (const auto one = value(cpu)) {
      sum += *one;
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

void add_time(const char* what, std::optional<double> part, const CpuFacts& cpu, Finding& finding) {
  if (part) finding.evidence.push_back({fmt::format("{} of CPU {}", what, cpu.id), 100 * *part, "%"});
}

/// What is known of where a saturated CPU's load comes from.
std::string origin(const Facts& facts, const CpuFacts& cpu) {
  std::vector<std::string> devices;
  for (const auto& nic : facts.nics) {
    if (nic.facts.idle.empty() && serves(nic.facts, cpu.id)) devices.push_back(nic.facts.nic->name);
  }
  std::string text =
      devices.empty()
          ? "The cause is not established: no device shows where this load comes from."
          : fmt::format(
                "The cause is not established: it serves {}, whose load is spread as far as can be seen. "
                "Then there are more packets than it can take, or each costs too much.",
                join(devices));
  if (!receive_part(cpu, facts.seconds())) {
    text +=
        " Nor is it known whether these softirqs are the network's: packets and NET_RX time were not "
        "measured.";
  }
  return text;
}

Finding saturated(const Facts& facts, const CpuFacts& cpu, size_t count) {
  const double softirq = average(facts.cpus, [](const CpuFacts& one) { return one.any_softirq(); });
  const double idle = average(facts.cpus, [](const CpuFacts& one) { return one.idle; });
  Finding finding;
  finding.subject = cpu_subject(cpu.id);
  finding.severity = Severity::critical;
  finding.condition = fmt::format("CPU {} has no time left for receive work", cpu.id);
  add_time("time in NET_RX", cpu.net_rx, cpu, finding);
  add_time("time of ksoftirqd", cpu.ksoftirqd, cpu, finding);
  add_time("softirq time", cpu.softirq, cpu, finding);
  finding.evidence.push_back({"softirq time, mean of all CPUs", 100 * softirq, "%"});
  if (idle > 0) finding.evidence.push_back({"idle time, mean of all CPUs", 100 * idle, "%"});
  if (cpu.packets) finding.evidence.push_back({"packets on it", *cpu.packets / facts.seconds(), "packets/s"});
  if (cpu.squeezes && *cpu.squeezes > 0)
    finding.evidence.push_back({"polls cut short on it", *cpu.squeezes, ""});
  if (count > 1) finding.evidence.push_back({"CPUs in this state", double(count), "CPUs"});
  if (count < facts.cpus.size()) {
    finding.explanation = "One CPU's limit is a limit of throughput, and the mean of all CPUs hides it. ";
  }
  finding.explanation += origin(facts, cpu);
  finding.cost = cost_of_cpu(facts, cpu.id);
  finding.remedy.push_back(fmt::format("nettoll record -d 10 -C {}    # what it does", cpu.id));
  finding.remedy.push_back("grep NET_RX /proc/softirqs; cat /proc/interrupts    # twice, and compare");
  return finding;
}

bool squeezed(const CpuFacts& cpu, double seconds) {
  if (!cpu.squeezes || *cpu.squeezes < threshold::kSqueezesPerSecond * seconds) return false;
  return !cpu.net_rx_runs || *cpu.squeezes >= threshold::kSqueezesPerRun * *cpu.net_rx_runs;
}

}  // namespace

void softirq_cpu_saturated(const Facts& facts, Verdict& verdict) {
  const CpuFacts* hottest = nullptr;
  double most = 0;
  size_t count = 0;
  bool known = false;
  for (const auto& cpu : facts.cpus) {
    known = known || cpu.net_rx || cpu.any_softirq();
    const auto part = saturation(cpu, facts.seconds());
    if (!part || facts.explained(cpu.id)) continue;
    ++count;
    if (*part > most) {
      most = *part;
      hottest = &cpu;
    }
  }
  if (hottest) return verdict.found(saturated(facts, *hottest, count));
  known ? verdict.fine() : verdict.unknown("the times of CPUs are not known");
}

void time_squeeze(const Facts& facts, Verdict& verdict) {
  const CpuFacts* worst = nullptr;
  bool known = false;
  for (const auto& cpu : facts.cpus) {
    known = known || cpu.squeezes;
    if (!squeezed(cpu, facts.seconds())) continue;
    // Without time left a larger budget gives none: that CPU is another finding's.
    if (saturation(cpu, facts.seconds())) continue;
    if (!worst || *cpu.squeezes > *worst->squeezes) worst = &cpu;
  }
  if (!worst) return known ? verdict.fine() : verdict.unknown("softnet_stat could not be read");
  const NetSettings& settings = facts.window.settings;
  Finding finding;
  finding.subject = cpu_subject(worst->id);
  finding.condition = fmt::format("net_rx_action of CPU {} stops with packets waiting", worst->id);
  const double per_run = worst->net_rx_runs ? *worst->squeezes / std::max(1.0, *worst->net_rx_runs) : 0;
  finding.severity = per_run >= threshold::kManySqueezesPerRun ? Severity::warning : Severity::note;
  finding.evidence.push_back({"time_squeeze", *worst->squeezes / facts.seconds(), "1/s"});
  if (worst->net_rx_runs) finding.evidence.push_back({"of its NET_RX runs", 100 * per_run, "%"});
  finding.explanation =
      "A run of NET_RX ends after netdev_budget packets or netdev_budget_usecs, whichever comes first, and "
      "goes "
      "on later, behind other tasks. That adds latency; it drops nothing by itself.";
  if (settings.netdev_budget) {
    finding.evidence.push_back({"net.core.netdev_budget", double(*settings.netdev_budget), "packets"});
    finding.remedy.push_back(fmt::format("sysctl -w net.core.netdev_budget={}", 2 * *settings.netdev_budget));
  }
  if (settings.netdev_budget_usecs) {
    finding.evidence.push_back({"net.core.netdev_budget_usecs", double(*settings.netdev_budget_usecs), "us"});
    finding.remedy.push_back(
        fmt::format("sysctl -w net.core.netdev_budget_usecs={}", 2 * *settings.netdev_budget_usecs));
  }
  finding.cost = cost_of_cpu(facts, worst->id);
  verdict.found(std::move(finding));
}

void backlog_overflow(const Facts& facts, Verdict& verdict) {
  double dropped = 0;
  double processed = 0;
  double limited = 0;
  bool known = false;
  Finding finding;
  for (const auto& cpu : facts.window.cpus) {
    if (!cpu.softnet) continue;
    known = true;
    processed += static_cast<double>(cpu.softnet->processed);
    limited += static_cast<double>(cpu.softnet->flow_limit.value_or(0));
    if (cpu.softnet->dropped == 0) continue;
    dropped += static_cast<double>(cpu.softnet->dropped);
    finding.evidence.push_back(
        {fmt::format("dropped on CPU {}", cpu.id), double(cpu.softnet->dropped), "packets"});
  }
  if (!known) return verdict.unknown("softnet_stat could not be read");
  if (dropped <= 0) return verdict.fine();
  finding.subject = "host";
  finding.condition = fmt::format("the backlog of CPUs overflowed and lost {:.0f} packets", dropped);
  finding.severity = loss_severity(dropped, processed + dropped, facts.seconds());
  finding.evidence.push_back({"of all packets", percent(dropped, processed + dropped), "%"});
  finding.explanation =
      "Packets from loopback, veth, tunnels and RPS wait in a queue of the CPU that will receive them, and "
      "this "
      "queue was full. The budget of net_rx_action is another limit and has no part in it.";
  const auto limit = facts.window.settings.netdev_max_backlog;
  if (limit) finding.evidence.push_back({"net.core.netdev_max_backlog", double(*limit), "packets"});
  if (limited > 0) {
    finding.evidence.push_back({"of these by the limit for large flows", limited, "packets"});
    finding.explanation +=
        " Some were dropped because their flow had most of a long queue (net.core.flow_limit_cpu_bitmap).";
  }
  finding.remedy.push_back(
      fmt::format("sysctl -w net.core.netdev_max_backlog={}", limit ? 2 * *limit : 2000));
  finding.remedy.push_back(
      "if it overflows again, the CPU is too slow for its load: let RPS choose more CPUs");
  verdict.found(std::move(finding));
}

}  // namespace nettoll
