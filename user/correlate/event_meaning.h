// SPDX-License-Identifier: Apache-2.0
// What an event counts, however perf was told of it.
#pragma once

#include <string>
#include <string_view>

namespace nettoll {

/// Equal meanings are one event.
struct EventMeaning {
  std::string name;        ///< without modifiers, and "cycles" for perf's alias cpu-cycles
  bool user_only = false;  ///< counts user mode alone

  /// As a comparison calls it: "cycles", "cycles:u".
  std::string text() const { return user_only ? name + ":u" : name; }
  bool operator==(const EventMeaning&) const = default;
};

/// Reads a name as perf and people write it: "cpu-cycles:kpp", "net:netif_rx", "cpu_core/cycles/k". Events of
/// different PMUs are not one.
EventMeaning meaning_of(std::string_view name);

}  // namespace nettoll
