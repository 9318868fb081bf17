// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {
namespace {

std::string rate(uint64_t packets, uint64_t duration_ns) {
  if (duration_ns == 0) return kMissing;
  return format_quantity(static_cast<double>(packets) * 1e9 / static_cast<double>(duration_ns));
}

}  // namespace

std::string drops_view(const Profile& profile, const ReportOptions& options) {
  if (profile.drops.empty()) return "Drops: none recorded\n";
  std::vector<Drops> rows = profile.drops;
  std::sort(rows.begin(), rows.end(), [](const Drops& a, const Drops& b) {
    return std::tuple(b.packets, a.reason, a.function, a.protocol, a.device, a.netns) <
           std::tuple(a.packets, b.reason, b.function, b.protocol, b.device, b.netns);
  });
  uint64_t total = 0;
  for (const auto& row : rows) total += row.packets;

  TextTable table({{"reason", TextTable::Kind::name},
                   {"function", TextTable::Kind::name},
                   {"protocol", TextTable::Kind::text},
                   {"device", TextTable::Kind::name},
                   {"netns"},
                   {"packets"},
                   {"/s"}});
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    const Drops& row = rows[i];
    const bool core = row.subsystem.empty() || row.subsystem == "core";
    table.add({core ? row.reason : row.subsystem + ":" + row.reason, or_missing(row.function),
               or_missing(row.protocol), or_missing(row.device),
               row.netns ? std::to_string(row.netns) : kMissing, format_count(row.packets),
               rate(row.packets, profile.duration_ns)});
  }
  const std::string reasons =
      profile.session.drop_reasons ? "" : " (this kernel gives no reasons: by place alone)";
  return fmt::format("Drops: {} packets, {} a second{}\n{}{}", format_exact(total),
                     rate(total, profile.duration_ns), reasons, table.render(),
                     rest_line(rows.size(), shown));
}

}  // namespace nettoll
