// SPDX-License-Identifier: Apache-2.0
#include "correlate/scale.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nettoll {
namespace {

size_t cpus_in(const Profile& profile) {
  size_t cpus = profile.session.cpu_limit;
  for (const auto& row : profile.counts) cpus = std::max<size_t>(cpus, row.cpu + size_t{1});
  for (const auto& row : profile.samples) cpus = std::max<size_t>(cpus, row.cpu + size_t{1});
  return cpus;
}

void add_count(const EventCount& row, CounterScale& cell) {
  cell.enabled_ns += static_cast<double>(row.enabled_ns);
  cell.running_ns += static_cast<double>(row.running_ns);
  if (row.running_ns == 0) return;
  // More running than enabled is a rounding of the kernel's clock reads; it must not shrink a count.
  const double scale = std::max(1.0, static_cast<double>(row.enabled_ns) / row.running_ns);
  cell.count += static_cast<double>(row.value) * scale;
  cell.known = true;
  if (row.running_ns >= row.enabled_ns) return;
  if (cell.scaling_variance && row.scaling_error) {
    *cell.scaling_variance += *row.scaling_error * *row.scaling_error;
  } else {
    cell.scaling_variance.reset();
  }
}

constexpr double kEnoughSamples = 16;

/// Events of a CPU that went by without a sample, though it has some: lost, throttled, or never interrupted.
/// The last period is open, and rates are found by trying; beyond a tenth it is none of both. A timer's
/// periods are all alike, so how many samples were due is known however few came; for other events these few
/// may be the first tries.
double unsampled(const CounterScale& cell, bool timer) {
  constexpr double kUsual = 0.9;
  if (!cell.known || cell.samples == 0 || cell.enabled_ns <= 0) return 0;
  const auto came = static_cast<double>(cell.samples);
  const double due = timer && cell.period > 0 ? cell.count * came / cell.period : came;
  if (due < kEnoughSamples) return 0;
  const double sampled = cell.period * cell.enabled_ns / std::max(cell.running_ns, 1.0);
  return sampled < cell.count * kUsual ? cell.count - sampled : 0;
}

/// Whether a timer without a sample was silent, and not only between two of them.
bool is_silent(const CounterScale& cell, const Event& event) {
  if (!event.timer || cell.samples > 0) return false;
  const double period = event.frequency ? 1e9 / event.frequency : static_cast<double>(event.period);
  return period > 0 && cell.count / period >= kEnoughSamples;
}

/// Gives a CPU's events, but for those `left_out`, to its samples. Whatever `waiting` held goes with them.
void weigh(CounterScale& cell, double left_out, double& waiting) {
  if (!cell.known) {
    // Samples without a usable count: each stands for its period and no more.
    cell.count = cell.period;
    cell.known = true;
  }
  const double events = cell.count - left_out + waiting;
  waiting = 0;
  if (cell.period > 0) {
    cell.per_period = events / cell.period;
  } else {
    cell.per_sample = events / static_cast<double>(cell.samples);
  }
}

/// One event over all CPUs. `waiting` is null where the window stands alone.
///
/// Time in which a timer was silent is nobody's: an idle CPU that sleeps long has few samples, and these
/// would get all the time that it slept.
EventTotal total_of(uint32_t number, const Event& event, ScaleTable& table, std::vector<double>* waiting) {
  EventTotal total;
  total.event = number;
  double smallest = 1;
  bool ran = false;
  std::optional<double> variance = 0;
  for (uint32_t cpu = 0; cpu < table.cpus(); ++cpu) {
    CounterScale& cell = table.at(number, cpu);
    double alone = 0;
    double& rest = waiting ? (*waiting)[cpu] : alone;
    const double gap = unsampled(cell, event.timer);
    double silent = event.timer ? gap : 0;
    if (cell.samples > 0) {
      weigh(cell, silent, rest);
    } else if (is_silent(cell, event)) {
      silent = cell.count;
    } else {
      rest += cell.count;
    }
    total.unsampled += gap;
    total.unattributed += alone + silent;
    total.count += cell.count;
    total.samples += cell.samples;
    ran = ran || cell.running_ns > 0;
    // Where it was wanted and never ran the count lacks what it would have been.
    if (!cell.scaling_variance || (cell.enabled_ns > 0 && cell.running_ns == 0)) variance.reset();
    if (variance) *variance += *cell.scaling_variance;
    if (cell.enabled_ns > 0) smallest = std::min(smallest, cell.running_ns / cell.enabled_ns);
  }
  if (ran) total.running_ratio = smallest;
  if (ran && variance) total.scaling_error = std::sqrt(*variance);
  if (waiting) total.pending = std::accumulate(waiting->begin(), waiting->end(), 0.0);
  return total;
}

}  // namespace

ScaleTable scale_counts(const Profile& profile, Carry* carry, std::vector<EventTotal>& totals) {
  const size_t events = profile.session.events.size();
  ScaleTable table(events, cpus_in(profile));
  for (const auto& row : profile.counts) add_count(row, table.at(row.event, row.cpu));
  for (const auto& row : profile.samples) {
    CounterScale& cell = table.at(row.event, row.cpu);
    cell.samples += row.samples;
    cell.period += static_cast<double>(row.period);
  }

  if (carry) carry->waiting.resize(events);
  totals.clear();
  for (uint32_t event = 0; event < events; ++event) {
    std::vector<double>* waiting = carry ? &carry->waiting[event] : nullptr;
    if (waiting && waiting->size() < table.cpus()) waiting->resize(table.cpus(), 0);
    totals.push_back(total_of(event, profile.session.events[event], table, waiting));
  }
  return table;
}

}  // namespace nettoll
