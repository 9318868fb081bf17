// SPDX-License-Identifier: Apache-2.0
#include "correlate/diff.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "correlate/compared_names.h"
#include "correlate/event_diff.h"
#include "correlate/function_match.h"

namespace nettoll {
namespace {

/// Divisor of a rate of drops.
double drop_divisor(const DiffInput& side, const DiffDivisors& divisors) {
  if (divisors.packet_path) return static_cast<double>(*side_of(side, divisors).packets);
  return static_cast<double>(side.profile.duration_ns) / 1e9;
}

std::optional<std::vector<DropChange>> diff_drops(const DiffInput& a, const DiffInput& b,
                                                  const DiffDivisors& divisors,
                                                  std::vector<std::string>& notes) {
  if (a.profile.foreign || b.profile.foreign) return std::nullopt;
  if (a.profile.session.drop_reasons != b.profile.session.drop_reasons) {
    notes.push_back("drops are not compared: one kernel gives reasons, the other does not");
    return std::nullopt;
  }
  std::map<std::pair<std::string, std::string>, DropChange> rows;
  const auto row_of = [&](const Drops& drops) -> DropChange& {
    DropChange& row = rows[{drops.subsystem, drops.reason}];
    row.reason = drops.reason;
    row.subsystem = drops.subsystem;
    return row;
  };
  for (const Drops& drops : a.profile.drops) row_of(drops).packets_a += drops.packets;
  for (const Drops& drops : b.profile.drops) row_of(drops).packets_b += drops.packets;
  const double by_a = drop_divisor(a, divisors);
  const double by_b = drop_divisor(b, divisors);
  if (!(by_a > 0) || !(by_b > 0)) return std::nullopt;
  std::vector<DropChange> list;
  for (auto& [key, row] : rows) {
    row.rate_a = static_cast<double>(row.packets_a) / by_a;
    row.rate_b = static_cast<double>(row.packets_b) / by_b;
    list.push_back(std::move(row));
  }
  std::stable_sort(list.begin(), list.end(), [](const DropChange& x, const DropChange& y) {
    return std::abs(x.rate_b - x.rate_a) > std::abs(y.rate_b - y.rate_a);
  });
  return list;
}

/// What the match of functions has to say.
void note_functions(const EventDiffContext& context, std::vector<std::string>& notes) {
  size_t renamed = 0;
  size_t other_calls = 0;
  for (const MatchedFunction& match : context.matches) {
    if (!match.a || !match.b) continue;
    const FunctionCost& a = context.a.cost.functions[*match.a];
    const FunctionCost& b = context.b.cost.functions[*match.b];
    if (a.symbol != b.symbol) ++renamed;
    const bool both = a.denominator && b.denominator && a.calls.value_or(0) > 0 && b.calls.value_or(0) > 0;
    if (both && !calls_compare(a, b)) ++other_calls;
  }
  if (renamed > 0)
    notes.push_back(
        fmt::format("{} functions have another suffix of the compiler, or another module, in B", renamed));
  if (other_calls > 0)
    notes.push_back(
        fmt::format("calls of {} functions were counted by another method in B: their costs a call "
                    "are not compared",
                    other_calls));
  for (const std::string& name : context.functions) {
    if (!has_function(context.a, name) && !has_function(context.b, name))
      notes.push_back(fmt::format("{} is in neither A nor B", name));
  }
}

/// Those of `functions` whose module one side names less of than the other.
std::vector<std::string> not_compared(const EventDiffContext& context) {
  std::vector<std::string> list;
  for (const std::string& name : context.functions) {
    const auto uneven = [&](const DiffInput& side) {
      return std::any_of(side.cost.functions.begin(), side.cost.functions.end(), [&](const FunctionCost& f) {
        return is_named(f.symbol, name) && !context.names.compare(f.symbol);
      });
    };
    if (uneven(context.a) || uneven(context.b)) list.push_back(name);
  }
  return list;
}

}  // namespace

bool has_function(const DiffInput& side, std::string_view name) {
  return std::any_of(side.cost.functions.begin(), side.cost.functions.end(),
                     [&](const FunctionCost& f) { return is_named(f.symbol, name); });
}

Result<CostDiff> diff_costs(const DiffInput& a, const DiffInput& b, const DiffOptions& options) {
  const auto divisors = choose_divisors(a, b, options.per);
  if (!divisors) return divisors.error();
  CostDiff diff;
  diff.a = side_of(a, *divisors);
  diff.b = side_of(b, *divisors);
  diff.per = divisors->per;
  diff.totals_per = divisors->totals_per;
  diff.packet_path = divisors->packet_path;
  diff.notes = notes_on_sides(a, b, *divisors);
  const std::vector<CommonEvent> events = common_events(a, b, diff.notes);
  const ComparedNames names(a.cost, b.cost);
  for (std::string& note : notes_on_names(names)) diff.notes.push_back(std::move(note));
  diff.uneven_names = names.uneven();
  diff.paths_compare = chains_compare(a, b, events, diff.notes) && names.kernel_compares();
  if (!diff.paths_compare && !options.paths.empty())
    return failure(fmt::format("A and B do not compare by path: {}",
                               names.kernel_compares() ? "one has no call chains"
                                                       : "one lacks names of the kernel's functions"),
                   "leave --path out to compare the rest");
  if (!diff.paths_compare)
    diff.paths.assign(std::begin(kAllPaths), std::end(kAllPaths));
  else
    diff.paths = options.paths.empty() ? default_paths(a, b) : options.paths;
  const EventDiffContext context{a,
                                 b,
                                 *divisors,
                                 diff.paths,
                                 options.functions,
                                 match_functions(a.cost, b.cost),
                                 names,
                                 diff.paths_compare};
  for (const CommonEvent& event : events) diff.events.push_back(diff_event(context, event));
  note_functions(context, diff.notes);
  diff.not_compared = not_compared(context);
  diff.drops = diff_drops(a, b, *divisors, diff.notes);
  return diff;
}

}  // namespace nettoll
