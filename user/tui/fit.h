// SPDX-License-Identifier: Apache-2.0
// Plain text on a screen that is drawn over and over.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tui/frame.h"

namespace nettoll::tui {

/// How many of `room` rows each section has that wants so many: none has more than it wants, and none less
/// than another that wants no more, but for the row that does not divide, which goes to the first.
std::vector<size_t> share_rows(const std::vector<size_t>& wanted, size_t room);

/// The text in at most `size.rows` - 1 lines, none wider than the screen, so that the terminal neither wraps
/// nor scrolls. Empty lines part it into sections, which share the rows. Lines of a section that have no room
/// give way to one that counts them; the last section stays whole, since it tells what was lost. Where there
/// is no room for some lines of each, those before the last are one; on the smallest screen all are.
std::string fit(const std::string& text, Size size);

}  // namespace nettoll::tui
