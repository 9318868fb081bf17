// SPDX-License-Identifier: Apache-2.0
// One window with names: what a recording holds, and what every later stage reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/build_id.h"
#include "model/event.h"
#include "model/exact.h"
#include "model/foreign.h"
#include "model/function.h"
#include "model/net.h"
#include "model/netns_name.h"
#include "model/session.h"
#include "model/stack_table.h"

namespace nettoll {

/// A live tick and a recorded file are both this. Symbols are numbered by their place in `symbols`.
struct Profile {
  Session session;
  uint64_t wall_start_ns = 0;  ///< CLOCK_REALTIME at the start, for people
  uint64_t duration_ns = 0;
  std::vector<Symbol> symbols;
  StackTable<uint32_t> stacks;  ///< symbol numbers, innermost first
  std::vector<StackSamples> samples;
  std::vector<EventCount> counts;
  std::vector<FunctionCalls> calls;
  std::vector<PathPackets> packets;
  std::vector<NapiPolls> napi;
  std::vector<QueuePackets> queues;
  std::vector<SoftirqTime> softirqs;
  std::vector<Drops> drops;
  std::vector<ExactCost> exact;  ///< rows of a function stand together, the time first
  std::vector<Loss> losses;
  uint64_t left_out = 0;  ///< samples that filters left out: `losses` are of these too. Not recorded
  std::vector<NetnsName> netns_names;    ///< of namespaces in `napi`, `queues` and `drops`
  std::vector<ModuleBuildId> build_ids;  ///< of modules that `symbols` name, where known; by name
  std::optional<Foreign> foreign;        ///< set for captures of other tools; recordings do not hold it

  bool operator==(const Profile&) const = default;
};

}  // namespace nettoll
