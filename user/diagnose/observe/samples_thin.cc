// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "diagnose/observe/doubts.h"
#include "diagnose/observe/limits.h"
#include "diagnose/observe/observation.h"

namespace nettoll {

void samples_thin(const Sight& sight, Verdict& verdict) {
  const Amount& whole = sight.whole(*sight.time());
  const bool network =
      whole.network.samples > 0 && whole.kernel.samples >= limit::kThin && !without_chains(sight);
  const uint64_t samples = network ? whole.network.samples : whole.kernel.samples;
  if (samples >= limit::kThin) return verdict.fine();
  Finding finding;
  finding.subject = "the profile";
  finding.condition = fmt::format("{} samples of {} work are few", samples, network ? "network" : "kernel");
  finding.evidence.push_back({fmt::format("samples of {} work", network ? "network" : "kernel"),
                              static_cast<double>(samples), "samples"});
  if (samples >= Estimate::kEnough) {
    finding.evidence.push_back({"the smallest share of them that can be told",
                                100.0 * Estimate::kEnough / static_cast<double>(samples), "%"});
  }
  finding.explanation =
      "A share is known to a quarter of itself from 16 samples on. Where the whole has few, small shares are "
      "chance, and what is not seen may be there all the same.";
  finding.remedy = {"record for longer, at a higher frequency (-F), or while there is traffic"};
  verdict.found(std::move(finding));
}

}  // namespace nettoll
