// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {

std::string queues_view(const Profile& profile, const ReportOptions& options) {
  if (profile.queues.empty()) return "Receive queues: none recorded\n";
  std::vector<QueuePackets> rows = profile.queues;
  std::sort(rows.begin(), rows.end(), [](const QueuePackets& a, const QueuePackets& b) {
    return std::tuple(b.packets, a.device, a.id, a.queue) < std::tuple(a.packets, b.device, b.id, b.queue);
  });
  uint64_t total = 0;
  for (const auto& row : rows) total += row.packets;

  TextTable table({{"device", TextTable::Kind::name},
                   {"netns", TextTable::Kind::name},
                   {"queue"},
                   {"packets"},
                   {"share"}});
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    const QueuePackets& row = rows[i];
    const double share = static_cast<double>(row.packets) / static_cast<double>(total);
    table.add({or_missing(row.device), netns_text(profile.netns_names, row.id.netns),
               row.queue >= 0 ? std::to_string(row.queue) : "none", format_count(row.packets),
               total ? format_percent(share) : kMissing});
  }
  return "Receive queues, as the driver recorded them\n" + text_of(table, options.terminal) +
         rest_line(rows.size(), shown);
}

}  // namespace nettoll
