// SPDX-License-Identifier: Apache-2.0
#include "model/names.h"
#include "model/ratios.h"
#include "report/format.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// Rows of one path: an event each; packets stand in the first.
void add_path(const Profile& profile, const CostTable& cost, const PathCost& path, TextTable& table) {
  std::string name(name_of(path.path));
  std::string packets = format_count(path.packets);
  std::string segments = format_count(path.segments);
  bool any = false;
  for (uint32_t event = 0; event < path.events.size(); ++event) {
    const Estimate& spent = path.events[event];
    if (spent.samples == 0) continue;
    const EventUnit unit = profile.session.events[event].unit;
    const auto of_network =
        is_network(path.path) ? share_of_network(cost, event, spent) : std::optional<Ratio>{};
    table.add({name, packets, segments, profile.session.events[event].name, format_estimate(unit, spent),
               format_error(spent), format_per(unit, path.per_packet(event), spent),
               format_share(share_of_all(cost, event, spent)), format_share(of_network)});
    name = packets = segments = "";
    any = true;
  }
  if (!any) table.add({name, packets, segments, kMissing, kMissing, kMissing, kMissing, kMissing, kMissing});
}

void add_unattributed(const Profile& profile, const CostTable& cost, TextTable& table) {
  std::string name = "(no sample)";
  for (const auto& total : cost.events) {
    const double rest = total.unattributed + total.pending;
    if (!total.known() || rest <= 0) continue;
    const std::string share = total.count > 0 ? format_percent(rest / total.count) : kMissing;
    table.add({name, "", "", profile.session.events[total.event].name,
               format_amount(profile.session.events[total.event].unit, rest), kMissing, kMissing, share,
               kMissing});
    name = "";
  }
}

}  // namespace

std::string paths_view(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  TextTable table({{"path", TextTable::Kind::text},
                   {"packets"},
                   {"segments"},
                   {"event", TextTable::Kind::text},
                   {"cost"},
                   beside("±"),
                   {"/packet"},
                   {"of all"},
                   {"of network"}});
  for (const auto& path : cost.paths) add_path(profile, cost, path, table);
  add_unattributed(profile, cost, table);
  if (table.empty()) return "Paths: nothing was sampled or counted\n";
  return "Paths\n" + text_of(table, options.terminal);
}

}  // namespace nettoll
