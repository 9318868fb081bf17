// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "report/format.h"
#include "report/rows.h"
#include "report/table.h"
#include "report/views.h"

namespace nettoll {

std::string napi_view(const Profile& profile, const ReportOptions& options) {
  if (profile.napi.empty()) return "NAPI polls: none recorded\n";
  std::vector<NapiPolls> rows = profile.napi;
  std::sort(rows.begin(), rows.end(), [](const NapiPolls& a, const NapiPolls& b) {
    return std::tuple(b.packets, b.polls, a.device, a.id, a.cpu) <
           std::tuple(a.packets, a.polls, b.device, b.id, b.cpu);
  });
  TextTable table({{"device", TextTable::Kind::name},
                   {"netns", TextTable::Kind::name},
                   {"CPU"},
                   {"polls"},
                   {"packets"},
                   {"packets/poll"},
                   {"budget used up"}});
  const size_t shown = rows_to_show(rows.size(), options);
  for (size_t i = 0; i < shown; ++i) {
    const NapiPolls& row = rows[i];
    const double polls = static_cast<double>(row.polls);
    table.add({or_missing(row.device), netns_text(profile.netns_names, row.id.netns), std::to_string(row.cpu),
               format_count(row.polls), format_count(row.packets),
               row.polls ? format_quantity(static_cast<double>(row.packets) / polls) : kMissing,
               format_count(row.budget_exhausted)});
  }
  return "NAPI polls\n" + text_of(table, options.terminal) + rest_line(rows.size(), shown);
}

}  // namespace nettoll
