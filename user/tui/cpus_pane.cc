// SPDX-License-Identifier: Apache-2.0
#include "report/format.h"
#include "tui/cpu_load.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

Value softirq_value(uint64_t ns, uint64_t window) {
  return window ? part_value(static_cast<double>(ns) / static_cast<double>(window)) : missing();
}

/// A part of the samples' time. None of many samples is a measured 0.
Value time_value(const Estimate& part, const Estimate& all) {
  if (!(all.value > 0)) return missing();
  const double share = part.value / all.value;
  return {(all.too_few() ? "~" : "") + format_percent(share), share};
}

Value quotient(const std::optional<double>& part, const std::optional<double>& whole) {
  if (!part || !whole || !(*whole > 0)) return missing();
  return {format_quantity(*part / *whole), *part / *whole};
}

}  // namespace

PaneTable cpus_pane(const TopState&, const TopData& data) {
  const uint64_t window = data.profile.duration_ns;
  PaneTable table;
  table.sort = "softirq";
  table.empty = "nothing was sampled or counted";
  table.columns = {{.title = "CPU", .width = 4},
                   {.title = "softirq", .width = 7},
                   {.title = "net_rx"},
                   {.title = "net_tx"},
                   {.title = "network", .width = 7},
                   {.title = "busy"},
                   {.title = "rx/s"},
                   {.title = "tx/s"},
                   {.title = "polls/s", .width = 7},
                   {.title = "pkts/poll", .width = 9},
                   {.title = "full/s"},
                   {.title = "cycles/s", .width = 8},
                   {.title = "IPC", .width = 5}};
  for (const auto& [cpu, load] : cpu_loads(data.profile, data.cost)) {
    PaneRow row{std::to_string(cpu), {}, Style::normal};
    row.cells = {
        {std::to_string(cpu), static_cast<double>(cpu)},
        softirq_value(load.softirq_ns, window),
        softirq_value(load.net_rx_ns, window),
        softirq_value(load.net_tx_ns, window),
        time_value(load.network, load.all),
        time_value(load.busy, load.all),
        rate_value(load.rx, window),
        rate_value(load.tx, window),
        rate_value(load.polls, window),
        load.polls ? quotient(static_cast<double>(load.polled), static_cast<double>(load.polls)) : missing(),
        rate_value(load.polls_full, window),
        load.cycles ? rate_value(*load.cycles, window) : missing(),
        quotient(load.instructions, load.cycles)};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace nettoll::tui
