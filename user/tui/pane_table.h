// SPDX-License-Identifier: Apache-2.0
// A list of a pane: rows under headings, sorted, filtered and fitted to a screen.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tui/frame.h"
#include "tui/state.h"

namespace nettoll::tui {

/// A value as it is shown, and the number to sort by: NaN for texts, and where nothing was measured.
struct Value {
  std::string text;
  double number = NAN;
};

/// Numbers stand at the right. Where a name is too long its middle gives way, since functions differ at both
/// ends; of other texts the end.
enum class ColumnKind : uint8_t { number, name, text };

struct PaneColumn {
  std::string title;  ///< differs from the others'
  ColumnKind kind = ColumnKind::number;
  /// Columns of characters it wants; numbers get more where they need it, texts up to `most`.
  int width = 6;
  int most = 0;  ///< 0: texts are never wider than `width`
};

struct PaneRow {
  std::string key;  ///< stays the same from one refresh to the next
  std::vector<Value> cells;
  Style style = Style::normal;
  int group = 0;         ///< rows of a lower group stand above, however they are sorted
  std::string advice{};  ///< how to learn more of it, for its detail; empty where there is no way
};

/// Columns stand in the order of their importance: where the screen has no room the last ones are left out.
struct PaneTable {
  std::vector<PaneColumn> columns;
  std::vector<PaneRow> rows;
  std::string sort;   ///< title of the column that sorts where nothing was chosen
  std::string empty;  ///< what to say where there are no rows
};

/// Title of the column that sorts under a view.
const std::string& sort_title(const PaneTable& table, const PaneView& view);

/// Keeps the rows with the view's filter in one of their texts (upper and lower case are the same) and sorts:
/// numbers from the largest on, texts by letter, what was not measured at the end. Equal rows stay in order.
void arrange(PaneTable& table, const PaneView& view);

/// Rows of the list that are on a page.
struct PageRows {
  size_t first = 0, last = 0;  ///< without `last`
  size_t selected = 0;
};
PageRows page_rows(size_t rows, const PaneView& view, size_t page);

/// Draws the heading into row `top` and a page of an arranged table below it. `cursor` false: no row stands
/// out.
void draw(const PaneTable& table, const PaneView& view, Frame& frame, int top, int page, bool cursor = true);

}  // namespace nettoll::tui
