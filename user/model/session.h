// SPDX-License-Identifier: Apache-2.0
// What stays the same while nettoll runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/function.h"

namespace nettoll {

/// The host, the events and the counted functions of one run.
struct Session {
  std::string host;
  std::string kernel;   ///< uname -r
  std::string arch;     ///< uname -m
  std::string version;  ///< nettoll's own
  std::string set;      ///< "core" or "wide"
  std::vector<Event> events;
  std::vector<MissingEvent> missing_events;
  std::vector<CountedFunction> functions;
  /// 1 + the largest possible CPU id: the size of arrays indexed by CPU.
  uint32_t cpu_limit = 0;
  uint32_t cpus_online = 0;
  /// Hook firings for each packet received, sent and dropped, by the set in use.
  double hooks_per_packet = 0;
  /// False on kernels whose skb:kfree_skb gives no reason (before 5.17).
  bool drop_reasons = true;
  /// What else this host could not provide, a sentence each; shown in every header.
  std::vector<std::string> notes;

  bool operator==(const Session&) const = default;
};

}  // namespace nettoll
