// SPDX-License-Identifier: Apache-2.0
// What commands print.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace nettoll {

/// Writes `text` to standard output, all of it. Fails where that is a full disk, a closed descriptor or a
/// pipe that nobody reads.
Status print_out(std::string_view text);

/// Whether standard output is a terminal that knows more than lines of text (TERM is set, and not "dumb").
bool prints_to_terminal();

/// Columns of the terminal that standard output is; nothing where it is none or does not tell.
std::optional<size_t> terminal_columns();

/// Writes the line "nettoll: <text>" to standard error, without what would drive a terminal. Does not fail: a
/// recording must not be lost because nobody can be told of it.
void say(std::string_view text);

}  // namespace nettoll
