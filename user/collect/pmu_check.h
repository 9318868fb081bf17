// SPDX-License-Identifier: Apache-2.0
// Whether a CPU's PMU tells the truth. In some guests it counts nothing, or hundreds for billions; numbers
// from such a PMU must not be shown. A loop of known length is run and counted on the calling thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collect/perf_event_spec.h"

namespace nettoll {

/// What the loop counted, in user mode; empty where the event could not be opened or had no counter.
struct LoopCounts {
  uint64_t iterations = 0;
  std::optional<uint64_t> cycles;
  std::optional<uint64_t> instructions;
};

/// `lies` has the reason, with the numbers; `unknown` means that there was nothing to judge by. Emulators may
/// derive instructions from the time and count all else right: then only that event lies, for the reason in
/// `instructions`.
struct PmuVerdict {
  enum class State { trusted, unknown, lies };
  State state = State::unknown;
  std::string reason;
  std::string instructions;
};

/// Judges a loop of at least two instructions a turn. The bounds are wide: they let pass every machine and
/// emulator that counts, and only nonsense fails.
PmuVerdict judge_pmu(const LoopCounts& counts);

/// A count scaled to the whole time; empty if the event had a counter for less than a quarter of it, too
/// little to judge by.
std::optional<uint64_t> scaled_count(uint64_t value, uint64_t enabled_ns, uint64_t running_ns);

/// Runs the loop, for a few milliseconds, on the PMU that `target` names (the calling thread is moved to one
/// of its CPUs and back where it is not on all of them).
LoopCounts count_loop(const EventTarget& target);

}  // namespace nettoll
