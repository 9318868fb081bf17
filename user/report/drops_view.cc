// SPDX-License-Identifier: Apache-2.0
#include "report/drops_table.h"
#include "report/views.h"

namespace nettoll {

std::string drops_view(const Profile& profile, const ReportOptions& options) {
  if (profile.drops.empty()) return "Drops: none recorded\n";
  const SplitDrops drops = split_drops(profile.drops);
  const std::string reasons =
      profile.session.drop_reasons ? "" : " (this kernel gives no reasons: by place alone)";
  std::string text =
      drops_heading("Drops", drops.loss, profile.duration_ns, reasons) +
      drops_table(drops.loss, profile.duration_ns, options, {.netns_names = &profile.netns_names});
  if (!drops.noise.rows.empty()) {
    text += "\n" + drops_heading("Freed as drops, and no loss", drops.noise, profile.duration_ns) +
            drops_table(drops.noise, profile.duration_ns, options,
                        {.netns_names = &profile.netns_names, .full = false, .why = true});
  }
  return text;
}

}  // namespace nettoll
