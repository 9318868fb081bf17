// SPDX-License-Identifier: Apache-2.0
// Examples of dropped packets, through a BPF ring buffer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "base/result.h"
#include "model/drop_sample.h"

namespace nettoll {

struct DropSamplerConfig {
  CpuSet possible;
  uint32_t drop_reason_argument = 0;  ///< see BtfFacts
  uint32_t drop_socket_argument = 0;
  DropFilter filter;
  uint32_t per_second = 10;  ///< samples, of all CPUs together
};

/// Owns the sampling program, its link, ring and counters.
class DropSampler {
 public:
  static Result<DropSampler> attach(const DropSamplerConfig& config);

  DropSampler(DropSampler&&) noexcept;
  DropSampler& operator=(DropSampler&&) noexcept;
  ~DropSampler();

  /// A descriptor that is readable while the ring holds samples, for poll(2).
  int fd() const;
  /// Appends all samples that are in the ring.
  Status read(std::vector<RawDropSample>& samples);
  /// Since the start. Numbers of a drop that happens meanwhile may be in one and not yet in another.
  SampleAccount account() const;
  /// kallsyms names of the program.
  const std::vector<std::string>& program_symbols() const;

 private:
  struct State;
  explicit DropSampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Bytes of a ring for so many samples a second: some seconds' worth, a power of two.
uint32_t drop_ring_bytes(uint32_t per_second);

}  // namespace nettoll
