// SPDX-License-Identifier: Apache-2.0
// The terminal, through ncurses. The only file that knows it; decides nothing.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "tui/frame.h"
#include "tui/state.h"

namespace nettoll::tui {

/// Owns the terminal's screen from open() on; the screen of before comes back with its end. One at a time.
class Terminal {
 public:
  /// Colours unless NO_COLOR is set (no-color.org) or the terminal has none.
  static Result<Terminal> open();
  Terminal(Terminal&&) noexcept;
  Terminal& operator=(Terminal&&) = delete;
  ~Terminal();

  /// Readable when a key was hit.
  int fd() const;
  /// The next key that means something, if there is one now.
  std::optional<Key> next_key();
  Size size() const;
  /// Takes over the size that the terminal has now; to be called on SIGWINCH.
  void follow_size();
  /// Shows a frame; ncurses sends what differs from the one before.
  void paint(const Frame& frame);
  /// The next frame is sent whole: somebody else wrote over it.
  void forget();

 private:
  struct Screen;
  explicit Terminal(std::unique_ptr<Screen> screen);
  std::unique_ptr<Screen> screen_;
};

}  // namespace nettoll::tui
