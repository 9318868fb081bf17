// SPDX-License-Identifier: Apache-2.0
// Plain text on a screen that is drawn over and over.
#pragma once

#include <string>

#include "tui/frame.h"

namespace nettoll::tui {

/// The text in at most `size.rows` - 1 lines, none wider than the screen, so that the terminal neither wraps
/// nor scrolls. Lines that have no room give way to one that counts them; those after the last empty line
/// stay, since they tell what was lost.
std::string fit(const std::string& text, Size size);

}  // namespace nettoll::tui
