// SPDX-License-Identifier: Apache-2.0
// What the join of samples and packets tells of receive work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diagnose/rules.h"
#include "diagnose/text.h"
#include "diagnose/thresholds.h"
#include "model/symbol_identity.h"

namespace nettoll {
namespace {

struct Dearest {
  uint32_t cpu = 0;
  PerPacket here, others;
};

/// The CPU whose packets cost most against the others', where that is neither chance nor little.
std::optional<Dearest> dearest_cpu(const std::map<uint32_t, PerPacket>& costs) {
  const auto all = together(costs, std::nullopt);
  std::optional<Dearest> found;
  for (const auto& [cpu, here] : costs) {
    const auto others = together(costs, cpu);
    if (!others || here.packets < threshold::kCostPart * all->packets) continue;
    const double error = std::hypot(here.error, others->error);
    const bool more = here.value > threshold::kCostRatio * others->value &&
                      here.value - others->value > threshold::kStandardErrors * error;
    if (more && (!found || here.value / others->value > found->here.value / found->others.value)) {
      found = Dearest{cpu, here, *others};
    }
  }
  return found;
}

/// Events whose cost per packet is compared: cycles, else time, then misses.
std::vector<uint32_t> compared_events(const EventRoles& roles) {
  std::vector<uint32_t> events = roles.misses;
  if (roles.cycles) {
    events.insert(events.begin(), *roles.cycles);
  } else if (roles.cpu_clock) {
    events.insert(events.begin(), *roles.cpu_clock);
  }
  return events;
}

Evidence per_packet(const Event& event, const std::string& where, const PerPacket& cost) {
  return {fmt::format("{} a received packet on {}", event.name, where), cost.value,
          event.unit == EventUnit::nanoseconds ? "ns" : event.name, cost.error};
}

/// Where waiting for a lock shows: kernel/locking/qspinlock.c, qrwlock.c, and what paravirtualized kernels
/// and arm64 put in their place.
constexpr const char* kLockWaits[] = {
    "native_queued_spin_lock_slowpath", "queued_spin_lock_slowpath",  "__pv_queued_spin_lock_slowpath",
    "queued_read_lock_slowpath",        "queued_write_lock_slowpath",
};

/// The largest of them, for they nest.
Estimate lock_wait(const CostTable& costs, uint32_t event) {
  Estimate most;
  for (const auto& function : costs.functions) {
    const std::string_view name = source_name(function.symbol.name);
    if (std::find(std::begin(kLockWaits), std::end(kLockWaits), name) == std::end(kLockWaits)) continue;
    const Estimate here = function.inclusive(event, Path::rx);
    if (here.value > most.value) most = here;
  }
  return most;
}

}  // namespace

void cpu_cost_imbalance(const Facts& facts, Verdict& verdict) {
  bool judged = false;
  for (const uint32_t event : compared_events(facts.events)) {
    const auto costs = receive_costs(facts.costs, facts.profile, event);
    if (costs.size() < 2) continue;
    judged = true;
    const auto dearest = dearest_cpu(costs);
    if (!dearest) continue;
    const Event& what = facts.profile->session.events[event];
    Finding finding;
    finding.subject = cpu_subject(dearest->cpu);
    finding.condition = fmt::format("a packet costs {:.1f} times the {} on CPU {} that it costs elsewhere",
                                    dearest->here.value / dearest->others.value, what.name, dearest->cpu);
    finding.severity = Severity::note;
    finding.evidence.push_back(per_packet(what, cpu_subject(dearest->cpu), dearest->here));
    finding.evidence.push_back(per_packet(what, "the other CPUs", dearest->others));
    finding.evidence.push_back(
        {fmt::format("packets on CPU {}", dearest->cpu), dearest->here.packets, "packets"});
    finding.cost = cost_of_cpu(facts, dearest->cpu);
    finding.explanation =
        "The same work costs more there than chance allows. Usual reasons: the CPU is on another NUMA node "
        "than "
        "the device, it shares its core or cache with busy work, it does other kinds of packets, or polls "
        "find few "
        "packets at a time.";
    finding.remedy.push_back(fmt::format(
        "nettoll record -d 10 -C {}; nettoll report    # which functions cost more", dearest->cpu));
    verdict.found(std::move(finding));
  }
  judged ? verdict.fine()
         : verdict.idle("fewer than two CPUs received enough packets and samples to compare");
}

void lock_contention_in_receive(const Facts& facts, Verdict& verdict) {
  const std::vector<uint32_t> events = compared_events(facts.events);
  const PathCost* rx = facts.costs->path(Path::rx);
  if (events.empty() || !rx || events.front() >= rx->events.size() || rx->events[events.front()].too_few()) {
    return verdict.idle("receive work has too few samples");
  }
  const uint32_t event = events.front();
  const Estimate waiting = lock_wait(*facts.costs, event);
  const auto part = ratio_of(waiting, rx->events[event]);
  if (!part || part->too_few || part->value < threshold::kLock) return verdict.fine();
  const Event& what = facts.profile->session.events[event];
  Finding finding;
  finding.subject = "host";
  finding.condition = fmt::format("receive work spends {:.0f}% waiting for locks", 100 * part->value);
  finding.severity = part->value >= threshold::kMuchLock ? Severity::warning : Severity::note;
  finding.evidence.push_back(
      {"part of the rx path in waits for locks, by " + what.name, 100 * part->value, "%"});
  finding.evidence.push_back({"standard error of it", 100 * part->value * part->relative_error, "%"});
  finding.explanation =
      "Several CPUs want the same lock while they receive. Often that is one socket that all of them fill, a "
      "conntrack or qdisc lock, or the page allocator. More CPUs for the same load make it worse.";
  if (const auto each = rx->per_packet(event)) {
    finding.cost.push_back({what.name + " a received packet in waits for locks", *each * part->value,
                            what.unit == EventUnit::nanoseconds ? "ns" : what.name});
  }
  finding.remedy.push_back("nettoll record -d 10 && nettoll report    # the callers of the slow path");
  finding.remedy.push_back("in the program: a socket for each thread, with SO_REUSEPORT");
  verdict.found(std::move(finding));
}

}  // namespace nettoll
