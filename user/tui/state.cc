// SPDX-License-Identifier: Apache-2.0
#include "tui/state.h"

#include <algorithm>

#include "model/names.h"
#include "tui/glyphs.h"

namespace nettoll::tui {
namespace {

using std::chrono::milliseconds;

/// Longest text to filter by; nothing longer is a name.
constexpr size_t kLongestFilter = 60;

/// The intervals that + and - step through.
constexpr milliseconds kIntervals[] = {milliseconds(100),    milliseconds(200),    milliseconds(500),
                                       milliseconds(1000),   milliseconds(2000),   milliseconds(5000),
                                       milliseconds(10'000), milliseconds(30'000), milliseconds(60'000)};

milliseconds longer(milliseconds interval) {
  const auto next = std::upper_bound(std::begin(kIntervals), std::end(kIntervals), interval);
  return next == std::end(kIntervals) ? interval : *next;
}

milliseconds shorter(milliseconds interval) {
  const auto next = std::lower_bound(std::begin(kIntervals), std::end(kIntervals), interval);
  return next == std::begin(kIntervals) ? interval : *std::prev(next);
}

/// A position after a key that moves, in a list of `count`; nothing where the key does not move.
std::optional<size_t> moved(size_t at, const Key& key, size_t count, size_t page) {
  const size_t last = count == 0 ? 0 : count - 1;
  const auto back = [&](size_t by) { return at > by ? at - by : 0; };
  const auto on = [&](size_t by) { return std::min(last, at + by); };
  switch (key.kind) {
    case Key::Kind::up:
      return back(1);
    case Key::Kind::down:
      return on(1);
    case Key::Kind::page_up:
      return back(page);
    case Key::Kind::page_down:
      return on(page);
    case Key::Kind::home:
      return 0;
    case Key::Kind::end:
      return last;
    case Key::Kind::character:
      if (key.character == U'k') return back(1);
      if (key.character == U'j') return on(1);
      if (key.character == U'g') return 0;
      if (key.character == U'G') return last;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

void select(TopState& state, size_t row, const Shown& shown) {
  PaneView& view = state.view();
  view.selected = row;
  view.top = std::min(view.top, row);
  if (row >= view.top + shown.page) view.top = row - shown.page + 1;
}

void choose_pane(TopState& state, size_t pane) {
  state.pane = static_cast<Pane>(pane % kPaneCount);
}

/// The next column of the list, or the one before.
void choose_sort(TopState& state, const Shown& shown, bool next) {
  if (shown.columns.empty()) return;
  const size_t count = shown.columns.size();
  const auto found = std::find(shown.columns.begin(), shown.columns.end(), shown.sort);
  const auto at = static_cast<size_t>(found - shown.columns.begin());
  state.view().sort = shown.columns[found == shown.columns.end() ? 0 : (at + (next ? 1 : count - 1)) % count];
  state.view().reverse = false;
}

void next_event(TopState& state, const Shown& shown) {
  if (shown.events.size() < 2) {
    state.notice =
        shown.events.empty() ? "no event was measured" : "one event was measured: there is no other";
    return;
  }
  const auto next = std::upper_bound(shown.events.begin(), shown.events.end(), state.event);
  if (next != shown.events.end())
    state.event = *next;
  else
    state.event = shown.events.front();
}

void open(TopState& state, Overlay overlay) {
  state.overlay = overlay;
  state.overlay_top = 0;
}

/// A path has its functions as detail.
void enter(TopState& state, const Shown& shown) {
  if (shown.selected.empty()) return;
  if (state.pane != Pane::paths) {
    state.detail = shown.selected;
    open(state, Overlay::detail);
    return;
  }
  for (const Path path : kAllPaths) {
    if (name_of(path) != shown.selected) continue;
    state.path = path;
    state.pane = Pane::functions;
    state.view().selected = state.view().top = 0;
  }
}

void type(TopState& state, const Key& key) {
  std::string& filter = state.view().filter;
  if (key.kind == Key::Kind::character && filter.size() < kLongestFilter) append_utf8(filter, key.character);
  if (key.kind == Key::Kind::backspace) {
    while (!filter.empty() && (static_cast<unsigned char>(filter.back()) & 0xC0) == 0x80) filter.pop_back();
    if (!filter.empty()) filter.pop_back();
  }
  if (key.kind == Key::Kind::escape) filter.clear();
  if (key.kind == Key::Kind::escape || key.kind == Key::Kind::enter) state.typing = false;
  state.view().selected = state.view().top = 0;
}

/// Keys that mean the same wherever one is.
bool apply_anywhere(TopState& state, char32_t character) {
  switch (character) {
    case U'p':
    case U' ':
      state.paused = !state.paused;
      return true;
    case U'+':
    case U'=':
      state.interval = longer(state.interval);
      return true;
    case U'-':
      state.interval = shorter(state.interval);
      return true;
    case U'h':
    case U'?':
      open(state, state.overlay == Overlay::help ? Overlay::none : Overlay::help);
      return true;
    case U'i':
      open(state, state.overlay == Overlay::information ? Overlay::none : Overlay::information);
      return true;
    default:
      return false;
  }
}

void apply_in_overlay(TopState& state, const Key& key, const Shown& shown) {
  // There is no cursor: the whole text moves, as far as there is more of it.
  const size_t stops =
      shown.overlay_rows > shown.overlay_page ? shown.overlay_rows - shown.overlay_page + 1 : 1;
  const size_t at = std::min(state.overlay_top, stops - 1);
  if (const auto to = moved(at, key, stops, shown.overlay_page)) {
    state.overlay_top = *to;
  } else if (key.kind == Key::Kind::escape || key.kind == Key::Kind::enter ||
             key.kind == Key::Kind::backspace || key.character == U'q') {
    state.overlay = Overlay::none;
  }
}

void apply_in_pane(TopState& state, const Key& key, const Shown& shown) {
  const size_t at = std::min(state.view().selected, shown.rows == 0 ? 0 : shown.rows - 1);
  if (const auto to = moved(at, key, shown.rows, shown.page)) return select(state, *to, shown);
  const auto pane = static_cast<size_t>(state.pane);
  switch (key.kind) {
    case Key::Kind::enter:
      return enter(state, shown);
    case Key::Kind::tab:
      return choose_pane(state, pane + 1);
    case Key::Kind::back_tab:
      return choose_pane(state, pane + kPaneCount - 1);
    case Key::Kind::escape:
      // One thing at a time, the last that was chosen first.
      if (!state.view().filter.empty())
        state.view().filter.clear();
      else if (state.pane == Pane::functions)
        state.path.reset();
      return;
    case Key::Kind::character:
      break;
    default:
      return;
  }
  switch (key.character) {
    case U'q':
      state.quit = true;
      return;
    case U'/':
      state.typing = true;
      return;
    case U's':
    case U'>':
      return choose_sort(state, shown, true);
    case U'S':
    case U'<':
      return choose_sort(state, shown, false);
    case U'r':
      state.view().reverse = !state.view().reverse;
      return;
    case U'e':
      return next_event(state, shown);
    default:
      if (key.character >= U'1' && key.character < U'1' + kPaneCount)
        choose_pane(state, key.character - U'1');
  }
}

}  // namespace

TopState apply(TopState state, const Key& key, const Shown& shown) {
  state.notice.clear();
  if (state.typing)
    type(state, key);
  else if (key.kind == Key::Kind::character && apply_anywhere(state, key.character))
    ;
  else if (state.overlay != Overlay::none)
    apply_in_overlay(state, key, shown);
  else
    apply_in_pane(state, key, shown);
  return state;
}

}  // namespace nettoll::tui
