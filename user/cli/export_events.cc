// SPDX-License-Identifier: Apache-2.0
#include "cli/export_events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "model/event_name.h"

namespace nettoll {
namespace {

std::vector<uint32_t> events_named(const std::vector<Event>& events, std::string_view wanted) {
  std::vector<uint32_t> exact, alike;
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (events[i].name == wanted) exact.push_back(i);
    if (without_modifiers(events[i].name) == wanted) alike.push_back(i);
  }
  return exact.empty() ? alike : exact;
}

std::vector<std::string_view> split(const std::vector<std::string>& lists) {
  std::vector<std::string_view> names;
  for (const std::string& list : lists) {
    size_t begin = 0;
    for (size_t end = 0; end != std::string::npos; begin = end + 1) {
      end = list.find(',', begin);
      names.push_back(std::string_view(list).substr(begin, end == std::string::npos ? end : end - begin));
    }
  }
  return names;
}

}  // namespace

Result<std::vector<uint32_t>> choose_events(const Profile& profile, const CostTable& cost,
                                            const std::vector<std::string>& names) {
  const auto& events = profile.session.events;
  std::vector<uint32_t> ran;
  std::vector<std::string_view> ran_names;
  for (const EventTotal& total : cost.events) {
    if (!total.known()) continue;
    ran.push_back(total.event);
    ran_names.push_back(events[total.event].name);
  }
  if (ran.empty()) return failure("no event ran", "record again with -e EVENT");
  if (names.empty()) return ran;
  const std::string there = fmt::format("there is {}", fmt::join(ran_names, ", "));
  std::vector<uint32_t> chosen;
  for (const std::string_view name : split(names)) {
    const auto found = events_named(events, name);
    if (found.empty()) return usage_error(fmt::format("there is no event '{}'", name), there);
    if (found.size() > 1) return usage_error(fmt::format("several events are named '{}'", name), there);
    if (!std::ranges::binary_search(ran, found.front()))
      return usage_error(fmt::format("event {} never ran", name), there);
    if (std::ranges::find(chosen, found.front()) == chosen.end()) chosen.push_back(found.front());
  }
  return chosen;
}

}  // namespace nettoll
