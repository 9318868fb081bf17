// SPDX-License-Identifier: Apache-2.0
// The page that tells which key does what.
#pragma once

#include <string>
#include <vector>

namespace nettoll::tui {

std::vector<std::string> help_lines();

/// The keys that one needs first, for the last line of the screen: a key and a word.
struct KeyHint {
  const char* key;
  const char* word;
};
std::vector<KeyHint> key_hints();
/// The same over an overlay; those that move its text where there is more of it than the screen has room for.
std::vector<KeyHint> overlay_hints(bool scrolls);

}  // namespace nettoll::tui
