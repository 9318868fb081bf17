// SPDX-License-Identifier: Apache-2.0
// Which samples of a capture are wanted. What is filtered while reading costs no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nettoll {

/// All that is set must match; a sample that does not say what a filter asks for does not match.
struct IngestOptions {
  std::optional<std::string> comm = {};  ///< exact name of the thread
  std::vector<uint32_t> cpus = {};       ///< empty is all
  /// First and last, nanoseconds of the capture's clock.
  std::optional<std::pair<uint64_t, uint64_t>> times = {};

  bool sum_comms = false;  ///< fill in Foreign::comms; filters nothing

  bool any() const { return comm || !cpus.empty() || times; }
};

}  // namespace nettoll
