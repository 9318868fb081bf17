// SPDX-License-Identifier: Apache-2.0
#include "model/event_name.h"

#include <algorithm>
#include <iterator>

namespace nettoll {
namespace {

// Of perf-list(1), "EVENT MODIFIERS", and the letter e, which older versions of perf print for exclusive.
constexpr std::string_view kModifiers = "ukhIGHpPSDWebR";

bool are_modifiers(std::string_view letters) {
  return !letters.empty() && letters.find_first_not_of(kModifiers) == std::string_view::npos;
}

/// Where the modifiers behind a colon begin, the colon among them; the end where there are none. The colon of
/// a tracepoint, "net:netif_receive_skb", has no modifiers behind it.
size_t colon_of_modifiers(std::string_view name) {
  const size_t colon = name.rfind(':');
  return colon != std::string_view::npos && are_modifiers(name.substr(colon + 1)) ? colon : name.size();
}

struct Alias {
  std::string_view name;
  EventRole role;
};

// tools/perf/util/parse-events.c, event_symbols_hw and event_symbols_sw.
constexpr Alias kAliases[] = {
    {"cycles", EventRole::cycles},
    {"cpu-cycles", EventRole::cycles},
    {"instructions", EventRole::instructions},
    {"cache-misses", EventRole::cache_misses},
    {"branch-misses", EventRole::branch_misses},
    {"cpu-clock", EventRole::cpu_clock},
    {"task-clock", EventRole::task_clock},
};

}  // namespace

EventName parts_of_event(std::string_view name) {
  const size_t slash = name.find('/');
  if (slash == std::string_view::npos) {
    const size_t end = colon_of_modifiers(name);
    return {"", name.substr(0, end), name.substr(std::min(end + 1, name.size()))};
  }
  EventName parts;
  parts.pmu = name.substr(0, slash);
  std::string_view terms = name.substr(slash + 1);
  if (const size_t last = terms.rfind('/'); last != std::string_view::npos) {
    parts.modifiers = terms.substr(last + 1);
    if (parts.modifiers.starts_with(':')) parts.modifiers.remove_prefix(1);
    terms = terms.substr(0, last);
  }
  parts.base = terms.substr(0, terms.find(','));
  const size_t end = colon_of_modifiers(parts.base);
  if (parts.modifiers.empty()) parts.modifiers = parts.base.substr(std::min(end + 1, parts.base.size()));
  parts.base = parts.base.substr(0, end);
  return parts;
}

std::string_view without_modifiers(std::string_view name) {
  const size_t slash = name.rfind('/');
  if (slash == std::string_view::npos) return name.substr(0, colon_of_modifiers(name));
  const std::string_view behind = name.substr(slash + 1);
  const bool modified = are_modifiers(behind.starts_with(':') ? behind.substr(1) : behind);
  return modified ? name.substr(0, slash + 1) : name;
}

EventRole role_of(std::string_view name) {
  const std::string_view base = parts_of_event(name).base;
  const auto* found = std::ranges::find(kAliases, base, &Alias::name);
  return found == std::end(kAliases) ? EventRole::other : found->role;
}

}  // namespace nettoll
