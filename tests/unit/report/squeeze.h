// SPDX-License-Identifier: Apache-2.0
// Text without its alignment, so that tests of what a row says do not hang on the widths of other rows.
#pragma once

#include <string>

namespace nettoll {

/// Runs of spaces become one, and lines begin without any.
inline std::string squeeze(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' && (out.empty() || out.back() == ' ' || out.back() == '\n')) continue;
    out += c;
  }
  return out;
}

}  // namespace nettoll
