// SPDX-License-Identifier: Apache-2.0
// What the person at the keyboard chose, and what each key does to it.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/net.h"

namespace nettoll::tui {

enum class Pane : uint8_t { functions, paths, cpus, drops, findings };
inline constexpr size_t kPaneCount = 5;

/// What lies over the panes.
enum class Overlay : uint8_t {
  none,
  help,
  information,  ///< the window, events, what is missing and what was lost
  detail,       ///< all about the row that the cursor was on
};

struct Key {
  enum class Kind : uint8_t {
    character,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    enter,
    escape,
    backspace,
    tab,
    back_tab,
  } kind = Kind::character;
  char32_t character = 0;

  bool operator==(const Key&) const = default;
};

/// How one pane is looked at.
struct PaneView {
  size_t selected = 0;  ///< row of the sorted and filtered list
  size_t top = 0;       ///< first row on the screen
  std::string sort{};   ///< title of a column; empty: the pane's own choice
  bool reverse = false;
  std::string filter{};
  bool operator==(const PaneView&) const = default;
};

struct TopState {
  Pane pane = Pane::functions;
  std::array<PaneView, kPaneCount> views;
  uint32_t event = 0;        ///< index in the session's events
  std::optional<Path> path;  ///< functions of this path alone
  bool typing = false;       ///< keys go into the filter
  bool paused = false;
  bool quit = false;
  Overlay overlay = Overlay::none;
  size_t overlay_top = 0;
  std::string notice{};  ///< answer to the last key, where nothing else shows one
  std::string detail;    ///< key of the row that the overlay tells of
  std::chrono::milliseconds interval{2000};

  PaneView& view() { return views[static_cast<size_t>(pane)]; }
  const PaneView& view() const { return views[static_cast<size_t>(pane)]; }
  bool operator==(const TopState&) const = default;
};

/// What was on the screen when a key was hit.
struct Shown {
  size_t rows = 0;                   ///< of the list after filtering
  size_t page = 1;                   ///< rows that the screen has room for
  std::string selected;              ///< key of the row under the cursor; empty where there is none
  std::vector<std::string> columns;  ///< titles that rows can be sorted by
  std::string sort;                  ///< the one that they are sorted by
  std::vector<uint32_t> events;      ///< that can be looked at
  size_t overlay_rows = 0, overlay_page = 1;
};

/// The state after a key. Pure: what the screen showed is given.
TopState apply(TopState state, const Key& key, const Shown& shown);

}  // namespace nettoll::tui
