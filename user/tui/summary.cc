// SPDX-License-Identifier: Apache-2.0
#include "tui/summary.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

#include "model/drop_class.h"
#include "model/missing_events.h"
#include "model/names.h"
#include "model/ratios.h"
#include "report/format.h"
#include "report/own_cost_note.h"
#include "tui/cpu_load.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

std::string interval_text(std::chrono::milliseconds interval) {
  const auto ms = interval.count();
  return ms % 1000 == 0 ? fmt::format("{} s", ms / 1000) : fmt::format("{} ms", ms);
}

std::string host_line(const TopState& state, const Profile& profile) {
  const auto end = static_cast<std::time_t>((profile.wall_start_ns + profile.duration_ns) / 1'000'000'000);
  return fmt::format("nettoll top  {:%H:%M:%S} UTC  every {}{}  {} CPUs  {}  Linux {} {}", fmt::gmtime(end),
                     interval_text(state.interval), state.paused ? "  PAUSED" : "",
                     profile.session.cpus_online ? std::to_string(profile.session.cpus_online) : kMissing,
                     or_missing(profile.session.host), or_missing(profile.session.kernel),
                     profile.session.arch);
}

/// "212k/s (3.10 us each)".
std::string packets_text(const TopState& state, const TopData& data, Path which) {
  const PathCost* path = data.cost.path(which);
  // Packets are counted always: no row is no packet.
  const std::string rate = rate_value(path ? path->packets.value_or(0) : 0, data.profile.duration_ns).text;
  const auto event = event_of(state, data);
  if (!path || !event || *event >= path->events.size()) return rate + "/s";
  const auto each = path->per_packet(*event);
  if (!each || path->events[*event].samples == 0) return rate + "/s";
  return fmt::format("{}/s ({} each)", rate,
                     format_per(data.profile.session.events[*event].unit, each, path->events[*event]));
}

std::string packets_line(const TopState& state, const TopData& data) {
  uint64_t lost = 0;
  for (const Drops& row : data.profile.drops) lost += classify(row) == DropClass::loss ? row.packets : 0;
  return fmt::format("packets  rx {}  tx {}  lost {}/s", packets_text(state, data, Path::rx),
                     packets_text(state, data, Path::tx), rate_value(lost, data.profile.duration_ns).text);
}

std::string busiest_softirq(const TopData& data) {
  const auto loads = cpu_loads(data.profile, data.cost);
  const auto busiest = std::max_element(loads.begin(), loads.end(), [](const auto& a, const auto& b) {
    return a.second.softirq_ns < b.second.softirq_ns;
  });
  if (busiest == loads.end() || data.profile.duration_ns == 0) return kMissing;
  return fmt::format("CPU {} {}", busiest->first,
                     format_percent(static_cast<double>(busiest->second.softirq_ns) /
                                    static_cast<double>(data.profile.duration_ns)));
}

std::string findings_text(const TopData& data) {
  if (!data.judgement) return "not judged yet";
  const auto& findings = data.judgement->diagnosis.findings;
  const auto critical = std::count_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Severity::critical;
  });
  return critical ? fmt::format("{} ({} critical)", findings.size(), critical)
                  : std::to_string(findings.size());
}

/// The part of all CPUs' time that the network takes; of another event where there is no cpu-clock.
std::string network_text(const TopState& state, const TopData& data) {
  const auto clock = roles_of(data.profile.session.events).cpu_clock;
  const auto event = clock ? clock : event_of(state, data);
  if (!event) return kMissing;
  const auto share = share_of_all(data.cost, *event, network_total(data.cost, *event));
  if (!share) return kMissing;
  return format_share(share) + (clock ? " of CPU time" : " of " + data.profile.session.events[*event].name);
}

std::string own_text(const TopData& data) {
  if (!data.own || data.own->window_ns == 0) return kMissing;
  return fmt::format(
      "{} a refresh ({} of a CPU)", format_time(static_cast<double>(data.own->cpu_ns)),
      format_percent(static_cast<double>(data.own->cpu_ns) / static_cast<double>(data.own->window_ns)));
}

/// CPU time of the probes, from samples.
std::string probes_text(const TopData& data) {
  const auto clock = roles_of(data.profile.session.events).cpu_clock;
  const PathCost* own = data.cost.path(Path::own);
  if (!clock || !own || *clock >= own->events.size() || own->events[*clock].samples == 0 ||
      data.profile.duration_ns == 0)
    return kMissing;
  const Estimate& spent = own->events[*clock];
  return fmt::format("{}{} of a CPU", spent.too_few() ? "~" : "",
                     format_percent(spent.value / static_cast<double>(data.profile.duration_ns)));
}

bool found_critical(const TopData& data) {
  if (!data.judgement) return false;
  const auto& findings = data.judgement->diagnosis.findings;
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.severity == Severity::critical; });
}

/// What samples and tables lost, then events that had to share a counter.
std::vector<std::string> losses(const TopData& data) {
  std::vector<std::string> all;
  for (const Loss& loss : data.profile.losses) {
    if (loss.count == 0) continue;
    const std::string subject = loss.subject.empty() ? "" : fmt::format(" ({})", loss.subject);
    all.push_back(fmt::format("{} {}{}", name_of(loss.kind), format_exact(loss.count), subject));
  }
  for (const EventTotal& total : data.cost.events) {
    const std::string& name = data.profile.session.events[total.event].name;
    if (total.unsampled > 0 && total.count > 0)
      all.push_back(
          fmt::format("{} without samples {}", name, format_percent(total.unsampled / total.count)));
    if (total.running_ratio && *total.running_ratio < 1)
      all.push_back(
          fmt::format("{} had a counter for {} of the time", name, format_percent(*total.running_ratio)));
  }
  return all;
}

}  // namespace

std::vector<SummaryLine> summary_lines(const TopState& state, const TopData& data) {
  return {{host_line(state, data.profile), state.paused ? Style::warning : Style::strong},
          {packets_line(state, data), Style::normal},
          {fmt::format("network  {}  softirq {}  findings {}", network_text(state, data),
                       busiest_softirq(data), findings_text(data)),
           found_critical(data) ? Style::critical : Style::normal},
          {fmt::format("own cost {}, probes {}", own_text(data), probes_text(data)), Style::dim}};
}

SummaryLine status_line(const TopData& data) {
  const auto lost = losses(data);
  std::vector<std::string> rest = data.notes;
  if (std::string note = own_cost_note(data.profile, data.cost); !note.empty())
    rest.push_back(std::move(note));
  for (const auto& [names, reason] : group_by_reason(data.profile.session.missing_events))
    rest.push_back(fmt::format("not here: {} ({})", names, reason));
  rest.insert(rest.end(), data.profile.session.notes.begin(), data.profile.session.notes.end());
  if (data.judgement) rest.insert(rest.end(), data.judgement->notes.begin(), data.judgement->notes.end());
  std::string text = lost.empty() ? "lost: nothing" : fmt::format("lost: {}", fmt::join(lost, ", "));
  if (!rest.empty()) text += fmt::format("; {}", fmt::join(rest, "; "));
  return {text, !lost.empty() || !data.notes.empty() ? Style::warning : Style::dim};
}

}  // namespace nettoll::tui
