// SPDX-License-Identifier: Apache-2.0
// For who wants samples one by one, beside the sums.
#pragma once

#include <cstdint>
#include <span>

namespace nettoll {

/// Sees the records of all rings as the kernel wrote them, while they are read. Costs the sampler nothing
/// where there is none.
class RecordTap {
 public:
  virtual ~RecordTap() = default;
  /// A whole record that made sense: a sample, what was lost or throttled, or the new name of a
  /// thread. `event` is a place in Sampler::events(). The record lives as long as the call.
  virtual void on_record(uint32_t event, uint32_t cpu, std::span<const uint64_t> record) = 0;
  /// Every ring was read once since the last call.
  virtual void on_round() = 0;
};

}  // namespace nettoll
