// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "diagnose/observe/doubts.h"
#include "diagnose/observe/limits.h"
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void chains_missing(const Sight& sight, Verdict& verdict) {
  const auto share = chainless(sight);
  if (!surely_from(share, limit::kNoChain.from)) return verdict.fine();
  Finding finding;
  finding.subject = "the profile";
  finding.condition = without_chains(sight) ? "it has no call chains"
                                            : fmt::format("{} of the kernel samples have no call chain",
                                                          percent_text(share->part));
  finding.severity = surely_from(share, limit::kNoChain.much) ? Severity::warning : Severity::note;
  finding.evidence.push_back(evidence_of("kernel samples of one frame alone", *share));
  finding.explanation =
      "Without callers only the innermost function is known: shared code such as copies and locks cannot be "
      "given to a path, so network work looks smaller than it is.";
  finding.remedy = {"perf record -g (or --call-graph fp: kernel chains need no frame pointers on x86)"};
  verdict.found(std::move(finding));
}

}  // namespace nettoll
