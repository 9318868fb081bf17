// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts.h"

#include <algorithm>

#include "diagnose/text.h"
#include "diagnose/thresholds.h"

namespace nettoll {
namespace {

/// Cycles where they were sampled, else time; then misses.
std::vector<uint32_t> events_of_interest(const EventRoles& roles) {
  std::vector<uint32_t> events;
  if (roles.cycles) {
    events.push_back(*roles.cycles);
  } else if (roles.cpu_clock) {
    events.push_back(*roles.cpu_clock);
  }
  events.insert(events.end(), roles.misses.begin(), roles.misses.end());
  return events;
}

}  // namespace

const CpuFacts* Facts::cpu(uint32_t id) const {
  const auto found =
      std::find_if(cpus.begin(), cpus.end(), [id](const CpuFacts& one) { return one.id == id; });
  return found == cpus.end() ? nullptr : &*found;
}

CpuSet Facts::online() const {
  CpuSet set;
  for (const auto& one : cpus) set.ids.push_back(one.id);
  return set;
}

CpuSet Facts::near(const Nic& nic) const {
  CpuSet set;
  for (const auto& one : cpus) {
    if (nic.numa_node && one.node == nic.numa_node) set.ids.push_back(one.id);
  }
  return set.empty() ? online() : set;
}

bool Facts::explained(uint32_t cpu_id) const {
  return std::any_of(nics.begin(), nics.end(), [cpu_id](const NicCase& one) {
    return (is_found(one.spread.queues) || is_found(one.spread.vectors)) &&
           (one.facts.by_cpu.empty() || serves(one.facts, cpu_id));
  });
}

bool serves(const NicFacts& nic, uint32_t cpu) {
  const auto found = nic.by_cpu.find(cpu);
  return found != nic.by_cpu.end() &&
         found->second >= threshold::kTakesPart / static_cast<double>(nic.by_cpu.size());
}

Facts gather(const HostState& window, const Profile* profile, const CostTable* costs) {
  Facts facts{window, profile, costs, {}, cpu_facts(window, profile), {}};
  if (profile) facts.events = roles_of(profile->session.events);
  for (const auto& nic : window.nics) {
    if (!nic.physical || !nic.up) continue;
    NicCase one{nic_facts(nic, window, profile, facts.cpus), {}};
    one.spread = spread_of(one.facts, facts.cpus, facts.near(nic));
    facts.nics.push_back(std::move(one));
  }
  return facts;
}

double protocol_count(const HostState& window, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) {
    const auto found = window.protocols.find(name);
    if (found != window.protocols.end()) sum += static_cast<double>(found->second);
  }
  return sum;
}

std::vector<Evidence> cost_of_cpu(const Facts& facts, std::optional<uint32_t> cpu) {
  std::vector<Evidence> evidence;
  if (!cpu) return evidence;
  for (const uint32_t event : events_of_interest(facts.events)) {
    const auto costs = receive_costs(facts.costs, facts.profile, event);
    const auto here = costs.find(*cpu);
    if (here == costs.end()) continue;
    const Event& what = facts.profile->session.events[event];
    const std::string unit = what.unit == EventUnit::nanoseconds ? "ns" : what.name;
    evidence.push_back({what.name + " a received packet on " + cpu_subject(*cpu), here->second.value, unit});
    if (const auto others = together(costs, *cpu)) {
      evidence.push_back({what.name + " a received packet on the other CPUs", others->value, unit});
    }
  }
  return evidence;
}

}  // namespace nettoll
