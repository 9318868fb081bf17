// SPDX-License-Identifier: Apache-2.0
#include "cli/diff_flame_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "correlate/compared_stacks.h"
#include "correlate/event_diff.h"
#include "correlate/named_stacks.h"
#include "exporters/profiles/flame_graph.h"
#include "model/names.h"

namespace nettoll {
namespace {

/// What totals are divided by, as FlameGraphDiff::per has it.
std::string divisor_name(const CostDiff& diff) {
  if (diff.totals_per == DiffPer::packet) return fmt::format("{} packet", name_of(*diff.packet_path));
  return diff.totals_per == DiffPer::second ? "second" : "";
}

std::string note_on_paths(const std::vector<Path>& paths) {
  std::vector<std::string_view> names;
  for (const Path path : paths) names.push_back(name_of(path));
  return fmt::format("only costs in these paths are shown: {}", fmt::join(names, ", "));
}

}  // namespace

Status write_flame_graph(const CostDiff& diff, const DiffInput& a, const DiffInput& b, ByteSink& sink) {
  if (diff.events.empty())
    return failure("A and B have no event in common, so there is no flame graph of them",
                   "the notes of the comparison say why");
  const EventDiff& event = diff.events.front();
  const DiffDivisors divisors{diff.per, diff.totals_per, diff.packet_path};
  const auto stacks_a = in_paths(renamed(named_stacks(a.profile), names_in(b.cost, a.cost)), diff.paths);
  const auto stacks_b = in_paths(named_stacks(b.profile), diff.paths);
  FlameGraphDiff graph{{a.profile, stacks_a, event.in_a, a.file},
                       {b.profile, stacks_b, event.in_b, b.file},
                       divisor_name(diff),
                       divisor_of(a, event.in_a, divisors),
                       divisor_of(b, event.in_b, divisors),
                       {note_on_paths(diff.paths)}};
  graph.notes.insert(graph.notes.end(), diff.notes.begin(), diff.notes.end());
  return write_flame_graph(graph, sink);
}

}  // namespace nettoll
