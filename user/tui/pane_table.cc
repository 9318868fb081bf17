// SPDX-License-Identifier: Apache-2.0
#include "tui/pane_table.h"

#include <algorithm>
#include <cctype>

#include "tui/glyphs.h"

namespace nettoll::tui {
namespace {

constexpr int kGap = 1;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

size_t sort_column(const PaneTable& table, const PaneView& view) {
  const std::string& title = sort_title(table, view);
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const PaneColumn& column) { return column.title == title; });
  return found == table.columns.end() ? 0 : static_cast<size_t>(found - table.columns.begin());
}

/// Columns that a column needs at least.
int least_width(const PaneTable& table, size_t column) {
  const PaneColumn& c = table.columns[column];
  int width = std::max(c.width, columns_of(c.title));
  if (c.kind != ColumnKind::number) return width;
  for (const PaneRow& row : table.rows) width = std::max(width, columns_of(row.cells[column].text));
  return width;
}

int natural_width(const PaneTable& table, size_t column) {
  int width = columns_of(table.columns[column].title);
  for (const PaneRow& row : table.rows) width = std::max(width, columns_of(row.cells[column].text));
  return width;
}

struct Placed {
  size_t column = 0;
  int width = 0;
};

/// The columns that fit, in the table's order. The first and the one that sorts come before all others.
std::vector<Placed> place(const PaneTable& table, size_t sort, int screen) {
  std::vector<size_t> wanted{0};
  if (sort != 0) wanted.push_back(sort);
  for (size_t i = 1; i < table.columns.size(); ++i) {
    if (i != sort) wanted.push_back(i);
  }
  std::vector<Placed> placed;
  int used = -kGap;
  for (const size_t column : wanted) {
    const int width = std::min(least_width(table, column), screen);
    if (used + kGap + width > screen) break;
    used += kGap + width;
    placed.push_back({column, width});
  }
  std::sort(placed.begin(), placed.end(),
            [](const Placed& a, const Placed& b) { return a.column < b.column; });
  for (Placed& p : placed) {
    const PaneColumn& column = table.columns[p.column];
    if (column.kind == ColumnKind::number || column.most <= p.width) continue;
    const int more = std::clamp(natural_width(table, p.column), p.width, column.most) - p.width;
    const int given = std::min(more, screen - used);
    p.width += given;
    used += given;
  }
  return placed;
}

void put_cell(Frame& frame, int row, int column, ColumnKind kind, int width, const std::string& text,
              Style style) {
  const std::string shown = kind == ColumnKind::name ? clip_middle(text, width) : clip(text, width);
  const int indent = kind == ColumnKind::number ? width - columns_of(shown) : 0;
  frame.put(row, column + indent, shown, style);
}

}  // namespace

const std::string& sort_title(const PaneTable& table, const PaneView& view) {
  const bool there = std::any_of(table.columns.begin(), table.columns.end(),
                                 [&](const PaneColumn& column) { return column.title == view.sort; });
  return there ? view.sort : table.sort;
}

void arrange(PaneTable& table, const PaneView& view) {
  if (!view.filter.empty()) {
    const std::string wanted = lower(view.filter);
    std::erase_if(table.rows, [&](const PaneRow& row) {
      for (size_t i = 0; i < row.cells.size(); ++i) {
        if (table.columns[i].kind != ColumnKind::number &&
            lower(row.cells[i].text).find(wanted) != std::string::npos)
          return false;
      }
      return true;
    });
  }
  const size_t by = sort_column(table, view);
  const bool number = table.columns[by].kind == ColumnKind::number;
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const PaneRow& a, const PaneRow& b) {
    if (a.group != b.group) return a.group < b.group;
    const Value& left = a.cells[by];
    const Value& right = b.cells[by];
    if (!number) return view.reverse ? right.text < left.text : left.text < right.text;
    if (std::isnan(left.number) || std::isnan(right.number))
      return !std::isnan(left.number) && std::isnan(right.number);
    return view.reverse ? left.number < right.number : right.number < left.number;
  });
}

PageRows page_rows(size_t rows, const PaneView& view, size_t page) {
  page = std::max<size_t>(page, 1);
  PageRows shown;
  if (rows == 0) return shown;
  shown.selected = std::min(view.selected, rows - 1);
  // Rows may have come, gone or been moved by a smaller screen since the key that set `top`.
  const size_t lowest = shown.selected >= page ? shown.selected - page + 1 : 0;
  shown.first = std::clamp(view.top, lowest, shown.selected);
  shown.first = std::min(shown.first, rows > page ? rows - page : 0);
  shown.last = std::min(rows, shown.first + page);
  return shown;
}

void draw(const PaneTable& table, const PaneView& view, Frame& frame, int top, int page, bool cursor) {
  const size_t sort = sort_column(table, view);
  const auto placed = place(table, sort, frame.size().columns);
  frame.paint(top, Style::heading);
  int at = 0;
  for (const Placed& p : placed) {
    const PaneColumn& column = table.columns[p.column];
    put_cell(frame, top, at, column.kind, p.width, column.title,
             p.column == sort ? Style::sort_column : Style::heading);
    at += p.width + kGap;
  }
  if (table.rows.empty()) {
    frame.put(top + 1, 0, view.filter.empty() ? table.empty : "nothing matches the filter", Style::dim);
    return;
  }
  const PageRows shown = page_rows(table.rows.size(), view, static_cast<size_t>(std::max(page, 1)));
  for (size_t i = shown.first; i < shown.last; ++i) {
    const PaneRow& row = table.rows[i];
    const int line = top + 1 + static_cast<int>(i - shown.first);
    const Style style = cursor && i == shown.selected ? Style::selected : row.style;
    frame.paint(line, style);
    at = 0;
    for (const Placed& p : placed) {
      put_cell(frame, line, at, table.columns[p.column].kind, p.width, row.cells[p.column].text, style);
      at += p.width + kGap;
    }
  }
}

}  // namespace nettoll::tui
