// SPDX-License-Identifier: Apache-2.0
// Steering in software: Documentation/networking/scaling.rst, "RPS", "RFS", "XPS".
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

std::string set_rps(const Nic& nic, uint32_t queue, const CpuSet& cpus) {
  return fmt::format("echo {} > /sys/class/net/{}/queues/rx-{}/rps_cpus", format_cpu_mask(cpus), nic.name,
                     queue);
}

CpuSet without(CpuSet cpus, std::optional<uint32_t> cpu) {
  if (cpu && cpus.size() > 1) std::erase(cpus.ids, *cpu);
  return cpus;
}

bool within(const CpuSet& part, const CpuSet& whole) {
  return std::all_of(part.ids.begin(), part.ids.end(), [&](uint32_t cpu) { return whole.contains(cpu); });
}

CpuSet offline_of(const CpuSet& mask, const CpuSet& online) {
  CpuSet offline;
  for (const uint32_t cpu : mask.ids) {
    if (!online.contains(cpu)) offline.ids.push_back(cpu);
  }
  return offline;
}

/// CPUs that take part in serving the device.
CpuSet serving(const NicFacts& nic) {
  CpuSet cpus;
  for (const auto& receiver : nic.receivers) {
    if (receiver.busy && receiver.cpu) cpus.ids.push_back(*receiver.cpu);
  }
  std::sort(cpus.ids.begin(), cpus.ids.end());
  cpus.ids.erase(std::unique(cpus.ids.begin(), cpus.ids.end()), cpus.ids.end());
  return cpus;
}

bool uses_rfs(const Nic& nic, const HostState& window) {
  return window.settings.rps_sock_flow_entries.value_or(0) > 0 &&
         std::any_of(nic.rx_queues.begin(), nic.rx_queues.end(),
                     [](const RxQueue& queue) { return queue.rps_flow_cnt.value_or(0) > 0; });
}

/// Whether RPS sends packets to CPUs that RSS reaches anyway. RFS, which follows the reader of a flow, is
/// another matter.
bool fights(const NicFacts& nic, const Facts& facts) {
  if (nic.rps.empty() || uses_rfs(*nic.nic, facts.window)) return false;
  if (!nic.hottest || nic.hottest->part >= threshold::kOneQueue) return false;
  const CpuSet served = serving(nic);
  if (served.empty()) return *nic.queues >= facts.cpus.size();
  return served.size() > 1 && within(nic.rps, served);
}

struct WrongMask {
  uint32_t queue = 0;
  CpuSet mask;
  CpuSet offline;  ///< empty: it names the interrupt's own CPU alone
};

std::vector<WrongMask> wrong_masks(const NicFacts& nic, const CpuSet& online) {
  std::vector<WrongMask> wrong;
  for (const auto& queue : nic.nic->rx_queues) {
    if (!queue.rps_cpus || queue.rps_cpus->empty()) continue;
    const CpuSet offline = offline_of(*queue.rps_cpus, online);
    const auto cpu = nic.cpu_of_queue(queue.index);
    const bool own_alone = cpu && *queue.rps_cpus == CpuSet{{*cpu}};
    if (!offline.empty() || own_alone) wrong.push_back({queue.index, *queue.rps_cpus, offline});
  }
  return wrong;
}

}  // namespace

void single_queue_without_rps(const Facts& facts, Verdict& verdict) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    if (one.spread.queues == QueueCause::idle) return verdict.idle(one.spread.why_queues);
    if (one.spread.queues == QueueCause::unknown) return verdict.unknown(one.spread.why_queues);
    if (one.spread.queues != QueueCause::single_queue) return verdict.fine();
    Finding finding;
    finding.subject = nic.nic->name;
    finding.condition = fmt::format("{} has one receive queue, and RPS is off", nic.nic->name);
    finding.severity = severity_of_spread(nic);
    finding.evidence.push_back({"receive queues", 1, "queues"});
    finding.evidence.push_back({"CPUs online", double(facts.cpus.size()), "CPUs"});
    add_serving_cpu(nic, finding);
    finding.explanation = fmt::format(
        "The device cannot spread its load, so one CPU receives all of it. RPS spreads protocol work by flow "
        "in software, at the cost of an interrupt between CPUs for each batch; the CPU of the interrupt is "
        "left "
        "out of the mask.{}",
        nic.max_queues ? "" : " The driver does not tell whether it could have more queues: see ethtool -l.");
    finding.cost = cost_of_cpu(facts, nic.hot_cpu);
    finding.remedy.push_back(
        set_rps(*nic.nic, nic.nic->rx_queues.front().index, without(facts.near(*nic.nic), nic.hot_cpu)));
    verdict.found(std::move(finding));
  });
}

void rps_fights_rss(const Facts& facts, Verdict& verdict) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    if (!nic.idle.empty()) return verdict.idle(nic.idle);
    if (!nic.rps_known)
      return verdict.unknown(fmt::format("rps_cpus of {} could not be read", nic.nic->name));
    if (!nic.rps.empty() && !nic.hottest) {
      return verdict.unknown(fmt::format("{} does not tell what each queue received", nic.nic->name));
    }
    if (nic.queues.value_or(1) < 2 || !fights(nic, facts)) return verdict.fine();
    Finding finding;
    finding.subject = nic.nic->name;
    finding.condition = fmt::format("RPS moves packets of {} that RSS has already spread", nic.nic->name);
    finding.severity = Severity::note;
    finding.evidence.push_back({"receive queues in use", double(*nic.queues), "queues"});
    finding.evidence.push_back({"CPUs that RPS may choose", double(nic.rps.size()), "CPUs"});
    finding.evidence.push_back({"part of the busiest queue", 100 * nic.hottest->part, "%"});
    double moved = 0;
    for (const auto& cpu : facts.window.cpus) {
      if (cpu.softnet) moved += static_cast<double>(cpu.softnet->received_rps.value_or(0));
    }
    if (moved > 0) finding.evidence.push_back({"wake-ups of a CPU by RPS", moved / facts.seconds(), "1/s"});
    finding.explanation =
        "Every CPU that RPS may choose has a queue of the device already, so each packet pays for a second "
        "queue and an interrupt between CPUs, and gains nothing.";
    finding.cost = cost_of_cpu(facts, nic.hot_cpu);
    for (const auto& queue : nic.nic->rx_queues) {
      if (!queue.rps_cpus->empty()) finding.remedy.push_back(set_rps(*nic.nic, queue.index, {}));
    }
    verdict.found(std::move(finding));
  });
}

void rps_mask_wrong(const Facts& facts, Verdict& verdict) {
  const CpuSet online = facts.online();
  each_nic(facts, verdict, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    if (!nic.rps_known || online.empty()) {
      return verdict.unknown(fmt::format("rps_cpus of {} or the CPUs online are not known", nic.nic->name));
    }
    const std::vector<WrongMask> wrong = wrong_masks(nic, online);
    if (wrong.empty()) return verdict.fine();
    Finding finding;
    finding.subject = nic.nic->name;
    finding.severity = nic.idle.empty() ? Severity::warning : Severity::note;
    CpuSet offline;
    for (const auto& one_mask : wrong) {
      offline.ids.insert(offline.ids.end(), one_mask.offline.ids.begin(), one_mask.offline.ids.end());
      CpuSet better = without(facts.near(*nic.nic), nic.cpu_of_queue(one_mask.queue));
      if (!one_mask.offline.empty()) {
        CpuSet rest = one_mask.mask;
        std::erase_if(rest.ids, [&](uint32_t cpu) { return !online.contains(cpu); });
        if (!rest.empty()) better = rest;
      }
      finding.remedy.push_back(set_rps(*nic.nic, one_mask.queue, better));
    }
    const size_t own_alone = static_cast<size_t>(std::count_if(
        wrong.begin(), wrong.end(), [](const WrongMask& mask) { return mask.offline.empty(); }));
    finding.evidence.push_back({"queues with such a mask", double(wrong.size()), "queues"});
    if (!offline.empty()) {
      finding.condition =
          fmt::format("rps_cpus of {} names CPU {}, which is offline", nic.nic->name, cpu_list(offline.ids));
      finding.explanation =
          "Flows that hash to a CPU that is offline stay on the CPU of the interrupt (get_rps_cpu in "
          "net/core/dev.c), which then has more than its share.";
    } else {
      finding.condition = fmt::format("rps_cpus of {} names the interrupt's own CPU alone", nic.nic->name);
    }
    if (own_alone > 0) {
      finding.explanation += fmt::format(
          "{}With the CPU of the interrupt as the only one to choose, RPS costs time and spreads nothing.",
          finding.explanation.empty() ? "" : " ");
    }
    verdict.found(std::move(finding));
  });
}

void rfs_half_configured(const Facts& facts, Verdict& verdict) {
  const auto& entries = facts.window.settings.rps_sock_flow_entries;
  if (!entries) return verdict.unknown("net.core.rps_sock_flow_entries could not be read");
  bool any_queue = false;
  bool known = true;
  bool asked = false;
  each_nic(facts, verdict, [&](const NicCase& one) {
    const Nic& nic = *one.facts.nic;
    uint64_t flows = 0;
    for (const auto& queue : nic.rx_queues) {
      asked = true;
      known = known && queue.rps_flow_cnt.has_value();
      flows += queue.rps_flow_cnt.value_or(0);
    }
    if (flows == 0) return;
    any_queue = true;
    if (*entries > 0) return verdict.fine();
    Finding finding;
    finding.subject = nic.name;
    finding.condition = fmt::format("{} has tables for RFS, and the host has none", nic.name);
    finding.severity = Severity::note;
    finding.evidence.push_back({"rps_flow_cnt of all queues", double(flows), "flows"});
    finding.evidence.push_back({"net.core.rps_sock_flow_entries", 0, "flows"});
    finding.explanation =
        "RFS works with both settings alone: without the table of the host no flow is ever steered to its "
        "reader.";
    finding.remedy.push_back(fmt::format("sysctl -w net.core.rps_sock_flow_entries={}", flows));
    verdict.found(std::move(finding));
  });
  if (any_queue || !asked) return;
  if (!known) return verdict.unknown("rps_flow_cnt could not be read");
  if (*entries == 0) return verdict.fine();
  Finding finding;
  finding.subject = "host";
  finding.condition = "the host has a table for RFS, and no queue has one";
  finding.severity = Severity::note;
  finding.evidence.push_back({"net.core.rps_sock_flow_entries", double(*entries), "flows"});
  finding.evidence.push_back({"rps_flow_cnt of all queues", 0, "flows"});
  finding.explanation =
      "RFS works with both settings alone: sockets pay for keeping the table, and no packet is steered by "
      "it.";
  for (const auto& one : facts.nics) {
    const Nic& nic = *one.facts.nic;
    for (const auto& queue : nic.rx_queues) {
      finding.remedy.push_back(fmt::format("echo {} > /sys/class/net/{}/queues/rx-{}/rps_flow_cnt",
                                           *entries / nic.rx_queues.size(), nic.name, queue.index));
    }
  }
  finding.remedy.push_back("or, if RFS is not wanted: sysctl -w net.core.rps_sock_flow_entries=0");
  verdict.found(std::move(finding));
}

void xps_wrong(const Facts& facts, Verdict& verdict) {
  const CpuSet online = facts.online();
  each_nic(facts, verdict, [&](const NicCase& one) {
    const Nic& nic = *one.facts.nic;
    const auto sent = static_cast<double>(nic.link.tx_packets);
    if (sent < threshold::kPackets || sent < threshold::kPacketsPerSecond * facts.seconds()) {
      return verdict.idle(fmt::format("{} sent too little", nic.name));
    }
    if (nic.tx_queues.size() < 2 || online.size() < 2) return verdict.fine();
    std::vector<const TxQueue*> mapped;
    std::vector<const TxQueue*> dead;
    for (const auto& queue : nic.tx_queues) {
      if (!queue.xps_cpus) return verdict.unknown(fmt::format("xps_cpus of {} could not be read", nic.name));
      if (queue.xps_cpus->empty()) continue;
      const bool reachable = offline_of(*queue.xps_cpus, online).size() < queue.xps_cpus->size();
      (reachable ? mapped : dead).push_back(&queue);
    }
    const bool all_to_one = mapped.size() == 1 && within(online, *mapped.front()->xps_cpus);
    if (!all_to_one && dead.empty()) return verdict.fine();
    Finding finding;
    finding.subject = nic.name;
    finding.severity = all_to_one ? Severity::warning : Severity::note;
    finding.evidence.push_back({"transmit queues", double(nic.tx_queues.size()), "queues"});
    finding.evidence.push_back({"queues that a CPU is mapped to", double(mapped.size()), "queues"});
    finding.evidence.push_back({"packets sent", sent / facts.seconds(), "packets/s"});
    finding.condition =
        all_to_one ? fmt::format("XPS sends what all CPUs transmit on {} through queue {}", nic.name,
                                 mapped.front()->index)
                   : fmt::format("XPS maps {} queues of {} to CPUs that are offline", dead.size(), nic.name);
    finding.explanation =
        all_to_one ? "All CPUs take the lock of one transmit queue in turn while the other queues lie idle."
                   : "No CPU chooses a queue whose CPUs are all offline, so the others carry its share.";
    for (size_t i = 0; i < nic.tx_queues.size() && i < online.size(); ++i) {
      CpuSet share;
      for (size_t cpu = i; cpu < online.size(); cpu += nic.tx_queues.size())
        share.ids.push_back(online.ids[cpu]);
      finding.remedy.push_back(fmt::format("echo {} > /sys/class/net/{}/queues/tx-{}/xps_cpus",
                                           format_cpu_mask(share), nic.name, nic.tx_queues[i].index));
    }
    verdict.found(std::move(finding));
  });
}

}  // namespace nettoll
