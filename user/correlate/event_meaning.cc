// SPDX-License-Identifier: Apache-2.0
#include "correlate/event_meaning.h"

#include <fmt/format.h>

#include "model/event_name.h"

namespace nettoll {

EventMeaning meaning_of(std::string_view name) {
  const EventName parts = parts_of_event(name);
  const bool user = parts.modifiers.find('u') != std::string_view::npos;
  const bool kernel = parts.modifiers.find('k') != std::string_view::npos;
  EventMeaning meaning{std::string(without_modifiers(name)), user && !kernel};
  if (role_of(name) == EventRole::cycles)
    meaning.name = parts.pmu.empty() ? "cycles" : fmt::format("{}/cycles/", parts.pmu);
  return meaning;
}

}  // namespace nettoll
