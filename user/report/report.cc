// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/printable.h"
#include "report/rows.h"
#include "report/views.h"
#include "report/wrap_words.h"

namespace nettoll {
namespace {

/// Adds views that are not empty, an empty line before each.
void append(std::string& text, std::initializer_list<std::string> views) {
  for (const std::string& view : views) {
    if (view.empty()) continue;
    text += (text.empty() ? "" : "\n") + view;
  }
}

std::string head(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = header_view(profile, cost, options);
  if (!options.selection.empty()) text += fmt::format("selected  {}\n", options.selection);
  return text + verdict_view(profile, cost);
}

std::string chains(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  if (!options.chains) return "";
  const size_t rows = options.limit.value_or(ReportOptions::kTextLimit);
  return chains_view(profile, chain_reports(profile, cost, options, rows), options);
}

/// The views of samples alone. What only nettoll counts is not in other tools' captures, nor can it be
/// divided as samples can; it is then not said to be none.
std::string render_samples(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = head(profile, cost, options);
  append(text, {places_view(profile, cost, options), flat_view(profile, cost, options)});
  const bool network = std::any_of(cost.paths.begin(), cost.paths.end(),
                                   [](const PathCost& path) { return is_network(path.path); });
  if (network) append(text, {functions_view(profile, cost, options)});
  for (const Path path : {Path::rx, Path::tx}) {
    if (cost.path(path)) append(text, {path_functions_view(profile, cost, path, options)});
  }
  append(text, {efficiency_view(profile, cost, options), paths_view(profile, cost, options),
                !profile.foreign || profile.foreign->cpus_known ? cpus_view(profile, cost, options) : "",
                other_functions_view(profile, cost, options), chains(profile, cost, options),
                summary_view(profile, cost, options)});
  return text;
}

std::string render_recording(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text = head(profile, cost, options);
  append(text,
         {functions_view(profile, cost, options), path_functions_view(profile, cost, Path::rx, options),
          path_functions_view(profile, cost, Path::tx, options), efficiency_view(profile, cost, options),
          exact_view(profile, options), paths_view(profile, cost, options), cpus_view(profile, cost, options),
          napi_view(profile, options), queues_view(profile, options), softirqs_view(profile, options),
          drops_view(profile, options), other_functions_view(profile, cost, options),
          places_view(profile, cost, options), flat_view(profile, cost, options),
          chains(profile, cost, options), summary_view(profile, cost, options)});
  return text;
}

/// Only what was asked for.
std::string render_focus(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  std::string text;
  if (!options.selection.empty()) text += fmt::format("selected  {}\n", options.selection);
  text += verdict_view(profile, cost);
  if (options.by) append(text, {by_view(profile, cost, *options.by, options)});
  for (const auto& [name, scope] :
       {std::pair(&options.callers, ChainScope::callers), std::pair(&options.callees, ChainScope::callees)}) {
    if (name->empty()) continue;
    append(text, {chains_view(profile, function_trees(profile, cost, scope, *name, options), options)});
  }
  return text;
}

}  // namespace

std::string render_report(const Profile& profile, const CostTable& cost, const ReportOptions& options) {
  const bool samples_alone = profile.foreign || !options.selection.empty();
  const std::string text = printable_text(options.focused() ? render_focus(profile, cost, options)
                                          : samples_alone   ? render_samples(profile, cost, options)
                                                            : render_recording(profile, cost, options));
  return options.terminal ? wrap_long_lines(text, *options.terminal) : text;
}

}  // namespace nettoll
