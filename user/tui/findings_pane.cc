// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "report/format.h"
#include "tui/panes.h"
#include "tui/values.h"

namespace nettoll::tui {
namespace {

Style style_of(Severity severity) {
  switch (severity) {
    case Severity::critical:
      return Style::critical;
    case Severity::warning:
      return Style::warning;
    case Severity::note:
      return Style::normal;
  }
  return Style::normal;
}

std::string nothing_found(const Judgement& judgement) {
  const auto& checks = judgement.diagnosis.checks;
  const auto unknown = std::count_if(checks.begin(), checks.end(), [](const Check& check) {
    return check.outcome == Check::Outcome::unknown;
  });
  return fmt::format("no findings in {}, {} checks, {} of them could not be made",
                     format_time(judgement.seconds * 1e9), checks.size(), unknown);
}

}  // namespace

PaneTable findings_pane(const TopData& data) {
  PaneTable table;
  table.sort = "severity";
  table.columns = {{.title = "severity", .width = 8},
                   {.title = "subject", .kind = ColumnKind::name, .width = 8, .most = 16},
                   {.title = "condition", .kind = ColumnKind::text, .width = 30, .most = 90},
                   {.title = "finding", .kind = ColumnKind::name, .width = 18, .most = 34}};
  if (!data.judgement) {
    table.empty = "nothing was judged yet: it takes a window of some seconds";
    return table;
  }
  table.empty = nothing_found(*data.judgement);
  for (const Finding& finding : data.judgement->diagnosis.findings) {
    table.rows.push_back({finding.id + " " + finding.subject,
                          {{std::string(name_of(finding.severity)), static_cast<double>(finding.severity)},
                           text_value(finding.subject),
                           text_value(finding.condition),
                           text_value(finding.id)},
                          style_of(finding.severity)});
  }
  return table;
}

}  // namespace nettoll::tui
