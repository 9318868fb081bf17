// SPDX-License-Identifier: Apache-2.0
#include "tui/screen.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/names.h"
#include "report/views.h"
#include "tui/detail.h"
#include "tui/glyphs.h"
#include "tui/help.h"
#include "tui/panes.h"
#include "tui/summary.h"

namespace nettoll::tui {
namespace {

/// Which rows hold what. A small screen keeps the list and loses the rest, the most useful last.
struct Layout {
  int summary = 0;  ///< lines of it, from row 0
  int tabs = -1;    ///< row, -1: none
  int list = 0;     ///< row of its heading
  int page = 1;     ///< rows below the heading
  int status = -1;
  int keys = -1;
};

Layout layout_of(int rows, int summary_lines) {
  Layout layout;
  int left = rows - 2;  // the heading and a row
  const auto take = [&](int wanted) {
    const int taken = std::clamp(left, 0, wanted);
    left -= taken;
    return taken;
  };
  const bool tabs = take(1) > 0;
  const bool keys = take(1) > 0;
  layout.summary = take(1);
  const bool status = rows >= 8 && take(1) > 0;
  // More rows of the list before more lines of the summary.
  if (rows >= 10) layout.summary += take(std::min(summary_lines - 1, rows - 9));
  layout.tabs = tabs ? layout.summary : -1;
  layout.list = layout.summary + (tabs ? 1 : 0);
  layout.keys = keys ? rows - 1 : -1;
  layout.status = status ? rows - 2 : -1;
  layout.page = std::max(1, rows - layout.list - 1 - (keys ? 1 : 0) - (status ? 1 : 0));
  return layout;
}

constexpr const char* kPaneNames[kPaneCount] = {"Functions", "Paths", "CPUs", "Drops", "Findings"};

/// What the list shows: "cpu-clock, by self%, rx path, "recv", 3 rows".
std::string subject(const TopState& state, const TopData& data, const PaneTable& table) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (state.pane == Pane::functions || state.pane == Pane::paths) {
    const auto event = event_of(state, data);
    if (event) add(data.profile.session.events[*event].name);
  }
  text += fmt::format("{}{}by {}", text.empty() ? "" : ", ", state.view().reverse ? "reversed " : "",
                      sort_title(table, state.view()));
  if (state.path && state.pane == Pane::functions) add(fmt::format("{} path", name_of(*state.path)));
  if (!state.view().filter.empty() && !state.typing) add(fmt::format("\"{}\"", state.view().filter));
  add(fmt::format("{} row{}", table.rows.size(), table.rows.size() == 1 ? "" : "s"));
  return text;
}

void draw_tabs(const TopState& state, const std::string& right, Frame& frame, int row) {
  const int columns = frame.size().columns;
  // Names only where all have room, since a part of them tells less than numbers do.
  const bool names = columns >= 50;
  int at = 0;
  for (size_t i = 0; i < kPaneCount; ++i) {
    const bool chosen = i == static_cast<size_t>(state.pane);
    const std::string text =
        names || chosen ? fmt::format(" {} {} ", i + 1, kPaneNames[i]) : fmt::format(" {} ", i + 1);
    at = frame.put(row, at, text, chosen ? Style::chosen_tab : Style::tab);
  }
  const int room = columns - at - 1;
  if (room >= 8) frame.put_right(row, clip(right, room), Style::dim);
}

void draw_hints(const std::vector<KeyHint>& hints, Frame& frame, int row) {
  int at = 0;
  for (const KeyHint& hint : hints) {
    const int width = columns_of(hint.key) + 1 + columns_of(hint.word);
    if (at + width > frame.size().columns) return;
    at = frame.put(row, at, hint.key, Style::key);
    at = frame.put(row, at + 1, hint.word) + 2;
  }
}

void draw_bottom(const TopState& state, bool scrolls, Frame& frame, int row) {
  if (row < 0) return;
  if (!state.notice.empty()) {
    frame.put(row, 0, state.notice, Style::strong);
    return;
  }
  if (!state.typing)
    return draw_hints(state.overlay == Overlay::none ? key_hints() : overlay_hints(scrolls), frame, row);
  const int at = frame.put(row, 0, "filter:", Style::key);
  const int end = frame.put(row, at + 1, state.view().filter, Style::strong);
  // The cursor: a block, for any character could be one of the filter's.
  frame.put(row, end, " ", Style::selected);
  frame.put(row, std::max(end + 3, 28), "Enter keeps it, Esc clears it", Style::dim);
}

std::vector<std::string> overlay_lines(const TopState& state, const TopData* data, int columns) {
  if (state.overlay == Overlay::help) {
    std::vector<std::string> lines;
    for (const std::string& line : help_lines()) {
      for (std::string& part : wrap(line, columns, std::min(27, columns / 3)))
        lines.push_back(std::move(part));
    }
    return lines;
  }
  if (!data) return {"nothing was measured yet"};
  if (state.overlay == Overlay::information)
    return wrapped_lines(header_view(data->profile, data->cost), columns, 10);
  return detail_lines(state, *data, columns);
}

/// Rows that an overlay has: those of the list and its heading.
int overlay_page(const Layout& layout) {
  return layout.page + 1;
}

/// Gives whether there is more of it than fits.
bool draw_overlay(const TopState& state, const TopData* data, const Layout& layout, Frame& frame) {
  const auto lines = overlay_lines(state, data, frame.size().columns);
  const auto page = static_cast<size_t>(overlay_page(layout));
  const size_t last = lines.size() > page ? lines.size() - page : 0;
  const size_t top = std::min(state.overlay_top, last);
  for (size_t i = top; i < std::min(lines.size(), top + page); ++i)
    frame.put(layout.list + static_cast<int>(i - top), 0, lines[i], i == 0 ? Style::strong : Style::normal);
  return last > 0;
}

Layout layout_of(const TopState& state, const TopData* data, Size size) {
  const int lines = data ? static_cast<int>(summary_lines(state, *data).size()) : 1;
  return layout_of(std::max(size.rows, 1), lines);
}

}  // namespace

Frame render(const TopState& state, const TopData* data, Size size) {
  Frame frame(size);
  const Layout layout = layout_of(state, data, size);
  if (!data) {
    frame.put(0, 0, "nettoll top: measuring", Style::strong);
    const bool more = state.overlay != Overlay::none && draw_overlay(state, data, layout, frame);
    draw_bottom(state, more, frame, layout.keys);
    return frame;
  }
  bool scrolls = false;
  const auto summary = summary_lines(state, *data);
  for (int i = 0; i < layout.summary; ++i) {
    const SummaryLine& line = summary[static_cast<size_t>(i)];
    frame.put(i, 0, line.text, line.style);
  }
  if (state.overlay == Overlay::none) {
    const PaneTable table = pane_table(state, *data);
    if (layout.tabs >= 0) draw_tabs(state, subject(state, *data, table), frame, layout.tabs);
    draw(table, state.view(), frame, layout.list, layout.page);
  } else {
    if (layout.tabs >= 0) draw_tabs(state, "", frame, layout.tabs);
    scrolls = draw_overlay(state, data, layout, frame);
  }
  if (layout.status >= 0) {
    const SummaryLine status = status_line(*data);
    frame.put(layout.status, 0, status.text, status.style);
  }
  draw_bottom(state, scrolls, frame, layout.keys);
  return frame;
}

Shown shown(const TopState& state, const TopData* data, Size size) {
  Shown shown;
  const Layout layout = layout_of(state, data, size);
  shown.page = static_cast<size_t>(layout.page);
  shown.overlay_page = static_cast<size_t>(overlay_page(layout));
  if (state.overlay != Overlay::none)
    shown.overlay_rows = overlay_lines(state, data, std::max(size.columns, 1)).size();
  if (!data) return shown;
  const PaneTable table = pane_table(state, *data);
  shown.rows = table.rows.size();
  if (!table.rows.empty())
    shown.selected = table.rows[page_rows(table.rows.size(), state.view(), shown.page).selected].key;
  for (const PaneColumn& column : table.columns) shown.columns.push_back(column.title);
  shown.sort = sort_title(table, state.view());
  shown.events = known_events(*data);
  return shown;
}

}  // namespace nettoll::tui
