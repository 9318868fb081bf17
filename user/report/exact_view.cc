// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "model/names.h"
#include "report/format.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

void add_item(std::string& list, const std::string& what, uint64_t count) {
  if (count) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", what, format_exact(count));
}

/// What is true of all measures of a function: "ip_rcv: 1,000 calls, one in 10 measured; left out: CPU
/// changed 3".
std::string function_line(const ExactCost& cost) {
  std::string line = fmt::format("{}: {} calls", cost.function, format_exact(cost.calls));
  if (cost.one_in > 1) line += fmt::format(", one in {} measured", format_exact(cost.one_in));
  std::string list;
  add_item(list, "CPU changed", cost.discards.cpu_changed);
  add_item(list, "switched out", cost.discards.switched);
  add_item(list, "no room", cost.discards.no_room);
  add_item(list, "program skipped", cost.discards.missed);
  return line + (list.empty() ? "" : "; left out: " + list) + "\n";
}

/// "ip_rcv, cycles: left out: unreadable 3, below the probes' own cost 4"; "" where there is nothing to say.
std::string measure_line(const ExactCost& cost) {
  std::string list;
  add_item(list, "left out: unreadable", cost.discards.unreadable);
  add_item(list, "below the probes' own cost", cost.below_zero);
  if (cost.n && cost.probes_inside > 0)
    list += fmt::format("{}taken off for other probes inside: {} a call", list.empty() ? "" : ", ",
                        format_amount(cost.unit, cost.probes_inside));
  return list.empty() ? "" : fmt::format("{}, {}: {}\n", cost.function, cost.event, list);
}

void add_row(const ExactCost& cost, bool first, TextTable& table) {
  const auto amount = [&](double value) { return cost.n ? format_amount(cost.unit, value) : kMissing; };
  const bool has_error = cost.n > 1 && cost.mean > 0;
  table.add({first ? cost.function : "", first ? std::string(name_of(cost.method)) : "", cost.event,
             format_count(cost.n), amount(cost.mean),
             has_error ? format_error(cost.std_error / cost.mean) : kMissing, amount(cost.p50),
             amount(cost.p90), amount(cost.p99),
             cost.calibrated ? format_amount(cost.unit, cost.own_cost) : kMissing,
             cost.below_probe_cost ? "<" : ""});
}

}  // namespace

std::string exact_view(const Profile& profile, const ReportOptions& options) {
  if (profile.exact.empty()) return "";
  TextTable table({{"function", TextTable::Kind::name},
                   {"by", TextTable::Kind::text},
                   {"measure", TextTable::Kind::text},
                   {"n"},
                   {"mean"},
                   beside("±"),
                   {"p50"},
                   {"p90"},
                   {"p99"},
                   {"probes"},
                   {"", TextTable::Kind::text, true}});
  std::string functions, measures;
  bool below = false, uncalibrated = false;
  const ExactCost* previous = nullptr;
  for (const ExactCost& cost : profile.exact) {
    const bool first = !previous || previous->function != cost.function;
    add_row(cost, first, table);
    if (first) functions += function_line(cost);
    measures += measure_line(cost);
    below |= cost.below_probe_cost;
    uncalibrated |= !cost.calibrated;
    previous = &cost;
  }
  std::string text =
      "Exact cost of a call, from entry to exit\n"
      "(with the functions that it calls and interrupts in between; probes: their own cost, taken off; "
      "quantiles to "
      "3%)\n";
  text += text_of(table, options.terminal) + functions + measures;
  if (below)
    text += "< the median is less than what the probes cost: little more is known than that it is short\n";
  if (uncalibrated) text += "- under probes: their own cost is not known, and is in the values\n";
  return text;
}

}  // namespace nettoll
