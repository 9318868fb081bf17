// SPDX-License-Identifier: Apache-2.0
// Which CPUs serve the queues: Documentation/core-api/irq/irq-affinity.rst, scaling.rst "IRQ configuration".
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

Finding about(const Facts& facts, const NicCase& one, std::string condition) {
  Finding finding;
  finding.subject = one.facts.nic->name;
  finding.condition = std::move(condition);
  finding.severity = severity_of_spread(one.facts);
  finding.evidence.push_back({"vectors that take part", double(one.facts.busy_receivers()), "vectors"});
  add_serving_cpu(one.facts, finding);
  finding.cost = cost_of_cpu(facts, one.facts.hot_cpu);
  return finding;
}

std::string set_affinity(uint32_t cpu, const Vector& vector) {
  return fmt::format("echo {} > /proc/irq/{}/smp_affinity_list", cpu, vector.irq);
}

void mention_irqbalance(const HostState& window, Finding& finding) {
  if (!window.irqbalance) return;
  if (*window.irqbalance) {
    finding.explanation +=
        " irqbalance runs and may undo what is set by hand: exclude these interrupts in its policy.";
  } else {
    finding.remedy.push_back("or let irqbalance do it: systemctl start irqbalance");
  }
}

/// Busiest first.
std::vector<const Receiver*> busy_vectors(const NicFacts& nic) {
  std::vector<const Receiver*> busy;
  for (const auto& receiver : nic.receivers) {
    if (receiver.busy) busy.push_back(&receiver);
  }
  std::stable_sort(busy.begin(), busy.end(),
                   [](const Receiver* a, const Receiver* b) { return a->amount > b->amount; });
  return busy;
}

template <typename Make>
void judge_vectors(const Facts& facts, Verdict& verdict, VectorCause cause, Make make) {
  each_nic(facts, verdict, [&](const NicCase& one) {
    if (one.spread.vectors == cause) {
      verdict.found(make(one));
    } else if (one.spread.vectors == VectorCause::idle) {
      verdict.idle(one.spread.why_vectors);
    } else if (one.spread.vectors == VectorCause::unknown) {
      verdict.unknown(one.spread.why_vectors);
    } else {
      verdict.fine();
    }
  });
}

}  // namespace

Severity severity_of_spread(const NicFacts& nic) {
  if (nic.heat) {
    if (*nic.heat >= threshold::kSaturated) return Severity::critical;
    return *nic.heat >= threshold::kHot ? Severity::warning : Severity::note;
  }
  return nic.rate >= threshold::kRpsPacketsPerSecond ? Severity::warning : Severity::note;
}

void add_serving_cpu(const NicFacts& nic, Finding& finding) {
  finding.evidence.push_back({"packets received", nic.rate, "packets/s"});
  if (nic.hot_cpu) {
    finding.evidence.push_back({"CPU that serves most of it", double(*nic.hot_cpu), "CPU"});
    finding.evidence.push_back(
        {fmt::format("part that CPU {} serves", *nic.hot_cpu), 100 * nic.by_cpu.at(*nic.hot_cpu), "%"});
  }
  if (nic.heat)
    finding.evidence.push_back({"time of the busiest serving CPU in receive work", 100 * *nic.heat, "%"});
}

void vectors_on_one_cpu(const Facts& facts, Verdict& verdict) {
  judge_vectors(facts, verdict, VectorCause::one_cpu, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    const auto busy = busy_vectors(nic);
    Finding finding = about(
        facts, one,
        fmt::format("CPU {} serves all {} busy vectors of {}", *nic.hot_cpu, busy.size(), nic.nic->name));
    finding.explanation = fmt::format(
        "The device spreads packets over its queues, and the interrupts of all these queues go to CPU {}, "
        "which "
        "undoes it. The affinity of interrupts is the cause, not the device's hash or table.",
        *nic.hot_cpu);
    const CpuSet near = facts.near(*nic.nic);
    for (size_t i = 0; i < busy.size(); ++i) {
      finding.remedy.push_back(set_affinity(near.ids[i % near.size()], *busy[i]->vector));
    }
    mention_irqbalance(facts.window, finding);
    return finding;
  });
}

void vectors_collide(const Facts& facts, Verdict& verdict) {
  judge_vectors(facts, verdict, VectorCause::collide, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    const std::vector<uint32_t> crowded = crowded_cpus(nic);
    std::vector<uint32_t> spare = spare_cpus(nic, facts.near(*nic.nic));
    Finding finding = about(facts, one,
                            fmt::format("busy vectors of {} share CPU {} while CPU {} serves none",
                                        nic.nic->name, cpu_list(crowded), cpu_list(spare)));
    finding.explanation =
        "Queues whose interrupts go to the same CPU share its time. One of them can move to a CPU that "
        "serves "
        "no queue of the device.";
    for (const uint32_t cpu : crowded) {
      bool stays = true;  // the busiest vector of each CPU
      for (const Receiver* receiver : busy_vectors(nic)) {
        if (receiver->cpu != cpu) continue;
        finding.evidence.push_back({fmt::format("part of interrupt {} (CPU {})", receiver->vector->irq, cpu),
                                    100 * receiver->part, "%"});
        if (!stays && !spare.empty()) {
          finding.remedy.push_back(set_affinity(spare.front(), *receiver->vector));
          spare.erase(spare.begin());
        }
        stays = false;
      }
    }
    mention_irqbalance(facts.window, finding);
    return finding;
  });
}

void vectors_off_node(const Facts& facts, Verdict& verdict) {
  judge_vectors(facts, verdict, VectorCause::off_node, [&](const NicCase& one) {
    const NicFacts& nic = one.facts;
    const double far = off_node_part(nic, facts.cpus).value_or(0);
    Finding finding = about(facts, one,
                            fmt::format("{:.0f}% of {} is served away from its NUMA node {}", 100 * far,
                                        nic.nic->name, *nic.nic->numa_node));
    if (finding.severity == Severity::critical) finding.severity = Severity::warning;
    finding.evidence.push_back({"served by CPUs of other nodes", 100 * far, "%"});
    finding.explanation =
        "Descriptors and packets are in the memory of the device's node, so CPUs of another node reach them "
        "over "
        "the interconnect and miss their caches more often.";
    const CpuSet near = facts.near(*nic.nic);
    size_t next = 0;
    for (const Receiver* receiver : busy_vectors(nic)) {
      const CpuFacts* cpu = receiver->cpu ? facts.cpu(*receiver->cpu) : nullptr;
      if (cpu && cpu->node == nic.nic->numa_node) continue;
      finding.remedy.push_back(set_affinity(near.ids[next++ % near.size()], *receiver->vector));
    }
    mention_irqbalance(facts.window, finding);
    return finding;
  });
}

}  // namespace nettoll
