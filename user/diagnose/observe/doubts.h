// SPDX-License-Identifier: Apache-2.0
// What makes a profile doubtful: measured here once, told by observations of its own, and taken off the
// confidence of the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/observe/sight.h"
#include "model/finding.h"

namespace nettoll {

/// One reason to trust shares less.
struct Doubt {
  Confidence at_most = Confidence::medium;
  bool chains = false;  ///< touches only what call chains tell
  std::string why;
};

/// Samples that were lost, of all that should be there. Empty where no sample is known of.
struct LostPart {
  double lost = 0, kept = 0;
  double part() const { return lost / (lost + kept); }
};
std::optional<LostPart> lost_samples(const Sight& sight);

/// Kernel samples of the time event that have one frame alone.
std::optional<Share> chainless(const Sight& sight);
/// True where nearly all are so: nobody recorded chains.
bool without_chains(const Sight& sight);

/// Why a chain of calls cannot be; the first that holds.
enum class Garble : uint8_t {
  none,
  under_itself,   ///< the innermost function calls itself
  calls_nothing,  ///< a caller that has no calls
  above_user,     ///< kernel code called by a program's code that the kernel called
  unnamed,        ///< mostly places of the kernel without a name
};
Garble garble_of(const Sight& sight, uint32_t stack);

/// Kernel samples of the time event whose innermost place enables interrupts.
std::optional<Share> at_interrupt_enable(const Sight& sight);

std::vector<Doubt> doubts_about(const Sight& sight);

/// Of findings that have one: sets it to the lowest that a doubt leaves, and adds the reasons.
void lower_confidence(Finding& finding, const std::vector<Doubt>& doubts, bool rests_on_chains);

}  // namespace nettoll
