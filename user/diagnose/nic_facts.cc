// SPDX-License-Identifier: Apache-2.0
#include "diagnose/nic_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "diagnose/facts.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

void count_traffic(NicFacts& facts, const HostState& window) {
  const Nic& nic = *facts.nic;
  double by_queue = 0;
  for (const auto& queue : nic.rx_queues) by_queue += static_cast<double>(queue.packets.value_or(0));
  facts.packets = std::max(by_queue, static_cast<double>(nic.link.rx_packets));
  facts.rate = window.seconds > 0 ? facts.packets / window.seconds : 0;
  if (facts.packets < threshold::kPackets || facts.rate < threshold::kPacketsPerSecond) {
    facts.idle = fmt::format("too little traffic: {} received {:.0f} packets in {:.3g} s", nic.name,
                             facts.packets, window.seconds);
  }
}

/// Vectors of receive queues; where no name tells the role, all whose role is not another one.
void find_receivers(NicFacts& facts) {
  const auto take = [&facts](auto wanted) {
    for (const auto& vector : facts.nic->vectors) {
      if (wanted(vector.role)) {
        facts.receivers.push_back({&vector, static_cast<double>(vector.total()), 0, false, {}});
      }
    }
  };
  take([](Vector::Role role) { return role == Vector::Role::rx || role == Vector::Role::both; });
  if (facts.receivers.empty()) take([](Vector::Role role) { return role == Vector::Role::unknown; });
}

void count_queues(NicFacts& facts) {
  const Nic& nic = *facts.nic;
  if (nic.channels && nic.channels->receiving() > 0) {
    facts.queues = nic.channels->receiving();
  } else if (!nic.rx_queues.empty()) {
    facts.queues = static_cast<uint32_t>(nic.rx_queues.size());
  } else if (!facts.receivers.empty()) {
    facts.queues = static_cast<uint32_t>(facts.receivers.size());
  }
  if (nic.channels) facts.max_queues = std::max(nic.channels->max_receiving(), facts.queues.value_or(0));
}

bool load_of_driver(NicFacts& facts) {
  double sum = 0;
  for (const auto& queue : facts.nic->rx_queues) {
    if (!queue.packets) return false;
    sum += static_cast<double>(*queue.packets);
  }
  if (sum < threshold::kPackets) return false;
  for (const auto& queue : facts.nic->rx_queues) {
    facts.load.push_back({queue.index, static_cast<double>(*queue.packets), 0, {}});
  }
  facts.source = LoadSource::driver;
  return true;
}

bool load_of_trace(NicFacts& facts, const Profile* profile) {
  if (!profile || !facts.queues) return false;
  std::map<uint32_t, double> queues;
  for (uint32_t queue = 0; queue < *facts.queues; ++queue) queues[queue] = 0;
  double known = 0;
  double unknown = 0;
  for (const auto& row : profile->queues) {
    if (row.device != facts.nic->name) continue;
    if (facts.nic->ifindex != 0 && row.id.ifindex != 0 && row.id.ifindex != facts.nic->ifindex) continue;
    const auto packets = static_cast<double>(row.packets);
    if (row.queue < 0) {
      unknown += packets;
    } else {
      queues[static_cast<uint32_t>(row.queue)] += packets;
      known += packets;
    }
  }
  if (known < threshold::kPackets || unknown > known) return false;
  for (const auto& [queue, packets] : queues) facts.load.push_back({queue, packets, 0, {}});
  facts.source = LoadSource::traced;
  return true;
}

bool load_of_interrupts(NicFacts& facts) {
  double sum = 0;
  for (const auto& receiver : facts.receivers) sum += receiver.amount;
  if (facts.receivers.empty() || sum < threshold::kInterrupts) return false;
  for (const auto& receiver : facts.receivers) {
    const auto queue = receiver.vector->queue;
    const auto irq = queue ? std::nullopt : std::optional(receiver.vector->irq);
    facts.load.push_back({queue.value_or(0), receiver.amount, 0, irq});
  }
  facts.source = LoadSource::interrupts;
  return true;
}

void find_load(NicFacts& facts, const Profile* profile) {
  if (!load_of_driver(facts) && !load_of_trace(facts, profile) && !load_of_interrupts(facts)) return;
  double sum = 0;
  for (const auto& queue : facts.load) sum += queue.amount;
  for (auto& queue : facts.load) {
    queue.part = queue.amount / sum;
    if (!facts.hottest || queue.amount > facts.hottest->amount) facts.hottest = queue;
  }
}

std::optional<uint32_t> serving_cpu(const Vector& vector) {
  const auto total = static_cast<double>(vector.total());
  if (total > 0) {
    const auto most = std::max_element(vector.by_cpu.begin(), vector.by_cpu.end());
    if (static_cast<double>(*most) < threshold::kServes * total) return std::nullopt;
    return static_cast<uint32_t>(most - vector.by_cpu.begin());
  }
  if (vector.effective_affinity && vector.effective_affinity->size() == 1) {
    return vector.effective_affinity->ids.front();
  }
  return std::nullopt;
}

/// Adds `amount` to the CPUs that took the vector's interrupts.
void spread(const Receiver& receiver, std::map<uint32_t, double>& by_cpu) {
  const auto total = static_cast<double>(receiver.vector->total());
  if (total <= 0) {
    if (receiver.cpu) by_cpu[*receiver.cpu] += receiver.amount;
    return;
  }
  const auto& counts = receiver.vector->by_cpu;
  for (uint32_t cpu = 0; cpu < counts.size(); ++cpu) {
    if (counts[cpu] > 0) by_cpu[cpu] += receiver.amount * static_cast<double>(counts[cpu]) / total;
  }
}

/// Packets of the queues in place of interrupts, where every receiver says which queue it serves.
void weigh_by_packets(NicFacts& facts) {
  if (facts.source != LoadSource::driver && facts.source != LoadSource::traced) return;
  std::vector<double> amounts;
  for (const auto& receiver : facts.receivers) {
    const auto found = std::find_if(facts.load.begin(), facts.load.end(), [&](const QueueLoad& queue) {
      return receiver.vector->queue == queue.queue;
    });
    if (found == facts.load.end()) return;
    amounts.push_back(found->amount);
  }
  for (size_t i = 0; i < amounts.size(); ++i) facts.receivers[i].amount = amounts[i];
}

void place_receivers(NicFacts& facts) {
  weigh_by_packets(facts);
  double sum = 0;
  for (const auto& receiver : facts.receivers) sum += receiver.amount;
  const auto count = static_cast<double>(facts.receivers.size());
  for (auto& receiver : facts.receivers) {
    receiver.cpu = serving_cpu(*receiver.vector);
    if (sum < threshold::kInterrupts) continue;
    receiver.part = receiver.amount / sum;
    receiver.busy = receiver.part >= threshold::kTakesPart / count;
    spread(receiver, facts.by_cpu);
  }
  double placed = 0;
  for (const auto& [cpu, amount] : facts.by_cpu) placed += amount;
  if (placed <= 0) {
    facts.by_cpu.clear();
    return;
  }
  for (auto& [cpu, amount] : facts.by_cpu) {
    amount /= placed;
    if (!facts.hot_cpu || amount > facts.by_cpu[*facts.hot_cpu]) facts.hot_cpu = cpu;
  }
}

void take_temperature(NicFacts& facts, const HostState& window, const std::vector<CpuFacts>& cpus) {
  for (const auto& cpu : cpus) {
    const auto serves = facts.by_cpu.find(cpu.id);
    const double even = 1.0 / static_cast<double>(cpus.size());
    if (!facts.by_cpu.empty() &&
        (serves == facts.by_cpu.end() || serves->second < threshold::kTakesPart * even)) {
      continue;
    }
    const auto part = receive_part(cpu, window.seconds);
    if (part && (!facts.heat || *part > *facts.heat)) facts.heat = part;
  }
}

/// A protocol of flow_hash that a good part of what the host received is of. Where the host's own counters
/// see little of the device's packets (it forwards them, or they are in another namespace) all may be.
bool has_a_say(const std::string& protocol, const HostState& window, double packets) {
  const double udp = protocol_count(window, {"Udp.InDatagrams", "Udp.NoPorts", "Udp.InErrors"}) +
                     protocol_count(window, {"Udp6.InDatagrams", "Udp6.NoPorts", "Udp6.InErrors"});
  const double tcp = protocol_count(window, {"Tcp.InSegs"});
  if (udp + tcp < threshold::kPackets || udp + tcp < 0.1 * packets) return true;
  const double mine = protocol.starts_with("udp") ? udp : protocol.starts_with("tcp") ? tcp : 0;
  return mine >= threshold::kProtocolPart * (udp + tcp);
}

void look_at_hash(NicFacts& facts, const HostState& window) {
  const Nic& nic = *facts.nic;
  if (nic.indirection) {
    for (const uint32_t queue : nic.indirection->queues) ++facts.buckets[queue];
  }
  bool known = false;
  for (const auto& [protocol, fields] : nic.flow_hash) {
    if (!fields || !has_a_say(protocol, window, facts.packets)) continue;
    known = true;
    if (fields->addresses && !fields->ports) facts.without_ports.push_back(protocol);
  }
  if (known) facts.hash = facts.without_ports.empty() ? HashFields::with_ports : HashFields::addresses_only;
}

void look_at_steering(NicFacts& facts) {
  facts.rps_known = !facts.nic->rx_queues.empty();
  std::vector<uint32_t>& ids = facts.rps.ids;
  for (const auto& queue : facts.nic->rx_queues) {
    if (queue.rps_cpus) {
      ids.insert(ids.end(), queue.rps_cpus->ids.begin(), queue.rps_cpus->ids.end());
    } else {
      facts.rps_known = false;
    }
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

const char* unit_of(LoadSource source) {
  return source == LoadSource::interrupts ? "interrupts" : "packets";
}

std::optional<uint32_t> NicFacts::cpu_of_queue(uint32_t queue) const {
  if (receivers.size() == 1) return receivers.front().cpu;
  for (const auto& receiver : receivers) {
    if (receiver.vector->queue == queue) return receiver.cpu;
  }
  return std::nullopt;
}

size_t NicFacts::busy_receivers() const {
  return static_cast<size_t>(
      std::count_if(receivers.begin(), receivers.end(), [](const Receiver& one) { return one.busy; }));
}

NicFacts nic_facts(const Nic& nic, const HostState& window, const Profile* profile,
                   const std::vector<CpuFacts>& cpus) {
  NicFacts facts;
  facts.nic = &nic;
  count_traffic(facts, window);
  find_receivers(facts);
  count_queues(facts);
  find_load(facts, profile);
  place_receivers(facts);
  take_temperature(facts, window, cpus);
  look_at_hash(facts, window);
  look_at_steering(facts);
  return facts;
}

}  // namespace nettoll
