// SPDX-License-Identifier: Apache-2.0
#include "correlate/event_meaning.h"

namespace nettoll {

EventMeaning meaning_of(std::string_view name) {
  std::string_view modifiers;
  const size_t colon = name.rfind(':');
  if (colon != std::string_view::npos) {
    modifiers = name.substr(colon + 1);
    // perf-list(1), event modifiers; "net:netif_rx" is a tracepoint.
    if (modifiers.find_first_not_of("ukhIGHpPSDWeb") != std::string_view::npos) modifiers = {};
    if (!modifiers.empty()) name = name.substr(0, colon);
  }
  if (name == "cpu-cycles") name = "cycles";
  const bool user = modifiers.find('u') != std::string_view::npos;
  const bool kernel = modifiers.find('k') != std::string_view::npos;
  return {std::string(name), user && !kernel};
}

}  // namespace nettoll
