// SPDX-License-Identifier: Apache-2.0
#include "report/printable.h"

namespace nettoll {

/// A recording may come from a stranger, and its names go to a terminal: what a terminal would obey becomes
/// '?'. That is the C0 controls but line ends, DEL, and the C1 controls, which UTF-8 writes as C2 80 to C2
/// 9F.
std::string without_controls(std::string text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool c1 = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (c1) text[i + 1] = '?';
    if (c1 || (byte < 0x20 && byte != '\n') || byte == 0x7F) text[i] = '?';
  }
  return text;
}

}  // namespace nettoll
