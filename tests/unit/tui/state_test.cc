// SPDX-License-Identifier: Apache-2.0
#include "tui/state.h"

#include <gtest/gtest.h>

#include <string_view>

namespace nettoll::tui {
namespace {

using std::chrono::milliseconds;
using Kind = Key::Kind;

/// A list of 30 rows of which 10 are on the screen.
Shown list() {
  Shown shown;
  shown.rows = 30;
  shown.page = 10;
  shown.selected = "vmlinux:ip_rcv";
  shown.columns = {"function", "self%", "calls/s"};
  shown.sort = "self%";
  shown.events = {0, 2, 3};
  return shown;
}

Key key(char32_t character) {
  return {Kind::character, character};
}

TopState typed(TopState state, std::u32string_view keys, const Shown& shown = list()) {
  for (const char32_t character : keys) state = apply(std::move(state), key(character), shown);
  return state;
}

TopState pressed(TopState state, std::initializer_list<Kind> kinds, const Shown& shown = list()) {
  for (const Kind kind : kinds) state = apply(std::move(state), Key{kind}, shown);
  return state;
}

TEST(State, MovesAndScrolls) {
  struct Case {
    Key key;
    size_t from, top, to, new_top;
  };
  const Case cases[] = {
      {{Kind::down}, 0, 0, 1, 0},
      {{Kind::down}, 9, 0, 10, 1},
      {{Kind::down}, 29, 20, 29, 20},
      {{Kind::up}, 0, 0, 0, 0},
      {{Kind::up}, 5, 5, 4, 4},
      {{Kind::page_down}, 3, 0, 13, 4},
      {{Kind::page_down}, 25, 20, 29, 20},
      {{Kind::page_up}, 25, 20, 15, 15},
      {{Kind::page_up}, 3, 0, 0, 0},
      {{Kind::home}, 25, 20, 0, 0},
      {{Kind::end}, 0, 0, 29, 20},
      {key(U'j'), 9, 0, 10, 1},
      {key(U'k'), 5, 5, 4, 4},
      {key(U'g'), 25, 20, 0, 0},
      {key(U'G'), 0, 0, 29, 20},
  };
  for (const Case& c : cases) {
    TopState state;
    state.view().selected = c.from;
    state.view().top = c.top;
    const TopState after = apply(state, c.key, list());
    EXPECT_EQ(after.view().selected, c.to) << c.from << " " << static_cast<int>(c.key.kind);
    EXPECT_EQ(after.view().top, c.new_top) << c.from << " " << static_cast<int>(c.key.kind);
  }
}

TEST(State, AnEmptyListHoldsTheCursor) {
  const TopState state;
  EXPECT_EQ(pressed(state, {Kind::down, Kind::end, Kind::page_down, Kind::enter}, {}), state);
}

TEST(State, ACursorBelowAListThatBecameShorterMovesFromItsEnd) {
  TopState state;
  state.view().selected = 100;
  EXPECT_EQ(pressed(state, {Kind::up}).view().selected, 28u);
}

TEST(State, ChoosesPanes) {
  const TopState state;
  EXPECT_EQ(typed(state, U"3").pane, Pane::cpus);
  EXPECT_EQ(typed(state, U"5").pane, Pane::findings);
  EXPECT_EQ(typed(state, U"6"), state);
  EXPECT_EQ(typed(state, U"0"), state);
  EXPECT_EQ(pressed(state, {Kind::tab}).pane, Pane::paths);
  EXPECT_EQ(pressed(state, {Kind::back_tab}).pane, Pane::findings);
  EXPECT_EQ(pressed(typed(state, U"5"), {Kind::tab}).pane, Pane::functions);
  const TopState moved = typed(pressed(state, {Kind::down, Kind::down}), U"41");
  EXPECT_EQ(moved.view().selected, 2u) << "each pane keeps its place";
}

TEST(State, SortsByTheNextColumnAndBack) {
  const TopState state;
  EXPECT_EQ(typed(state, U"s").view().sort, "calls/s");
  EXPECT_EQ(typed(state, U">").view().sort, "calls/s");
  EXPECT_EQ(typed(state, U"<").view().sort, "function");
  EXPECT_EQ(typed(state, U"S").view().sort, "function");
  Shown last = list();
  last.sort = "calls/s";
  EXPECT_EQ(typed(state, U"s", last).view().sort, "function");
  Shown first = list();
  first.sort = "function";
  EXPECT_EQ(typed(state, U"<", first).view().sort, "calls/s");
  EXPECT_TRUE(typed(state, U"r").view().reverse);
  EXPECT_FALSE(typed(state, U"rs").view().reverse) << "a column begins with its largest";
}

TEST(State, StepsThroughEventsThatWereMeasured) {
  TopState state;
  state = typed(state, U"e");
  EXPECT_EQ(state.event, 2u);
  EXPECT_EQ(typed(state, U"e").event, 3u);
  EXPECT_EQ(typed(state, U"ee").event, 0u);
  EXPECT_EQ(typed(state, U"e", {}).event, 2u) << "no event at all";
  EXPECT_EQ(typed(state, U"e", {}).notice, "no event was measured");
  Shown one = list();
  one.events = {0};
  EXPECT_EQ(typed({}, U"e", one).notice, "one event was measured: there is no other");
  EXPECT_EQ(typed({}, U"er", one).notice, "") << "the next key takes it away";
}

TEST(State, FiltersWhileTyping) {
  TopState state;
  state.view().selected = 5;
  state = typed(state, U"/qp1±");
  EXPECT_TRUE(state.typing);
  EXPECT_EQ(state.view().filter, "qp1±") << "keys are letters now";
  EXPECT_EQ(state.view().selected, 0u);
  EXPECT_FALSE(state.quit || state.paused);
  EXPECT_EQ(pressed(state, {Kind::backspace}).view().filter, "qp1") << "a character, not a byte";
  EXPECT_EQ(pressed(TopState(typed({}, U"/")), {Kind::backspace}).view().filter, "");
  const TopState kept = pressed(state, {Kind::enter});
  EXPECT_FALSE(kept.typing);
  EXPECT_EQ(kept.view().filter, "qp1±");
  EXPECT_EQ(pressed(state, {Kind::escape}).view().filter, "");
  EXPECT_FALSE(pressed(state, {Kind::escape}).typing);
  EXPECT_EQ(pressed(kept, {Kind::escape}).view().filter, "");
  EXPECT_EQ(typed({}, U"/" + std::u32string(500, U'a')).view().filter.size(), 60u);
}

TEST(State, StepsThroughIntervals) {
  TopState state;
  EXPECT_EQ(typed(state, U"+").interval, milliseconds(5000));
  EXPECT_EQ(typed(state, U"=").interval, milliseconds(5000));
  EXPECT_EQ(typed(state, U"-").interval, milliseconds(1000));
  EXPECT_EQ(typed(state, U"--------").interval, milliseconds(100));
  EXPECT_EQ(typed(state, U"+++++++++").interval, milliseconds(60'000));
  state.interval = milliseconds(3000);
  EXPECT_EQ(typed(state, U"+").interval, milliseconds(5000));
  EXPECT_EQ(typed(state, U"-").interval, milliseconds(2000));
  state.interval = std::chrono::hours(1);
  EXPECT_EQ(typed(state, U"+").interval, std::chrono::hours(1));
}

TEST(State, PausesAndQuits) {
  EXPECT_TRUE(typed({}, U"p").paused);
  EXPECT_TRUE(typed({}, U" ").paused);
  EXPECT_FALSE(typed({}, U"pp").paused);
  EXPECT_TRUE(typed({}, U"q").quit);
}

TEST(State, EnterTellsAllAboutARow) {
  TopState state = pressed({}, {Kind::enter});
  EXPECT_EQ(state.overlay, Overlay::detail);
  EXPECT_EQ(state.detail, "vmlinux:ip_rcv");
  for (const Kind back : {Kind::escape, Kind::enter, Kind::backspace})
    EXPECT_EQ(pressed(state, {back}).overlay, Overlay::none);
  const TopState left = typed(state, U"q");
  EXPECT_EQ(left.overlay, Overlay::none);
  EXPECT_FALSE(left.quit) << "q leaves one thing at a time";
  EXPECT_TRUE(typed(state, U"p").paused);
}

TEST(State, EnterOnAPathShowsItsFunctions) {
  Shown paths = list();
  paths.selected = "tx";
  TopState state = pressed(typed({}, U"2"), {Kind::enter}, paths);
  EXPECT_EQ(state.pane, Pane::functions);
  EXPECT_EQ(state.path, Path::tx);
  EXPECT_EQ(state.overlay, Overlay::none);
  state.view().filter = "x";
  state = pressed(state, {Kind::escape});
  EXPECT_EQ(state.path, Path::tx) << "the filter was chosen last";
  EXPECT_FALSE(pressed(state, {Kind::escape}).path);
  EXPECT_EQ(pressed(typed(state, U"3"), {Kind::escape}).path, Path::tx) << "of another pane";
}

TEST(State, OverlaysOpenCloseAndScroll) {
  EXPECT_EQ(typed({}, U"h").overlay, Overlay::help);
  EXPECT_EQ(typed({}, U"?").overlay, Overlay::help);
  EXPECT_EQ(typed({}, U"hh").overlay, Overlay::none);
  EXPECT_EQ(typed({}, U"i").overlay, Overlay::information);
  EXPECT_EQ(typed({}, U"ih").overlay, Overlay::help);
  Shown help = list();
  help.overlay_rows = 25;
  help.overlay_page = 20;
  const TopState state = typed({}, U"h");
  EXPECT_EQ(typed(state, U"jj", help).overlay_top, 2u);
  EXPECT_EQ(typed(state, U"jjjjjjjjjjj", help).overlay_top, 5u) << "the last line stays at the bottom";
  EXPECT_EQ(pressed(state, {Kind::end}, help).overlay_top, 5u);
  EXPECT_EQ(pressed(state, {Kind::end, Kind::up}, help).overlay_top, 4u);
  help.overlay_rows = 3;
  EXPECT_EQ(typed(state, U"jj", help).overlay_top, 0u);
  EXPECT_EQ(typed(state, U"3s", help).pane, Pane::functions) << "the list below does not hear";
}

}  // namespace
}  // namespace nettoll::tui
