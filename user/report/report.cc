// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <algorithm>
#include <initializer_list>

#include "report/printable.h"
#include "report/views.h"

namespace nettoll {
namespace {

/// The views of another tool's capture: what only nettoll counts is not in it, and is not said to be none.
std::string render_capture(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = header_view(profile, cost);
  const bool network = std::any_of(cost.paths.begin(), cost.paths.end(),
                                   [](const PathCost& path) { return is_network(path.path); });
  if (network) text += "\n" + functions_view(profile, cost, options);
  for (const Path path : {Path::rx, Path::tx}) {
    if (cost.path(path)) text += "\n" + path_functions_view(profile, cost, path, options);
  }
  for (const std::string& view : {efficiency_view(profile, cost, options), paths_view(profile, cost),
                                  profile.foreign->cpus_known ? cpus_view(profile, cost) : "",
                                  other_functions_view(profile, cost, options)}) {
    if (!view.empty()) text += "\n" + view;
  }
  return text;
}

}  // namespace

std::string render_report(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  if (profile.foreign) return without_controls(render_capture(profile, cost, options));
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
