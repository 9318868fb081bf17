// SPDX-License-Identifier: Apache-2.0
// Colours for who reads a report on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// The text with titles (a first line, and one behind an empty line) in bold, and with shares from 5% on in
/// red and from 0.5% on in green, as perf report has them. Only escape sequences are added: widths stay.
std::string with_colours(std::string_view text);

}  // namespace nettoll
