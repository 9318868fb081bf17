// SPDX-License-Identifier: Apache-2.0
#include "tui/batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "report/diagnosis_view.h"
#include "tui/frame.h"
#include "tui/glyphs.h"
#include "tui/panes.h"
#include "tui/summary.h"

namespace nettoll::tui {
namespace {

constexpr const char* kTitles[kPaneCount] = {"Functions", "Paths", "CPUs", "Drops", "Findings"};

std::string table_text(const PaneTable& table, int columns, size_t limit) {
  const size_t rows = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
  const int lines = std::max(1, static_cast<int>(rows));
  Frame frame({lines + 1, columns});
  draw(table, {}, frame, 0, lines, false);
  std::string text;
  for (int row = table.rows.empty() ? 1 : 0; row <= lines; ++row) text += frame.text(row) + "\n";
  if (rows < table.rows.size())
    text += fmt::format("... {} more (--limit 0 shows all)\n", table.rows.size() - rows);
  return text;
}

}  // namespace

std::string batch_text(const TopState& state, const TopData& data, int columns, size_t limit) {
  std::string text;
  for (const SummaryLine& line : summary_lines(state, data)) text += line.text + "\n";
  text += status_line(data).text + "\n";
  TopState pane = state;
  for (size_t i = 0; i < kPaneCount; ++i) {
    pane.pane = static_cast<Pane>(i);
    const auto event = event_of(state, data);
    const std::string by =
        i < 2 && event ? fmt::format(" by {}", data.profile.session.events[*event].name) : "";
    text += fmt::format("\n{}{}\n{}", kTitles[i], by, table_text(pane_table(pane, data), columns, limit));
  }
  if (data.judgement) {
    for (const Finding& finding : data.judgement->diagnosis.findings)
      text += "\n" + finding_view(finding, static_cast<size_t>(columns));
  }
  return printable_text(text);
}

}  // namespace nettoll::tui
