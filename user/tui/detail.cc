// SPDX-License-Identifier: Apache-2.0
#include "tui/detail.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "model/ratios.h"
#include "report/diagnosis_view.h"
#include "report/format.h"
#include "report/table.h"
#include "tui/glyphs.h"
#include "tui/neighbours.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

/// Where the texts of finding_view() begin.
constexpr int kFindingIndent = 12;
constexpr size_t kNeighboursShown = 8;

std::string neighbours_text(const char* title, const std::vector<Neighbour>& rows, const Profile& profile,
                            uint64_t samples) {
  if (rows.empty()) return "";
  std::string text = fmt::format("\n{}\n", title);
  for (size_t i = 0; i < std::min(rows.size(), kNeighboursShown); ++i)
    text += fmt::format("  {:>6}  {}\n",
                        format_percent(static_cast<double>(rows[i].samples) / static_cast<double>(samples)),
                        profile.symbols[rows[i].symbol].name);
  if (rows.size() > kNeighboursShown) text += fmt::format("  and {} more\n", rows.size() - kNeighboursShown);
  return text;
}

std::string calls_text(const FunctionCost& function, uint64_t window) {
  if (!function.calls)
    return function.condition.empty() ? "calls  not counted\n"
                                      : fmt::format("calls  not counted: {}\n", function.condition);
  std::string text = fmt::format("calls  {} ({}/s, counted by {})\n", format_count(function.calls),
                                 rate_value(function.calls, window).text, name_of(function.method));
  if (!function.condition.empty()) text += fmt::format("       {}\n", function.condition);
  return text;
}

std::string costs_text(const FunctionCost& function, const TopData& data) {
  TextTable table({{"event", TextTable::Kind::text},
                   {"path", TextTable::Kind::text},
                   {"self"},
                   {"err"},
                   {"incl"},
                   {"of all"},
                   {"/call"}});
  const auto& events = data.profile.session.events;
  for (uint32_t event = 0; event < events.size(); ++event) {
    std::string name = events[event].name;
    for (const FunctionCell& cell : function.cells) {
      if (cell.event != event) continue;
      table.add({name, std::string(name_of(cell.path)), format_estimate(events[event].unit, cell.self),
                 format_error(cell.self), format_estimate(events[event].unit, cell.inclusive),
                 format_share(share_of_all(data.cost, event, cell.inclusive)),
                 name.empty()
                     ? ""
                     : format_per(events[event].unit, function.per_call(event), function.inclusive(event))});
      name.clear();
    }
  }
  return table.empty() ? "no sample of it in this window\n" : table.render();
}

std::string function_text(const std::string& key, const TopState& state, const TopData& data) {
  const auto found =
      std::find_if(data.cost.functions.begin(), data.cost.functions.end(),
                   [&](const FunctionCost& f) { return f.symbol.module + ":" + f.symbol.name == key; });
  const std::string name = key.substr(key.find(':') + 1);
  if (found == data.cost.functions.end())
    return fmt::format("{}\n\nneither sampled nor called in this window\n", name);
  const std::string module = found->symbol.module;
  std::string text = fmt::format("{}{}\n\n", name, module.empty() ? "" : fmt::format(" ({})", module)) +
                     calls_text(*found, data.profile.duration_ns) + "\n" + costs_text(*found, data);
  const auto event = event_of(state, data);
  if (!event) return text;
  const Neighbours near = neighbours_of(data.profile, found->symbol, *event);
  if (near.samples == 0) return text;
  const std::string of = fmt::format("of {} sample{} of {}", format_exact(near.samples),
                                     near.samples == 1 ? "" : "s", data.profile.session.events[*event].name);
  return text + neighbours_text(("called by, " + of).c_str(), near.callers, data.profile, near.samples) +
         neighbours_text(("calls, " + of).c_str(), near.callees, data.profile, near.samples);
}

std::string finding_text(const std::string& key, const TopData& data, int columns) {
  if (data.judgement) {
    for (const Finding& finding : data.judgement->diagnosis.findings) {
      if (finding.id + " " + finding.subject == key)
        return finding_view(finding, static_cast<size_t>(std::max(columns, 2 * kFindingIndent))) +
               "\nCommands are for you to review: nettoll runs none of them.\n";
    }
  }
  return fmt::format("{}\n\nno longer found in the last window\n", key);
}

std::string cpu_text(const std::string& key, const TopData& data) {
  TextTable softirqs({{"softirq", TextTable::Kind::text}, {"runs/s"}, {"time"}});
  TextTable polls({{"NAPI of", TextTable::Kind::name}, {"polls/s"}, {"packets/s"}, {"used up/s"}});
  const uint64_t window = data.profile.duration_ns;
  for (const SoftirqTime& row : data.profile.softirqs) {
    if (std::to_string(row.cpu) != key || window == 0) continue;
    softirqs.add({std::string(softirq_name(row.vector)), rate_value(row.runs, window).text,
                  format_percent(static_cast<double>(row.ns) / static_cast<double>(window))});
  }
  for (const NapiPolls& row : data.profile.napi) {
    if (std::to_string(row.cpu) != key) continue;
    polls.add({or_missing(row.device), rate_value(row.polls, window).text,
               rate_value(row.packets, window).text, rate_value(row.budget_exhausted, window).text});
  }
  return fmt::format("CPU {}\n\n{}\n{}", key, softirqs.empty() ? "no softirq ran\n" : softirqs.render(),
                     polls.empty() ? "no NAPI poll ran\n" : polls.render());
}

/// All columns of the row, one below the other.
std::string row_text(const std::string& key, const TopState& state, const TopData& data) {
  const PaneTable table = state.pane == Pane::drops ? drops_pane(data) : pane_table(state, data);
  const auto found =
      std::find_if(table.rows.begin(), table.rows.end(), [&](const PaneRow& row) { return row.key == key; });
  if (found == table.rows.end()) return fmt::format("{}\n\nnot seen in this window\n", key);
  std::string text;
  for (size_t i = 0; i < table.columns.size(); ++i)
    text += fmt::format("{:<12}{}\n", table.columns[i].title, found->cells[i].text);
  if (!found->advice.empty()) text += "\n" + found->advice + "\n";
  return text;
}

}  // namespace

std::vector<std::string> wrapped_lines(const std::string& text, int columns, int hanging) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    for (std::string& line : wrap(std::string_view(text).substr(at, end - at), columns, hanging))
      lines.push_back(std::move(line));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> detail_lines(const TopState& state, const TopData& data, int columns) {
  switch (state.pane) {
    case Pane::functions:
      return wrapped_lines(function_text(state.detail, state, data), columns);
    case Pane::cpus:
      return wrapped_lines(cpu_text(state.detail, data), columns);
    case Pane::findings:
      return wrapped_lines(finding_text(state.detail, data, columns), columns, kFindingIndent);
    case Pane::paths:
    case Pane::drops:
      break;
  }
  return wrapped_lines(row_text(state.detail, state, data), columns, kFindingIndent);
}

}  // namespace nettoll::tui
