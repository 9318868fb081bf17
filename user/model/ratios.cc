// SPDX-License-Identifier: Apache-2.0
#include "model/ratios.h"

#include "model/event_name.h"

#include <cmath>

namespace nettoll {
namespace {

/// The first event with a role; with `pmu`, of that PMU alone.
std::optional<uint32_t> first_with(EventRole role, const std::vector<Event>& events,
                                   std::optional<std::string_view> pmu = {}) {
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (role_of(events[i].name) != role) continue;
    if (!pmu || parts_of_event(events[i].name).pmu == *pmu) return i;
  }
  return std::nullopt;
}

const Estimate* at(std::span<const Estimate> by_event, std::optional<uint32_t> event) {
  return event && *event < by_event.size() ? &by_event[*event] : nullptr;
}

}  // namespace

EventRoles roles_of(const std::vector<Event>& events) {
  const auto pmu_of = [&](uint32_t event) { return parts_of_event(events[event].name).pmu; };
  EventRoles roles;
  roles.cpu_clock = first_with(EventRole::cpu_clock, events);
  roles.cycles = first_with(EventRole::cycles, events);
  roles.instructions = roles.cycles ? first_with(EventRole::instructions, events, pmu_of(*roles.cycles))
                                    : first_with(EventRole::instructions, events);
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (!parts_of_event(events[i].name).base.ends_with("misses")) continue;
    if (!roles.instructions || pmu_of(i) == pmu_of(*roles.instructions)) roles.misses.push_back(i);
  }
  return roles;
}

std::optional<Ratio> ratio_of(const Estimate& part, const Estimate& whole) {
  if (part.samples == 0 || whole.samples == 0 || !(whole.value > 0)) return std::nullopt;
  return Ratio{part.value / whole.value, std::hypot(part.relative_error(), whole.relative_error()),
               part.too_few() || whole.too_few()};
}

std::optional<Ratio> ratio_of(const Estimate& part, double exact_whole) {
  if (part.samples == 0 || !(exact_whole > 0)) return std::nullopt;
  return Ratio{part.value / exact_whole, part.relative_error(), part.too_few()};
}

std::optional<Ratio> instructions_per_cycle(const EventRoles& roles, std::span<const Estimate> by_event) {
  const Estimate* instructions = at(by_event, roles.instructions);
  const Estimate* cycles = at(by_event, roles.cycles);
  if (!instructions || !cycles) return std::nullopt;
  return ratio_of(*instructions, *cycles);
}

std::optional<Ratio> per_thousand_instructions(const EventRoles& roles, std::span<const Estimate> by_event,
                                               uint32_t misses) {
  const Estimate* part = at(by_event, misses);
  const Estimate* instructions = at(by_event, roles.instructions);
  if (!part || !instructions) return std::nullopt;
  auto ratio = ratio_of(*part, *instructions);
  if (ratio) ratio->value *= 1000;
  return ratio;
}

std::optional<Ratio> share_of_all(const CostTable& cost, uint32_t event, const Estimate& part) {
  if (event >= cost.events.size()) return std::nullopt;
  return ratio_of(part, cost.events[event].count);
}

std::optional<Ratio> share_of_network(const CostTable& cost, uint32_t event, const Estimate& part) {
  return ratio_of(part, network_total(cost, event));
}

Estimate network_total(const CostTable& cost, uint32_t event) {
  Estimate sum;
  for (const auto& row : cost.paths) {
    if (is_network(row.path) && event < row.events.size()) sum.add(row.events[event]);
  }
  return sum;
}

}  // namespace nettoll
