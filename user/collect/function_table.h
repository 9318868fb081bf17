// SPDX-License-Identifier: Apache-2.0
// The curated table: functions of the network paths worth counting, and the tracepoints that stand for them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace nettoll {

/// A counter that the net path programs keep anyway and that equals a function's calls: it costs no hook.
enum class FreeCounter { none, rx_packets, tx_packets, net_rx_runs, net_tx_runs, napi_polls, drops };

/// A tracepoint that fires for calls of a function. `condition` is empty where it fires once for each call
/// and at no other time; else it says when it does not, and the count divides no cost unless `denominator`,
/// which is for conditions that only an unusual host meets.
struct Proxy {
  std::string_view tracepoint;
  FreeCounter free = FreeCounter::none;
  std::string_view condition;
  bool denominator = true;
};

enum class Area { receive, transmit, socket, drop, memory, timer };

/// How often a function runs, for the figure of hooks per packet.
enum class Rate { packet, batch, rare };

/// One function of the table. Kernels rename: the first of `names` that a kernel has is the one that is
/// counted, and every later one is an alternative.
struct TableEntry {
  std::vector<std::string_view> names;
  Area area;
  Rate rate;
  Proxy proxy = {};
  /// For a function that compilers inline: its usual caller, where its samples are then found.
  std::string_view inlined_into = {};
};

/// All of it, in the order of the path.
std::span<const TableEntry> function_table();

}  // namespace nettoll
