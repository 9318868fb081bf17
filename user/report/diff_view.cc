// SPDX-License-Identifier: Apache-2.0
#include "report/diff_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/printable.h"
#include "model/names.h"
#include "report/diff_rows.h"
#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/wrap_words.h"

namespace nettoll {
namespace {

constexpr size_t kLegendWidth = 100;
constexpr const char* kLegend =
    "(*: more than chance, at a false discovery rate of 5%, and no less than 5%; ~: not tested: too few "
    "samples, or not named alike on both sides; ±: standard error of the change, as a part of the larger "
    "side; seen from: what change of the total is seen four times in five)";

/// How costs of an event are written under a divisor.
struct Unit {
  EventUnit unit = EventUnit::count;
  bool share = false;

  std::string text(double value) const { return share ? format_percent(value) : format_amount(unit, value); }
  std::string text(const std::optional<double>& value) const { return value ? text(*value) : kMissing; }
  std::string signed_text(double value) const { return (value < 0 ? "-" : "+") + text(std::abs(value)); }
};

std::string signed_percent(double part) {
  if (part > 9.995) return fmt::format("x{}", format_quantity(1 + part));
  return fmt::format("{:+.1f}%", part * 100);
}

/// "+12.3%", "new" or "gone", with a "*" where it is significant, a "~" where it could not be tested.
std::string relative_cell(const Change& change) {
  if (!change.a && !change.b) return kMissing;
  std::string text = !change.a ? "new" : !change.b ? "gone" : signed_percent(*change.relative());
  if (!change.standard_error) return "~" + text;
  return change.significant ? text + "*" : text;
}

/// The standard error as a part of the larger cost: next to nothing in A says little of what came.
std::string error_cell(const Change& change) {
  const double of = change.larger();
  if (!change.standard_error || !(of > 0)) return kMissing;
  return format_error(*change.standard_error / of);
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "unknown" : text;
}

std::string side_line(std::string_view letter, const DiffSide& side, const CostDiff& diff) {
  std::string text = fmt::format("{}         {}: {} on {}, kernel {}", letter, side.file, side.tool,
                                 or_unknown(side.host), or_unknown(side.kernel));
  if (side.duration_ns) text += ", " + format_time(static_cast<double>(side.duration_ns));
  if (side.packets)
    text += fmt::format(", {} {} packets", format_exact(*side.packets), name_of(*diff.packet_path));
  return printable_line(text) + "\n";
}

std::string divisor_text(DiffPer per, const CostDiff& diff) {
  switch (per) {
    case DiffPer::packet:
      return fmt::format("per {} packet", name_of(*diff.packet_path));
    case DiffPer::call:
      return "per call";
    case DiffPer::second:
      return "per second";
    case DiffPer::share:
      break;
  }
  return "as a share of the event's total";
}

std::string header(const CostDiff& diff) {
  std::string text = side_line("A", diff.a, diff) + side_line("B", diff.b, diff);
  std::vector<std::string_view> paths;
  for (const Path path : diff.paths) paths.push_back(name_of(path));
  text += fmt::format("compared  costs {}, {}\n", divisor_text(diff.per, diff),
                      diff.paths_compare ? fmt::format("paths {}", fmt::join(paths, " "))
                                         : "all time, idle time too, since paths do not compare");
  if (diff.per != diff.totals_per)
    text += fmt::format("          totals, paths and modules {}\n", divisor_text(diff.totals_per, diff));
  for (const std::string& note : diff.notes) text += fmt::format("note      {}\n", printable_line(note));
  return text;
}

std::vector<TextTable::Column> change_columns(std::string first) {
  return {{std::move(first), TextTable::Kind::name}, {"A"}, {"B"}, {"change"}, beside("%"), beside("±")};
}

void add_change(TextTable& table, std::string first, const Change& change, const Unit& unit) {
  table.add({std::move(first), unit.text(change.a), unit.text(change.b),
             change.a || change.b ? unit.signed_text(change.difference()) : kMissing, relative_cell(change),
             error_cell(change)});
}

/// Totals of all events, and how small a change of each would be seen.
std::string totals(const CostDiff& diff, const DiffViewOptions& options) {
  auto columns = change_columns("total");
  columns.push_back({"seen from"});
  TextTable table(std::move(columns));
  for (const EventDiff& event : diff.events) {
    const Unit unit{event.unit, diff.totals_per == DiffPer::share};
    const Change& total = event.total;
    table.add({event.name, unit.text(total.a), unit.text(total.b), unit.signed_text(total.difference()),
               relative_cell(total), error_cell(total),
               event.visible ? format_percent(std::max(*event.visible, 0.05)) : kMissing});
  }
  return text_of(table, options.rows.terminal);
}

std::string paths_table(const CostDiff& diff, const EventDiff& event, const DiffViewOptions& options) {
  TextTable table(change_columns("path"));
  const Unit unit{event.unit, diff.totals_per == DiffPer::share};
  for (const PathChange& row : event.paths) {
    if (options.all || row.cost.significant)
      add_change(table, std::string(name_of(row.path)), row.cost, unit);
  }
  return table.empty() ? ""
                       : fmt::format("\nPaths by {}\n{}", event.name, text_of(table, options.rows.terminal));
}

std::string modules_table(const CostDiff& diff, const EventDiff& event, const DiffViewOptions& options) {
  std::vector<const ModuleChange*> rows;
  for (const ModuleChange& row : event.modules) {
    if (options.all || row.self.significant) rows.push_back(&row);
  }
  if (rows.empty()) return "";
  TextTable table(change_columns("module"));
  const Unit unit{event.unit, diff.totals_per == DiffPer::share};
  const size_t shown = rows_to_show(rows.size(), options.rows);
  for (size_t i = 0; i < shown; ++i) add_change(table, or_missing(rows[i]->module), rows[i]->self, unit);
  return fmt::format("\nModules by self {}\n{}{}", event.name, text_of(table, options.rows.terminal),
                     rest_line(rows.size(), shown));
}

/// The name, with its module where that is not the kernel itself.
std::string function_cell(const Symbol& symbol) {
  if (symbol.module.empty() || symbol.module == kVmlinux) return symbol.name;
  return fmt::format("{} [{}]", symbol.name, symbol.module);
}

std::string functions_table(const CostDiff& diff, const EventDiff& event, const DiffViewOptions& options) {
  const auto rows = rows_of(event, options);
  const auto named = static_cast<size_t>(std::count_if(event.functions.begin(), event.functions.end(),
                                                       [](const auto& f) { return f.significant(); }));
  std::string text = event.tested == 0
                         ? fmt::format("\nFunctions by {}: none could be tested\n", event.name)
                         : fmt::format("\nFunctions by {}: {} of {} changed; the typical one moved by {}\n",
                                       event.name, named, event.tested, format_percent(event.spread));
  if (rows.empty()) return text;
  TextTable table({{"function", TextTable::Kind::name},
                   {"self A"},
                   {"self B"},
                   beside("%"),
                   beside("±"),
                   {"incl A"},
                   {"incl B"},
                   beside("%"),
                   {"/call A"},
                   {"/call B"},
                   beside("%")});
  const Unit unit{event.unit, diff.per == DiffPer::share};
  const Unit call_unit{event.unit, false};
  const size_t shown = rows_to_show(rows.size(), options.rows);
  for (size_t i = 0; i < shown; ++i) {
    const FunctionChange& row = *rows[i];
    table.add({function_cell(row.symbol), unit.text(row.self.a), unit.text(row.self.b),
               relative_cell(row.self), error_cell(row.self), unit.text(row.inclusive.a),
               unit.text(row.inclusive.b), relative_cell(row.inclusive), call_unit.text(row.per_call.a),
               call_unit.text(row.per_call.b), relative_cell(row.per_call)});
  }
  return text + text_of(table, options.rows.terminal) + rest_line(rows.size(), shown);
}

std::string drops_table(const CostDiff& diff, const DiffViewOptions& options) {
  if (!diff.drops) return "";
  if (diff.drops->empty()) return "\nDrops: none on either side\n";
  const bool packets = diff.totals_per == DiffPer::packet;
  const std::string per = packets ? "/M packets" : "/s";
  TextTable table({{"reason", TextTable::Kind::name},
                   {"packets A"},
                   {"packets B"},
                   {"A " + per},
                   {"B " + per},
                   beside("%")});
  const size_t shown = rows_to_show(diff.drops->size(), options.rows);
  for (size_t i = 0; i < shown; ++i) {
    const DropChange& row = (*diff.drops)[i];
    const double by = packets ? 1e6 : 1;
    const std::string reason = row.subsystem == "core" || row.subsystem.empty()
                                   ? row.reason
                                   : fmt::format("{} ({})", row.reason, row.subsystem);
    const std::string change = row.rate_a > 0 && row.rate_b > 0
                                   ? signed_percent((row.rate_b - row.rate_a) / row.rate_a)
                                   : (row.rate_a > 0 ? "gone" : "new");
    table.add({reason, format_count(row.packets_a), format_count(row.packets_b),
               format_quantity(row.rate_a * by), format_quantity(row.rate_b * by), change});
  }
  return "\nDrops (exact counts, not tested: how they come is part of the load)\n" +
         text_of(table, options.rows.terminal) + rest_line(diff.drops->size(), shown);
}

}  // namespace

std::string render_diff(const CostDiff& diff, const DiffViewOptions& options) {
  std::string text = header(diff);
  if (!diff.events.empty())
    text += "\n" +
            wrap_words(kLegend, 0, std::min(kLegendWidth, options.rows.terminal.value_or(kLegendWidth))) +
            "\n" + totals(diff, options);
  for (const EventDiff& event : diff.events) {
    text += paths_table(diff, event, options);
    text += modules_table(diff, event, options);
    text += functions_table(diff, event, options);
  }
  text += drops_table(diff, options);
  text = printable_text(text);
  return options.rows.terminal ? wrap_long_lines(text, *options.rows.terminal) : text;
}

}  // namespace nettoll
