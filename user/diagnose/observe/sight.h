// SPDX-License-Identifier: Apache-2.0
// What observations judge by: a profile's stacks, their cost, and what was derived from both once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "diagnose/observe/share.h"
#include "diagnose/observe/work.h"
#include "model/profile.h"
#include "model/ratios.h"
#include "model/stack_cost.h"

namespace nettoll {

/// A whole that shares are of, or the part of some work in it. `kernel` is busy kernel time (or another
/// event's amount): neither idle nor nettoll's own nor of programs; `network` is the part of it in network
/// paths.
struct Amount {
  SampleSum kernel, network;
  void add(const StackCost& row);
};

class Sight {
 public:
  /// Both must outlive it. `costs` is of `profile`, sorted by stack (see StackCost).
  Sight(const Profile& profile, std::span<const StackCost> costs);

  const Profile& profile() const { return profile_; }
  /// The event that stands for time: cycles, else a clock; the first one that has kernel samples.
  std::optional<uint32_t> time() const { return time_; }
  /// Other events of the hardware with kernel samples, whose shares are shown beside.
  const std::vector<uint32_t>& others() const { return others_; }
  /// Events that count misses of a cache for data, with kernel samples.
  const std::vector<uint32_t>& cache_misses() const { return cache_misses_; }
  const std::string& event_name(uint32_t event) const { return profile_.session.events[event].name; }

  /// Busy kernel work of an event.
  const Amount& whole(uint32_t event) const { return wholes_[event]; }
  /// Busy kernel rows: what shares are counted over.
  const std::vector<StackCost>& rows() const { return rows_; }

  /// The frames of a stack, innermost first, that an interrupt or a program's code has not broken off: work
  /// that an interrupt came upon did not ask for what the interrupt does.
  std::span<const uint32_t> frames(uint32_t stack) const;
  const Works& works(uint32_t symbol) const { return works_[symbol]; }
  const Works& leaf_works(uint32_t stack) const { return works_[profile_.stacks[stack].front()]; }
  /// All works of frames().
  const Works& stack_works(uint32_t stack) const { return in_stack_[stack]; }
  const Symbol& symbol(uint32_t number) const { return profile_.symbols[number]; }

  /// What stacks of an event that `holds` is true for cost.
  template <typename Holds>
  Amount sum(uint32_t event, const Holds& holds) const {
    Amount amount;
    for (const StackCost& row : rows_) {
      if (row.event == event && holds(row.stack)) amount.add(row);
    }
    return amount;
  }

 private:
  void choose_events();

  const Profile& profile_;
  std::vector<Works> works_;        ///< by symbol
  std::vector<Works> in_stack_;     ///< by stack
  std::vector<uint32_t> unbroken_;  ///< by stack: how many frames frames() has
  std::vector<StackCost> rows_;
  std::vector<Amount> wholes_;  ///< by event
  std::optional<uint32_t> time_;
  std::vector<uint32_t> others_, cache_misses_;
};

}  // namespace nettoll
