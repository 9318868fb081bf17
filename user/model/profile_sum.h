// SPDX-License-Identifier: Apache-2.0
// Windows that follow one another, as one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/profile.h"

namespace nettoll {

/// Adds up profiles of one run. Pure state: no clock, no I/O.
///
/// The sum reads as one reading of the whole time would: rows of a kind are added up, and stacks and symbols
/// that several windows have are there once. The time of day at its start is that at the end of the last
/// window, less the duration: a clock that was set in between does not move the end. Three things differ:
/// - An event's count is that of each window scaled by its own enabled/running, so that a window in which the
///   counter was shared more weighs right; where the event had no counter at all in one of them, the sum
///   lacks what it would have been and its error is not known.
/// - Stacks past the limit are lost, as LossKind::stack_table, so that a long time does not grow memory
///   without bound.
/// - Measures call by call (Profile::exact) are left out: quantiles do not add up.
class ProfileSum {
 public:
  static constexpr size_t kMaxStacks = 65'536;

  explicit ProfileSum(size_t max_stacks = kMaxStacks) : max_stacks_(max_stacks) {}

  /// `window` begins where the last one ended. Indexes in it must be in range.
  void add(const Profile& window);

  bool empty() const { return windows_ == 0; }

  /// The sum; the next window begins a new one.
  Profile take();

 private:
  /// An event's count on a CPU, its windows scaled.
  struct Count {
    double scaled = 0;
    uint64_t value = 0;  ///< as read, exact while nothing had to be scaled
    uint64_t enabled_ns = 0;
    uint64_t running_ns = 0;
    bool shared = false;  ///< it had no counter for some of the time
    std::optional<double> variance = 0;
  };
  using Numbers = std::vector<uint32_t>;  ///< of a window's rows in the sum

  Numbers add_events(const Session& session);
  Numbers add_functions(const Session& session);
  Numbers add_symbols(const std::vector<Symbol>& symbols);
  std::optional<uint32_t> add_stack(std::span<const uint32_t> stack);
  void add_samples(const Profile& window, const Numbers& events, const Numbers& symbols);
  void add_counts(const Profile& window, const Numbers& events);
  void add_calls(const Profile& window, const Numbers& functions);
  void add_rows(const Profile& window);
  void add_losses(const std::vector<Loss>& losses);

  size_t max_stacks_;
  size_t windows_ = 0;
  Profile sum_;
  std::map<Symbol, uint32_t> symbol_numbers_;
  std::unordered_multimap<size_t, uint32_t> stack_numbers_;  ///< by hash of the frames
  std::map<std::pair<uint32_t, uint32_t>, Count> counts_;    ///< event, CPU
};

}  // namespace nettoll
