// SPDX-License-Identifier: Apache-2.0
#include "exporters/prometheus/cumulative.h"

#include <algorithm>
#include <cmath>

#include "exporters/prometheus/label_value.h"
#include "model/event_name.h"
#include "model/names.h"

namespace nettoll::exporter {
namespace {

/// Place of each of the tick's events in Totals::events.
using Slots = std::vector<size_t>;

void add_amount(double& total, double amount) {
  if (std::isfinite(amount) && amount > 0) total += amount;
}

void add_amount(std::optional<double>& total, double amount) {
  if (!total) total = 0;
  add_amount(*total, amount);
}

void add_count(std::optional<uint64_t>& total, uint64_t count) {
  total = total.value_or(0) + count;
}

Slots add_events(Totals& totals, const std::vector<Event>& events) {
  Slots slots;
  for (const Event& event : events) {
    const std::string name = label_value(event.name);
    const auto known = std::find_if(totals.events.begin(), totals.events.end(),
                                    [&](const EventTotals& e) { return e.name == name; });
    slots.push_back(static_cast<size_t>(known - totals.events.begin()));
    if (known == totals.events.end()) totals.events.push_back({name, event.unit, {}, {}});
  }
  for (size_t i = 0; i < totals.events.size(); ++i) {
    if (totals.events[i].unit != EventUnit::nanoseconds) continue;
    const bool cpu_clock = role_of(totals.events[i].name) == EventRole::cpu_clock;
    // Once chosen it stays: a counter must not change what it counts.
    if (!totals.clock || (totals.ticks == 0 && cpu_clock)) totals.clock = i;
  }
  totals.paths.events.resize(totals.events.size());
  return slots;
}

void add_event_totals(Totals& totals, const Slots& slots, const CostTable& costs) {
  for (auto& event : totals.events) event.running_ratio.reset();
  for (const EventTotal& total : costs.events) {
    if (total.event >= slots.size() || !total.running_ratio) continue;
    EventTotals& event = totals.events[slots[total.event]];
    event.running_ratio = total.running_ratio;
    add_amount(event.unattributed, total.unattributed);
  }
}

bool counts_for(const FunctionCost& function, const FunctionCell& cell) {
  return function.calls ? cell.path != Path::own : is_network(cell.path);
}

bool is_series(const FunctionCost& function) {
  if (function.symbol.kind == SymbolKind::own || function.symbol.kind == SymbolKind::user) return false;
  return function.calls || std::any_of(function.cells.begin(), function.cells.end(),
                                       [](const FunctionCell& cell) { return is_network(cell.path); });
}

void add_function(Totals& totals, const Slots& slots, const FunctionCost& function) {
  using Map = decltype(totals.functions);
  const Map::Labels other{kOther, kOther};
  FunctionTotals& to =
      totals.functions.at({label_value(function.symbol.name), label_value(function.symbol.module)}, other);
  to.other = &to == totals.functions.find(other);
  if (function.calls) add_count(to.calls[static_cast<size_t>(function.method)], *function.calls);
  to.events.resize(totals.events.size());
  for (const FunctionCell& cell : function.cells) {
    if (cell.event >= slots.size() || !counts_for(function, cell)) continue;
    auto& event = to.events[slots[cell.event]];
    if (!event) event.emplace();
    add_amount(event->self, cell.self.value);
    if (!to.other) add_amount(event->inclusive, cell.inclusive.value);
    event->samples += to.other ? cell.self.samples : cell.inclusive.samples;
  }
}

/// Counted functions first: they are known before they are busy, so the cap must not depend on what ran
/// first. The table has the rest by cost, so the cap keeps the most expensive.
void add_functions(Totals& totals, const Slots& slots, const CostTable& costs) {
  for (const bool counted : {true, false}) {
    for (const FunctionCost& function : costs.functions) {
      if (function.calls.has_value() == counted && is_series(function)) add_function(totals, slots, function);
    }
  }
}

void add_paths(PathTotals& to, const Slots& slots, const std::vector<PathCost>& paths) {
  for (const PathCost& cost : paths) {
    const auto path = static_cast<size_t>(cost.path);
    if (cost.packets) add_count(to.packets[path], *cost.packets);
    if (cost.segments) add_count(to.segments[path], *cost.segments);
    for (size_t event = 0; event < std::min(slots.size(), cost.events.size()); ++event) {
      if (cost.events[event].samples == 0) continue;
      add_amount(to.events[slots[event]][path], cost.events[event].value);
    }
  }
}

/// (CPU, event) pairs that never had a hardware counter in the window: unknown, not 0.
std::vector<std::pair<uint32_t, uint32_t>> never_ran(const std::vector<EventCount>& counts) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const EventCount& count : counts) {
    if (count.running_ns == 0) pairs.emplace_back(count.cpu, count.event);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void add_cpus(Totals& totals, const Slots& slots, const Profile& profile, const CostTable& costs) {
  const auto unknown = never_ran(profile.counts);
  for (const CpuCost& cost : costs.cpus) {
    if (cost.event >= slots.size()) continue;
    if (std::binary_search(unknown.begin(), unknown.end(), std::pair(cost.cpu, cost.event))) continue;
    const size_t slot = slots[cost.event];
    CpuTotals& cpu = totals.cpus[cost.cpu];
    cpu.events.resize(totals.events.size());
    add_amount(cpu.events[slot], cost.count);
    if (slot != totals.clock) continue;
    for (size_t path = 0; path < std::min(cost.paths.size(), kPathCount); ++path) {
      if (cost.paths[path].samples > 0) add_amount(cpu.clock[path], cost.paths[path].value);
    }
  }
  for (const PathPackets& row : profile.packets) {
    add_count(totals.cpus[row.cpu].packets[static_cast<size_t>(row.path)], row.packets);
  }
}

void add_net(Totals& totals, const Profile& profile) {
  for (const Drops& row : profile.drops) {
    if (const DropClass what = classify(row); what != DropClass::loss) {
      totals.noise_drops[what] += row.packets;
      continue;
    }
    totals.drops.at({label_value(row.reason), label_value(row.function), label_value(row.protocol),
                     label_value(row.device)},
                    {kOther, kOther, kOther, kOther}) += row.packets;
  }
  for (const NapiPolls& row : profile.napi) {
    const std::string cpu = std::to_string(row.cpu);
    NapiTotals& to = totals.napi.at({label_value(row.device), cpu}, {kOther, cpu});
    to.polls += row.polls;
    to.packets += row.packets;
    to.budget_exhausted += row.budget_exhausted;
  }
  for (const QueuePackets& row : profile.queues) {
    const std::string queue = row.queue < 0 ? "none" : std::to_string(row.queue);
    totals.queues.at({label_value(row.device), queue}, {kOther, kOther}) += row.packets;
  }
  for (const SoftirqTime& row : profile.softirqs) {
    SoftirqTotals& to = totals.softirqs[{softirq_name(row.vector), row.cpu}];
    to.runs += row.runs;
    to.ns += row.ns;
  }
}

/// The losses of an event are read with its samples, so an event that runs has them from the start, at 0.
void add_losses(Totals& totals, const Profile& profile) {
  const auto add = [&](LossKind kind, std::string_view subject, uint64_t count) {
    const std::string cause(name_of(kind));
    totals.losses.at({cause, label_value(subject)}, {cause, kOther}) += count;
  };
  for (const Event& event : profile.session.events) {
    for (const LossKind kind : {LossKind::ring_full, LossKind::throttled}) add(kind, event.name, 0);
  }
  for (const Loss& loss : profile.losses) add(loss.kind, loss.subject, loss.count);
}

SessionFacts facts_of(const Profile& profile) {
  const Session& session = profile.session;
  SessionFacts facts;
  facts.kernel = label_value(session.kernel);
  facts.arch = label_value(session.arch);
  facts.set = label_value(session.set);
  facts.hooks_per_packet = session.hooks_per_packet;
  for (const CountedFunction& function : session.functions) {
    ++facts.functions[{function.state, function.method}];
  }
  for (const MissingEvent& event : session.missing_events)
    facts.event_available[label_value(event.name)] = false;
  for (const Event& event : session.events) facts.event_available[label_value(event.name)] = true;
  facts.end_seconds = static_cast<double>(profile.wall_start_ns + profile.duration_ns) / 1e9;
  return facts;
}

}  // namespace

void Cumulative::add(const Profile& profile, const CostTable& costs) {
  const Slots slots = add_events(totals_, profile.session.events);
  add_event_totals(totals_, slots, costs);
  add_functions(totals_, slots, costs);
  add_paths(totals_.paths, slots, costs.paths);
  add_cpus(totals_, slots, profile, costs);
  add_net(totals_, profile);
  add_losses(totals_, profile);
  totals_.session = facts_of(profile);
  totals_.window_ns += profile.duration_ns;
  ++totals_.ticks;
  ++totals_.changes;
}

void Cumulative::add(const DiagnosedWindow& window) {
  totals_.diagnosis.add(window);
  ++totals_.changes;
}

void Cumulative::add(const std::vector<EstimatedCalls>& calls) {
  for (const EstimatedCalls& row : calls) {
    EstimateTotals& to = totals_.estimates.at(
        {label_value(row.function), label_value(row.module), std::string(name_of(row.method))},
        {kOther, kOther, kOther});
    add_amount(to.calls, row.calls);
    to.seen += row.seen;
  }
  ++totals_.changes;
}

void Cumulative::set(const std::optional<Overhead>& overhead) {
  if (totals_.overhead == overhead) return;
  totals_.overhead = overhead;
  ++totals_.changes;
}

void Cumulative::diagnosis_failed() {
  totals_.diagnosis.fail();
  ++totals_.changes;
}

}  // namespace nettoll::exporter
