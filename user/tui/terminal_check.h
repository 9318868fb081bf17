// SPDX-License-Identifier: Apache-2.0
// Whether there is a terminal to draw on.
#pragma once

#include "base/result.h"

namespace nettoll::tui {

/// Whether standard input and output are a terminal of a known type that can be drawn on. Says what to do
/// where not; has no effect on the terminal.
Status check_terminal();

}  // namespace nettoll::tui
