// SPDX-License-Identifier: Apache-2.0
// What nettoll takes of the host that it watches, and what it does without to keep within a budget.
#pragma once

#include <cstdint>

namespace nettoll {

/// How much is shed; each level holds those before it.
enum class ShedLevel : uint8_t {
  none,       ///< full detail
  sampling,   ///< samples are taken less often
  functions,  ///< some functions are not counted
  exhausted,  ///< nothing is left to shed, and the budget is exceeded all the same
};

/// The last interval, and what was decided after it. Loads are parts of the time of all online CPUs.
struct Overhead {
  double budget = 0;
  double user = 0;      ///< the process
  double programs = 0;  ///< BPF programs: runs times what a run takes
  double sampling = 0;  ///< samples times what one takes
  ShedLevel level = ShedLevel::none;
  double sampling_rate = 1;  ///< part of the rate that was asked for
  uint64_t sheds = 0;        ///< changes to less detail since the start
  uint64_t restores = 0;     ///< and to more

  bool operator==(const Overhead&) const = default;
};

}  // namespace nettoll
