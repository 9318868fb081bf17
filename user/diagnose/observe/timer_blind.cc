// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "diagnose/observe/doubts.h"
#include "diagnose/observe/limits.h"
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void timer_blind(const Sight& sight, Verdict& verdict) {
  const uint32_t event = *sight.time();
  const auto share = at_interrupt_enable(sight);
  if (!surely_from(share, limit::kBlind.from)) return verdict.fine();
  const Event& what = sight.profile().session.events[event];
  Finding finding;
  finding.subject = "the profile";
  finding.condition =
      fmt::format("{} of kernel time stands where interrupts are enabled again", percent_text(share->part));
  finding.severity = surely_from(share, limit::kBlind.much) ? Severity::warning : Severity::note;
  finding.evidence.push_back(evidence_of("part of " + whole_name(sight, event, false), *share));
  const Works enables{Work::interrupt_enable};
  for (const auto& one : {largest(sight, event, at_leaf(sight, enables), "at", leaf(sight), false),
                          largest(sight, event, at_leaf(sight, enables), "enabled for",
                                  caller_of(sight, enables, {Work::lock_frame}), false)}) {
    finding.evidence.insert(finding.evidence.end(), one.begin(), one.end());
  }
  finding.explanation =
      what.timer
          ? "The event is a timer, whose interrupt waits while interrupts are off. The time of such "
            "sections is found at the function that enables interrupts: that function is not slow, and "
            "a lock that it gives back need not be contended."
          : "Samples wait while interrupts are off if the counter's interrupt is not an NMI, as in "
            "guests and on arm64 without pseudo-NMIs. These functions are then not slow: what ran "
            "before them with interrupts off is.";
  finding.remedy = {what.timer ? "perf record -e cycles, on a host whose PMU interrupts by NMI"
                               : "arm64: boot with irqchip.gicv3_pseudo_nmi=1",
                    "the callers above: what they do with interrupts off"};
  verdict.found(std::move(finding));
}

}  // namespace nettoll
