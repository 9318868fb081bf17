// SPDX-License-Identifier: Apache-2.0
#include "diagnose/spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

uint32_t buckets_of(const NicFacts& nic) {
  uint32_t sum = 0;
  for (const auto& [queue, count] : nic.buckets) sum += count;
  return sum;
}

bool is_hot(const NicFacts& nic) {
  return nic.heat && *nic.heat >= threshold::kHot;
}

/// Whether queues beside the hottest received enough to show that the device spreads flows.
bool reaches_others(const NicFacts& nic) {
  const double part = 1 - nic.hottest->part;
  if (nic.source == LoadSource::interrupts) return part >= threshold::kBesideInterrupts;
  double packets = 0;
  for (const auto& queue : nic.load) packets += queue.queue == nic.hottest->queue ? 0 : queue.amount;
  return packets >= threshold::kBesidePackets;
}

QueueCause of_single_queue(const NicFacts& nic, std::string& why) {
  const char* name = nic.nic->name.c_str();
  if (nic.max_queues.value_or(1) > 1) {
    if (is_hot(nic)) return QueueCause::too_few_channels;
    if (nic.heat) return QueueCause::fine;
    why = fmt::format("how much CPU time receive work of {} takes is not known", name);
    return QueueCause::unknown;
  }
  if (!nic.rps_known) {
    why = fmt::format("rps_cpus of {} could not be read", name);
    return QueueCause::unknown;
  }
  const bool worth = nic.rate >= threshold::kRpsPacketsPerSecond || is_hot(nic);
  return worth && nic.rps.empty() ? QueueCause::single_queue : QueueCause::fine;
}

/// One queue of several has the load.
QueueCause of_one_queue(const NicFacts& nic) {
  const auto by_table = table_queue(nic);
  if (by_table && by_table->queue == nic.hottest->queue && !nic.hottest->irq)
    return QueueCause::not_in_effect;
  if (nic.hash == HashFields::addresses_only) return QueueCause::addresses_only;
  if (nic.hash == HashFields::with_ports && !nic.buckets.empty()) return QueueCause::dominant_flow;
  // Table or hash are not told: where other queues get a little, flows are spread, and one is large.
  return reaches_others(nic) ? QueueCause::dominant_flow : QueueCause::not_in_effect;
}

QueueCause of_several(const NicFacts& nic, uint32_t cpus, std::string& why) {
  const uint32_t queues = *nic.queues;
  if (nic.hottest && nic.load.size() > 1) {
    if (nic.hottest->part >= threshold::kOneQueue) return of_one_queue(nic);
    if (nic.hash == HashFields::addresses_only && queues >= threshold::kManyQueues &&
        nic.hottest->part >= threshold::kSkewed) {
      return QueueCause::addresses_only;
    }
  }
  if (!nic.hottest && table_queue(nic)) return QueueCause::not_in_effect;
  const auto left_out = static_cast<uint32_t>(left_out_queues(nic).size());
  if (left_out > 0 && queues - left_out < std::min(queues, cpus)) return QueueCause::table_leaves_out;
  if (table_peak(nic) >= threshold::kUnevenTable) {
    const bool follows =
        !nic.hottest || nic.hottest->part * static_cast<double>(queues) >= threshold::kUnevenTable;
    if (follows) return QueueCause::table_uneven;
  }
  if (nic.max_queues && queues < std::min(*nic.max_queues, cpus) && is_hot(nic)) {
    return QueueCause::too_few_channels;
  }
  if (nic.hottest) return QueueCause::fine;
  why = fmt::format("{} does not tell what each queue received; trace with --queues", nic.nic->name);
  return QueueCause::unknown;
}

QueueCause queue_cause(const NicFacts& nic, uint32_t cpus, std::string& why) {
  if (!nic.idle.empty() || cpus < 2) {
    why = nic.idle.empty() ? "one CPU: there is nothing to spread to" : nic.idle;
    return QueueCause::idle;
  }
  if (!nic.queues) {
    why = fmt::format("the queues of {} are not known", nic.nic->name);
    return QueueCause::unknown;
  }
  return *nic.queues == 1 ? of_single_queue(nic, why) : of_several(nic, cpus, why);
}

VectorCause vector_cause(const NicFacts& nic, const std::vector<CpuFacts>& cpus, const CpuSet& near,
                         std::string& why) {
  if (!nic.idle.empty() || cpus.size() < 2) {
    why = nic.idle.empty() ? "one CPU: there is nothing to spread to" : nic.idle;
    return VectorCause::idle;
  }
  if (nic.by_cpu.empty()) {
    why = fmt::format("which CPUs serve {} is not known", nic.nic->name);
    return VectorCause::unknown;
  }
  if (nic.busy_receivers() >= 2) {
    if (nic.by_cpu.at(*nic.hot_cpu) >= threshold::kAllOnOneCpu) return VectorCause::one_cpu;
    if (!crowded_cpus(nic).empty() && !spare_cpus(nic, near).empty()) return VectorCause::collide;
  }
  const auto far = off_node_part(nic, cpus);
  return far && *far >= threshold::kOffNode ? VectorCause::off_node : VectorCause::fine;
}

}  // namespace

Spread spread_of(const NicFacts& nic, const std::vector<CpuFacts>& cpus, const CpuSet& near) {
  Spread spread;
  spread.queues = queue_cause(nic, static_cast<uint32_t>(cpus.size()), spread.why_queues);
  spread.vectors = vector_cause(nic, cpus, near, spread.why_vectors);
  return spread;
}

std::vector<uint32_t> crowded_cpus(const NicFacts& nic) {
  std::map<uint32_t, uint32_t> count;
  for (const auto& receiver : nic.receivers) {
    if (receiver.busy && receiver.cpu) ++count[*receiver.cpu];
  }
  std::vector<uint32_t> crowded;
  for (const auto& [cpu, vectors] : count) {
    if (vectors > 1) crowded.push_back(cpu);
  }
  return crowded;
}

std::vector<uint32_t> spare_cpus(const NicFacts& nic, const CpuSet& near) {
  std::set<uint32_t> taken;
  for (const auto& receiver : nic.receivers) {
    if (!receiver.busy) continue;
    if (receiver.cpu) {
      taken.insert(*receiver.cpu);
      continue;
    }
    for (uint32_t cpu = 0; cpu < receiver.vector->by_cpu.size(); ++cpu) {
      if (receiver.vector->by_cpu[cpu] > 0) taken.insert(cpu);
    }
  }
  std::vector<uint32_t> spare;
  for (const uint32_t cpu : near.ids) {
    if (!taken.contains(cpu)) spare.push_back(cpu);
  }
  return spare;
}

std::optional<double> off_node_part(const NicFacts& nic, const std::vector<CpuFacts>& cpus) {
  if (!nic.nic->numa_node || nic.by_cpu.empty()) return std::nullopt;
  std::set<int> nodes;
  double far = 0;
  bool has_near = false;
  for (const auto& cpu : cpus) {
    if (!cpu.node) return std::nullopt;
    nodes.insert(*cpu.node);
    const auto found = nic.by_cpu.find(cpu.id);
    if (cpu.node == nic.nic->numa_node) {
      has_near = true;
    } else if (found != nic.by_cpu.end()) {
      far += found->second;
    }
  }
  if (nodes.size() < 2 || !has_near) return std::nullopt;
  return far;
}

std::vector<uint32_t> left_out_queues(const NicFacts& nic) {
  std::vector<uint32_t> out;
  if (nic.buckets.empty() || !nic.queues) return out;
  for (uint32_t queue = 0; queue < *nic.queues; ++queue) {
    if (!nic.buckets.contains(queue)) out.push_back(queue);
  }
  return out;
}

double table_peak(const NicFacts& nic) {
  if (nic.buckets.empty()) return 0;
  uint32_t most = 0;
  uint32_t least = UINT32_MAX;
  for (const auto& [queue, count] : nic.buckets) {
    most = std::max(most, count);
    least = std::min(least, count);
  }
  // One bucket more than another is as even as a table can be.
  if (most - least < 2) return 1;
  return static_cast<double>(most) * static_cast<double>(nic.buckets.size()) / buckets_of(nic);
}

std::optional<QueueLoad> table_queue(const NicFacts& nic) {
  const uint32_t all = buckets_of(nic);
  for (const auto& [queue, count] : nic.buckets) {
    const double part = static_cast<double>(count) / all;
    if (part >= threshold::kOneQueue) return QueueLoad{queue, static_cast<double>(count), part, {}};
  }
  return std::nullopt;
}

}  // namespace nettoll
