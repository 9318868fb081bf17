// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <initializer_list>

#include "report/printable.h"
#include "report/views.h"

namespace nettoll {
std::string render_report(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = header_view(profile, cost);
  for (const std::string& view : {
           functions_view(profile, cost, options),
           path_functions_view(profile, cost, Path::rx, options),
           path_functions_view(profile, cost, Path::tx, options),
           efficiency_view(profile, cost, options),
           exact_view(profile),
           paths_view(profile, cost),
           cpus_view(profile, cost),
           napi_view(profile, options),
           queues_view(profile, options),
           softirqs_view(profile),
           drops_view(profile, options),
           other_functions_view(profile, cost, options),
       }) {
    if (!view.empty()) text += "\n" + view;
  }
  return without_controls(std::move(text));
}

}  // namespace nettoll
