// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "diagnose/observe/doubts.h"
#include "diagnose/observe/limits.h"
#include "diagnose/observe/observation.h"

namespace nettoll {

void samples_lost(const Sight& sight, Verdict& verdict) {
  const auto lost = lost_samples(sight);
  if (!lost) return verdict.idle("nothing was sampled");
  double throttled = 0;
  for (const Loss& loss : sight.profile().losses) {
    if (loss.kind == LossKind::throttled) throttled += static_cast<double>(loss.count);
  }
  const bool many = lost->part() >= limit::kLost.from;
  if (!many && throttled == 0) return verdict.fine();
  Finding finding;
  finding.subject = "the profile";
  finding.condition =
      many ? percent_text(lost->part()) + " of the samples were lost" : "sampling was throttled";
  finding.severity = lost->part() >= limit::kLost.much ? Severity::warning : Severity::note;
  if (lost->lost > 0) {
    finding.evidence.push_back({"samples lost", lost->lost, "samples"});
    finding.evidence.push_back({"samples kept", lost->kept, "samples"});
    finding.evidence.push_back({"part that was lost", 100 * lost->part(), "%"});
  }
  if (throttled > 0) finding.evidence.push_back({"stops of an event by the kernel", throttled, "times"});
  finding.explanation =
      "Samples are lost where most of them are taken, so what is busiest looks smaller than it is.";
  finding.remedy = {"record at a lower frequency (-F), or with larger buffers (perf: -m 4096)"};
  if (throttled > 0)
    finding.remedy.push_back("sysctl kernel.perf_event_max_sample_rate kernel.perf_cpu_time_max_percent");
  verdict.found(std::move(finding));
}

}  // namespace nettoll
