// SPDX-License-Identifier: Apache-2.0
#include "correlate/diff_basis.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "correlate/event_meaning.h"
#include "model/event_name.h"
#include "model/names.h"

namespace nettoll {
namespace {

const char* scope_of(const Event& event) {
  if (meaning_of(event.name).user_only) return "user mode";
  return event.kernel_only ? "kernel mode" : "all modes";
}

/// The first event of that name, best with the same scope.
std::optional<uint32_t> find_event(const Session& in, const Event& like) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < in.events.size(); ++i) {
    if (meaning_of(in.events[i].name).name != meaning_of(like.name).name) continue;
    if (std::string_view(scope_of(in.events[i])) == scope_of(like)) return i;
    if (!found) found = i;
  }
  return found;
}

bool sampled(const DiffInput& side, uint32_t event) {
  return event < side.cost.events.size() && side.cost.events[event].samples > 0;
}

/// Whether its samples add up to anything: a capture may say of each that its period is 0.
bool weighs(const DiffInput& side, uint32_t event) {
  return side.cost.events[event].count > 0;
}

int rank_of(std::string_view name) {
  const EventRole role = role_of(name);
  return role == EventRole::cycles ? 0 : role == EventRole::cpu_clock ? 1 : 2;
}

std::string rate_of(const Event& event) {
  if (event.frequency) return fmt::format("{} times a second", event.frequency);
  return event.period ? fmt::format("once in {}", event.period) : "at an unknown rate";
}

uint64_t packets_of(const DiffInput& side, Path path) {
  const PathCost* row = side.cost.path(path);
  return row ? row->packets.value_or(0) : 0;
}

/// The path with more packets on the side that has fewer of them; none where one side has none.
std::optional<Path> packet_path_of(const DiffInput& a, const DiffInput& b) {
  std::optional<Path> best;
  uint64_t most = 0;
  for (const Path path : {Path::rx, Path::tx}) {
    const uint64_t both = std::min(packets_of(a, path), packets_of(b, path));
    if (both <= most) continue;
    most = both;
    best = path;
  }
  return best;
}

/// Of a capture that was cut, each CPU's samples end at another time: perf writes what CPUs have in turn.
bool has_duration(const Profile& profile) {
  return profile.duration_ns > 0 && (!profile.foreign || profile.foreign->ending == Ending::whole);
}

bool counts_calls(const DiffInput& side) {
  return std::any_of(side.cost.functions.begin(), side.cost.functions.end(),
                     [](const FunctionCost& f) { return f.denominator && f.calls.value_or(0) > 0; });
}

void note_if_different(std::vector<std::string>& notes, std::string_view what, const std::string& a,
                       const std::string& b, std::string_view meaning) {
  if (a == b) return;
  const auto or_unknown = [](const std::string& text) { return text.empty() ? "unknown" : text; };
  notes.push_back(fmt::format("{}: A {}, B {}{}", what, or_unknown(a), or_unknown(b), meaning));
}

std::string tool_of(const Profile& profile) {
  return profile.foreign ? profile.foreign->tool : "nettoll";
}

void note_losses(std::vector<std::string>& notes, std::string_view side, const DiffInput& input) {
  for (const Loss& loss : input.profile.losses) {
    if (loss.count > 0)
      notes.push_back(
          fmt::format("{} lost data: {} {} {}", side, name_of(loss.kind), loss.count, loss.subject));
  }
  for (const EventTotal& total : input.cost.events) {
    const std::string& name = input.profile.session.events[total.event].name;
    if (total.running_ratio && *total.running_ratio < 0.995)
      notes.push_back(fmt::format("{}: {} had a counter for {:.0f}% of the time", side, name,
                                  *total.running_ratio * 100));
    if (total.unsampled > 0)
      notes.push_back(fmt::format("{}: {:.0f}% of {} went by without a sample", side,
                                  100 * total.unsampled / total.count, name));
  }
}

/// What was lost of a side, and what the reader of another tool's capture had to say of it.
void note_reading(std::vector<std::string>& notes, std::string_view side, const DiffInput& input) {
  note_losses(notes, side, input);
  if (!input.profile.foreign) return;
  for (const std::string& note : input.profile.session.notes)
    notes.push_back(fmt::format("{}: {}", side, note));
}

void note_counting(std::vector<std::string>& notes, const Session& a, const Session& b) {
  note_if_different(notes, "counted set", a.set, b.set, "; hooks slow the functions that they are at");
  if (std::abs(a.hooks_per_packet - b.hooks_per_packet) > 0.5)
    notes.push_back(fmt::format("hooks per packet: A {:.1f}, B {:.1f}; they slow what they count",
                                a.hooks_per_packet, b.hooks_per_packet));
}

/// By how much the larger exceeds the smaller, both over 0.
double factor_between(double a, double b) {
  return std::max(a, b) / std::min(a, b);
}

void note_load(std::vector<std::string>& notes, const DiffInput& a, const DiffInput& b,
               const DiffDivisors& divisors) {
  const auto seconds_a = static_cast<double>(a.profile.duration_ns) / 1e9;
  const auto seconds_b = static_cast<double>(b.profile.duration_ns) / 1e9;
  if (!(seconds_a > 0) || !(seconds_b > 0)) return;
  constexpr double kOtherDuration = 1.5;
  if (factor_between(seconds_a, seconds_b) > kOtherDuration)
    notes.push_back(fmt::format("duration: A {:.3g} s, B {:.3g} s", seconds_a, seconds_b));
  if (!divisors.packet_path) return;
  const double rate_a = static_cast<double>(packets_of(a, *divisors.packet_path)) / seconds_a;
  const double rate_b = static_cast<double>(packets_of(b, *divisors.packet_path)) / seconds_b;
  constexpr double kOtherLoad = 1.2;
  if (rate_a > 0 && rate_b > 0 && factor_between(rate_a, rate_b) > kOtherLoad)
    notes.push_back(
        fmt::format("load: A had {:.0f} {} packets a second, B {:.0f}; what a packet costs depends on that",
                    rate_a, name_of(*divisors.packet_path), rate_b));
}

}  // namespace

std::vector<CommonEvent> common_events(const DiffInput& a, const DiffInput& b,
                                       std::vector<std::string>& notes) {
  const auto& events_a = a.profile.session.events;
  const auto& events_b = b.profile.session.events;
  std::vector<CommonEvent> common;
  for (uint32_t i = 0; i < events_a.size(); ++i) {
    const EventMeaning meaning = meaning_of(events_a[i].name);
    const auto other = find_event(b.profile.session, events_a[i]);
    if (!other) {
      notes.push_back(fmt::format("{} is in A alone and is not compared", events_a[i].name));
      continue;
    }
    const Event& event_b = events_b[*other];
    if (std::string_view(scope_of(events_a[i])) != scope_of(event_b)) {
      notes.push_back(fmt::format("{} is not compared: A sampled {}, B {}", meaning.name,
                                  scope_of(events_a[i]), scope_of(event_b)));
      continue;
    }
    if (events_a[i].unit != event_b.unit) {
      const auto unit = [](const Event& event) {
        return event.unit == EventUnit::nanoseconds ? "nanoseconds" : "samples, since it has no periods";
      };
      notes.push_back(fmt::format("{} is not compared: A counts {}, B {}", meaning.name, unit(events_a[i]),
                                  unit(event_b)));
      continue;
    }
    if (!sampled(a, i) || !sampled(b, *other)) {
      notes.push_back(fmt::format("{} is not compared: {} has no sample of it", meaning.name,
                                  sampled(b, *other) ? "A"
                                  : sampled(a, i)    ? "B"
                                                     : "neither side"));
      continue;
    }
    if (!weighs(a, i) || !weighs(b, *other)) {
      notes.push_back(fmt::format("{} is not compared: all its samples in {} have the period 0", meaning.name,
                                  weighs(b, *other) ? "A"
                                  : weighs(a, i)    ? "B"
                                                    : "A and B"));
      continue;
    }
    if (events_a[i].frequency != event_b.frequency || events_a[i].period != event_b.period)
      notes.push_back(fmt::format("{} was sampled {} in A, {} in B", meaning.name, rate_of(events_a[i]),
                                  rate_of(event_b)));
    const bool twice =
        std::any_of(common.begin(), common.end(), [&](const CommonEvent& row) { return row.b == *other; });
    if (!twice) common.push_back({i, *other, meaning.text()});
  }
  for (const Event& event : events_b) {
    if (!find_event(a.profile.session, event))
      notes.push_back(fmt::format("{} is in B alone and is not compared", event.name));
  }
  std::stable_sort(common.begin(), common.end(), [](const CommonEvent& x, const CommonEvent& y) {
    return rank_of(x.name) < rank_of(y.name);
  });
  if (common.empty()) notes.push_back("A and B have no event in common, so no cost is compared");
  return common;
}

bool chains_compare(const DiffInput& a, const DiffInput& b, const std::vector<CommonEvent>& events,
                    std::vector<std::string>& notes) {
  bool alike = true;
  for (const CommonEvent& event : events) {
    const bool in_a = a.profile.session.events[event.a].chains;
    const bool in_b = b.profile.session.events[event.b].chains;
    if (in_a && in_b) continue;
    notes.push_back(
        fmt::format("{} has no call chains in {}: inclusive costs are not compared{}", event.name,
                    in_a   ? "B"
                    : in_b ? "A"
                           : "A and B",
                    in_a == in_b ? "" : ", nor are paths and idle time, and --fail-on judges no total"));
    alike = alike && in_a == in_b;
  }
  return alike;
}

Result<DiffDivisors> choose_divisors(const DiffInput& a, const DiffInput& b, std::optional<DiffPer> wish) {
  DiffDivisors divisors;
  const auto packet_path = packet_path_of(a, b);
  const bool seconds = has_duration(a.profile) && has_duration(b.profile);
  if (packet_path) {
    divisors.totals_per = DiffPer::packet;
  } else if (seconds) {
    divisors.totals_per = DiffPer::second;
  }
  divisors.per = wish.value_or(divisors.totals_per);
  const auto lacks = [](std::string_view what) {
    return usage_error(fmt::format("A and B do not both have {}", what),
                       "without --per the best that both have is taken");
  };
  if (wish == DiffPer::packet && !packet_path) return lacks("packets of one path");
  if (wish == DiffPer::second && !seconds) return lacks("a known duration");
  if (wish == DiffPer::call && (!counts_calls(a) || !counts_calls(b))) return lacks("counted calls");
  if (wish && *wish != DiffPer::call) divisors.totals_per = *wish;
  if (divisors.totals_per == DiffPer::packet) divisors.packet_path = packet_path;
  return divisors;
}

std::vector<std::string> notes_on_sides(const DiffInput& a, const DiffInput& b,
                                        const DiffDivisors& divisors) {
  const Session& session_a = a.profile.session;
  const Session& session_b = b.profile.session;
  std::vector<std::string> notes;
  if (a.profile.wall_start_ns != 0 && a.profile == b.profile)
    notes.push_back("A and B hold the same recording");
  note_if_different(notes, "tool", tool_of(a.profile), tool_of(b.profile),
                    "; only what both have is compared");
  note_if_different(notes, "host", session_a.host, session_b.host, "; their CPUs may cost differently");
  note_if_different(notes, "architecture", session_a.arch, session_b.arch, "");
  note_if_different(notes, "kernel", session_a.kernel, session_b.kernel,
                    "; a function may be inlined, renamed or split in one");
  if (a.profile.foreign && b.profile.foreign)
    note_if_different(notes, "CPU", a.profile.foreign->cpu_model, b.profile.foreign->cpu_model, "");
  if (session_a.cpus_online && session_b.cpus_online && session_a.cpus_online != session_b.cpus_online)
    notes.push_back(fmt::format("CPUs online: A {}, B {}", session_a.cpus_online, session_b.cpus_online));
  // Other tools' captures counted nothing: that is no set, and not 0 hooks.
  if (!a.profile.foreign && !b.profile.foreign) note_counting(notes, session_a, session_b);
  note_load(notes, a, b, divisors);
  note_reading(notes, "A", a);
  note_reading(notes, "B", b);
  return notes;
}

DiffSide side_of(const DiffInput& side, const DiffDivisors& divisors) {
  DiffSide row{side.file,
               side.profile.session.host,
               side.profile.session.kernel,
               tool_of(side.profile),
               side.profile.duration_ns,
               std::nullopt,
               Ending::whole};
  if (divisors.packet_path) row.packets = packets_of(side, *divisors.packet_path);
  if (side.profile.foreign) row.ending = side.profile.foreign->ending;
  return row;
}

std::vector<Path> default_paths(const DiffInput& a, const DiffInput& b) {
  const auto has_network = [](const DiffInput& side) {
    return std::any_of(side.cost.paths.begin(), side.cost.paths.end(), [&](const PathCost& path) {
      if (!is_network(path.path)) return false;
      // By the innermost function alone next to nothing of a path is found.
      for (size_t event = 0; event < path.events.size(); ++event) {
        if (path.events[event].samples > 0 && side.profile.session.events[event].chains) return true;
      }
      return false;
    });
  };
  const bool network = has_network(a) || has_network(b);
  std::vector<Path> paths;
  for (const Path path : kAllPaths) {
    if (network ? is_network(path) : path != Path::idle && path != Path::own) paths.push_back(path);
  }
  return paths;
}

}  // namespace nettoll
