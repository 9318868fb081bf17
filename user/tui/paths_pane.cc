// SPDX-License-Identifier: Apache-2.0
#include "model/names.h"
#include "model/ratios.h"
#include "report/format.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

/// What a path is, for those who have not read the manual page.
const char* meaning_of(Path path) {
  switch (path) {
    case Path::rx:
      return "receive: from the driver to the socket";
    case Path::tx:
      return "transmit: from the queueing discipline to the driver";
    case Path::send:
      return "system calls that send";
    case Path::receive:
      return "system calls that receive";
    case Path::timer:
      return "timers of TCP";
    case Path::other:
      return "kernel work that is not the network's";
    case Path::idle:
      return "idle";
    case Path::user:
      return "user mode";
    case Path::own:
      return "nettoll's own probes";
  }
  return "";
}

}  // namespace

PaneTable paths_pane(const TopState& state, const TopData& data) {
  const uint64_t window = data.profile.duration_ns;
  const auto event = event_of(state, data);
  const EventUnit unit = event ? data.profile.session.events[*event].unit : EventUnit::count;
  PaneTable table;
  table.sort = "all%";
  table.empty = "nothing was sampled or counted";
  table.columns = {{.title = "path", .kind = ColumnKind::text, .width = 8},
                   {.title = "packets/s", .width = 9},
                   {.title = "/packet", .width = 8},
                   {.title = "all%"},
                   {.title = "network%", .width = 8},
                   {.title = "err", .width = 5},
                   {.title = "cost/s", .width = 8},
                   {.title = "segments/s", .width = 10},
                   {.title = "what it is", .kind = ColumnKind::text, .width = 24, .most = 60}};
  for (const PathCost& path : data.cost.paths) {
    const Estimate spent = event && *event < path.events.size() ? path.events[*event] : Estimate{};
    const bool network = is_network(path.path);
    PaneRow row{std::string(name_of(path.path)), {}, network ? Style::normal : Style::dim, network ? 0 : 1};
    row.cells = {text_value(std::string(name_of(path.path))),
                 rate_value(path.packets, window),
                 event ? per_value(unit, path.per_packet(*event), spent) : missing(),
                 event ? share_value(share_of_all(data.cost, *event, spent)) : missing(),
                 event && network ? share_value(share_of_network(data.cost, *event, spent)) : missing(),
                 error_value(spent),
                 rate_value(unit, spent, window),
                 rate_value(path.segments, window),
                 text_value(meaning_of(path.path))};
    table.rows.push_back(std::move(row));
  }
  if (!event) return table;
  const EventTotal& total = data.cost.events[*event];
  const double rest = total.unattributed + total.pending;
  if (rest <= 0 || total.count <= 0 || window == 0) return table;
  PaneRow row{"", {}, Style::dim, 1};
  const double rate = rest * 1e9 / static_cast<double>(window);
  row.cells = {
      text_value("(no sample)"),         missing(), missing(),
      part_value(rest / total.count),    missing(), missing(),
      {format_amount(unit, rate), rate}, missing(), text_value("counted on CPUs where no sample came")};
  table.rows.push_back(std::move(row));
  return table;
}

}  // namespace nettoll::tui
