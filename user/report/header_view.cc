// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <map>
#include <string_view>

#include "base/printable.h"
#include "model/counterless.h"
#include "model/missing_events.h"
#include "model/names.h"
#include "report/format.h"
#include "report/own_cost_note.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// Which version of perf made another tool's capture, or nettoll where it wrote the file for perf to read:
/// " of perf 6.1.0", "" where it does not say.
std::string made_by(const Session& session) {
  if (session.version.empty()) return "";
  return (session.version.starts_with("nettoll") ? " of " : " of perf ") + printable_line(session.version);
}

/// The host and its kernel, as far as they are known.
std::string host_of(const Session& session) {
  const std::string host = session.host.empty() ? "unknown host" : printable_line(session.host);
  if (session.kernel.empty()) return host + ", unknown kernel";
  const std::string arch = session.arch.empty() ? "" : " " + printable_line(session.arch);
  return fmt::format("{}, kernel {}{}", host, printable_line(session.kernel), arch);
}

std::string host_lines(const Profile& profile) {
  const Session& session = profile.session;
  std::string text =
      (profile.foreign ? profile.foreign->tool + made_by(session) : "nettoll " + session.version) + " on " +
      host_of(session) + "\n";
  if (profile.foreign && !profile.foreign->cpu_model.empty())
    text += fmt::format("CPU       {}\n", printable_line(profile.foreign->cpu_model));
  if (profile.foreign && !profile.foreign->command.empty())
    text += fmt::format("recorded  {}\n", printable_line(profile.foreign->command));
  text +=
      fmt::format("window    {}",
                  profile.duration_ns ? format_time(static_cast<double>(profile.duration_ns)) : "unknown");
  if (profile.wall_start_ns) {
    const auto seconds = static_cast<std::time_t>(profile.wall_start_ns / 1'000'000'000);
    text += fmt::format(" from {:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
  }
  if (profile.foreign && profile.foreign->first_ns) {
    constexpr uint64_t kSecond = 1'000'000'000;
    const uint64_t first = *profile.foreign->first_ns;
    text += fmt::format(", first sample at {}.{:09}", first / kSecond, first % kSecond);
  }
  if (session.cpus_online) text += fmt::format(", {} CPUs online", session.cpus_online);
  return text + "\n";
}

/// "14 functions: 12 tracepoint, 2 fentry", without those that cannot be counted.
std::string counting_line(const Session& session) {
  std::map<Method, size_t> methods;
  size_t counted = 0;
  for (const auto& function : session.functions) {
    if (!is_counted(function.state)) continue;
    ++methods[function.method];
    ++counted;
  }
  if (counted == 0) return "counting  no functions\n";
  std::string list;
  for (const auto& [method, n] : methods)
    list += fmt::format("{}{} by {}", list.empty() ? "" : ", ", n, name_of(method));
  const std::string set = session.set.empty() ? "" : fmt::format("set {}, ", session.set);
  const std::string hooks =
      session.hooks_per_packet > 0
          ? fmt::format(", {} hooks per packet", format_quantity(session.hooks_per_packet))
          : "";
  return fmt::format("counting  {}{} functions ({}){}\n", set, counted, list, hooks);
}

std::string rate_of(const Event& event) {
  if (event.frequency) return fmt::format("{} Hz", event.frequency);
  if (event.period) return fmt::format("1 in {}", format_exact(event.period));
  return kMissing;
}

std::string total_of(const Event& event, const EventTotal& total) {
  if (!total.known()) return kMissing;
  if (event.unit == EventUnit::nanoseconds) return format_time(total.count);
  constexpr double kMostExact = 1e18;
  const std::string count = total.count < kMostExact
                                ? format_exact(static_cast<uint64_t>(std::llround(total.count)))
                                : format_quantity(total.count);
  // A timer whose periods are not known: each sample counts as 1.
  return event.timer ? count + " samples" : count;
}

/// "35.4% (±2.1%)": the share of time that the event had a counter, and the error that its scaled total has
/// of that.
std::string running_of(const EventTotal& total) {
  if (!total.running_ratio) return kMissing;
  std::string text = format_percent(*total.running_ratio);
  if (*total.running_ratio >= 1 || total.count <= 0) return text;
  return text + (total.scaling_error ? fmt::format(" ({})", format_error(*total.scaling_error / total.count))
                                     : std::string(" (±?)"));
}

std::string scope_of(const Event& event) {
  std::string scope = event.kernel_only ? "kernel mode" : "all modes";
  if (event.timer) scope += "; a timer, blind where interrupts are off";
  return scope;
}

std::string events_table(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  TextTable table({{"event", TextTable::Kind::text},
                   {"total"},
                   {"samples"},
                   {"sampled"},
                   {"running"},
                   {"scope", TextTable::Kind::text}});
  for (const auto& total : cost.events) {
    const Event& event = profile.session.events[total.event];
    table.add({event.name, total_of(event, total), total.known() ? format_exact(total.samples) : kMissing,
               rate_of(event), running_of(total), scope_of(event)});
  }
  return table.empty() ? "events    none ran\n" : "\n" + text_of(table, options.terminal) + "\n";
}

std::string losses_line(const Profile& profile) {
  std::string list;
  for (const auto& loss : profile.losses) {
    if (loss.count == 0) continue;
    const std::string subject = loss.subject.empty() ? "" : fmt::format(" ({})", loss.subject);
    list += fmt::format("{}{} {}{}", list.empty() ? "" : ", ", name_of(loss.kind), format_exact(loss.count),
                        subject);
  }
  if (const Ending ending = profile.foreign ? profile.foreign->ending : Ending::whole;
      ending != Ending::whole)
    list += fmt::format("{}an unknown number of samples: the capture {}", list.empty() ? "" : ", ",
                        ending == Ending::cut ? "was cut" : "is damaged");
  return fmt::format("lost      {}\n", list.empty() ? "nothing" : list);
}

/// What gives names to code that has none for a cause; "" where nothing does.
std::string_view remedy(UnnamedCause cause) {
  switch (cause) {
    case UnnamedCause::broken_chain:
      return " (record with --call-graph dwarf or lbr)";
    case UnnamedCause::no_file:
    case UnnamedCause::other_file:
      return " (give --symfs)";
    case UnnamedCause::stripped:
      return " (install debug symbols)";
    case UnnamedCause::no_kernel_symbols:
    case UnnamedCause::zeroed_kallsyms:
      return " (give --kallsyms)";
    case UnnamedCause::no_module_symbols:
      return " (give --kallsyms of that boot: only there stands where a loaded module's functions lie)";
    default:
      return "";
  }
}

/// What has no name in a capture, a line for each cause.
std::string unnamed_lines(const Profile& profile) {
  std::string text;
  if (!profile.foreign) return text;
  for (const Unnamed& row : profile.foreign->unnamed) {
    text += fmt::format("unnamed   {} samples and {} of their callers: {}{}\n", format_exact(row.samples),
                        format_exact(row.callers), name_of(row.cause), remedy(row.cause));
  }
  return text;
}

/// Where samples did not come for a part of what was counted.
std::string gap_lines(const Profile& profile, const CostTable& cost) {
  std::string text;
  for (const auto& total : cost.events) {
    if (total.unsampled <= 0) continue;
    const Event& event = profile.session.events[total.event];
    text += fmt::format("gap       {}: {} of the total went by without a sample, and is {}\n", event.name,
                        format_percent(total.unsampled / total.count),
                        event.timer ? "in no function" : "spread over the others");
  }
  return text;
}

/// What others left no counter for.
std::string counterless_lines(const Profile& profile) {
  std::string text;
  for (const Counterless& row : without_counters(profile.session.events, profile.counts)) {
    if (row.cpus.empty()) continue;
    text += fmt::format(
        "gap       {}: no hardware counter on CPUs {}, all the time: {}; its costs there are unknown\n",
        profile.session.events[row.event].name, format_cpu_list(row.cpus), kCountersHeld);
  }
  return text;
}

/// That there are no call chains, before anybody reads a column that needs them.
std::string chains_line(const Profile& profile, const CostTable& cost) {
  std::string events;
  size_t sampled = 0;
  size_t without = 0;
  for (const auto& total : cost.events) {
    if (total.samples == 0) continue;
    ++sampled;
    const Event& event = profile.session.events[total.event];
    if (event.chains) continue;
    events += (++without == 1 ? " of " : ", ") + event.name;
  }
  if (without == 0) return "";
  return fmt::format(
      "chains    none{}: what functions cost with all that they call is not known, and paths are told by the "
      "innermost function alone (record with -g)\n",
      without == sampled ? "" : events);
}

/// Events that do not run here, those with the same reason together.
std::string missing_lines(const Session& session) {
  std::string text;
  for (const auto& [names, reason] : group_by_reason(session.missing_events))
    text += fmt::format("not here  {}: {}\n", names, reason);
  return text;
}

}  // namespace

std::string header_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = host_lines(profile);
  // Other tools' captures have no counts.
  if (!profile.foreign) text += counting_line(profile.session);
  text += events_table(profile, cost, options);
  text += missing_lines(profile.session);
  text += losses_line(profile) + counterless_lines(profile) + gap_lines(profile, cost) +
          chains_line(profile, cost) + unnamed_lines(profile);
  for (const auto& note : profile.session.notes) text += fmt::format("note      {}\n", printable_line(note));
  if (const std::string note = own_cost_note(profile, cost); !note.empty())
    text += fmt::format("note      {}\n", note);
  return text;
}

}  // namespace nettoll
