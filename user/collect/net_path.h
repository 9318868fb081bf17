// SPDX-License-Identifier: Apache-2.0
// Packets, NAPI polls, softirq time and drops from the net path programs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "base/result.h"
#include "collect/attach_plan.h"
#include "model/drop_attribution.h"
#include "model/drop_sample.h"
#include "model/raw_batch.h"

namespace nettoll {

struct NetPathConfig {
  CpuSet possible;
  CpuSet online;                      ///< have rows of packets from the start, also while they are 0
  uint32_t drop_reason_argument = 0;  ///< see BtfFacts
  uint32_t drop_socket_argument = 0;
  bool count_queues = false;
  /// Kinds of drops (reason, place, protocol, device) told apart; further ones are counted as
  /// LossKind::drop_table.
  uint32_t max_drop_kinds = 4096;
  /// What drops are looked through.
  DropCode drop_code = {};
  /// Count drops and nothing else.
  bool drops_only = false;
  /// Drops of other protocols are not counted.
  ProtocolFilter drop_protocol = {};
};

/// Owns the net path programs, their links and maps.
class NetPath {
 public:
  static Result<NetPath> attach(const NetPathConfig& config);

  NetPath(NetPath&&) noexcept;
  NetPath& operator=(NetPath&&) noexcept;
  ~NetPath();

  /// Appends what happened since the last read: packets, NAPI polls, softirqs, drops, queues and losses, and
  /// the calls of those `rows` whose count is a free counter. Also gives kinds of drops seen for the first
  /// time a place in the mapped table, so that the next ones cost no hash lookup.
  Status read(RawBatch& batch, const std::vector<PlanRow>& rows);
  /// Packets received and sent since the start, on all CPUs; changes nothing of what read() gives.
  uint64_t packets() const;
  const std::vector<std::string>& program_symbols() const;
  /// Tracepoints that are hooked.
  static std::vector<std::string> tracepoints();

 private:
  struct State;
  explicit NetPath(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nettoll
