// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <string>

#include "diagnose/observe/doubts.h"
#include "diagnose/observe/limits.h"
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {
namespace {

const char* words_of(Garble garble) {
  switch (garble) {
    case Garble::under_itself:
      return "the innermost function is its own caller";
    case Garble::calls_nothing:
      return "a caller is code that calls nothing";
    case Garble::above_user:
      return "kernel code is called by a program's code";
    case Garble::unnamed:
      return "most of the kernel's frames have no name";
    case Garble::none:
      break;
  }
  return "";
}

}  // namespace

void chains_garbled(const Sight& sight, Verdict& verdict) {
  const uint32_t event = *sight.time();
  std::map<Garble, SampleSum> sums;
  SampleSum all;
  for (const StackCost& row : sight.rows()) {
    if (row.event != event) continue;
    const Garble garble = garble_of(sight, row.stack);
    if (garble == Garble::none) continue;
    sums[garble].add(row);
    all.add(row);
  }
  const SampleSum& whole = sight.whole(event).kernel;
  const auto share = share_of(all, whole);
  if (!surely_from(share, limit::kGarbled.from)) return verdict.fine();
  Finding finding;
  finding.subject = "the profile";
  finding.condition =
      fmt::format("{} of the kernel samples have call chains that cannot be", percent_text(share->part));
  finding.severity = surely_from(share, limit::kGarbled.much) ? Severity::warning : Severity::note;
  for (const auto& [garble, sum] : sums)
    finding.evidence.push_back(evidence_of(words_of(garble), *share_of(sum, whole)));
  finding.explanation =
      "Unwinding guessed a return address, as it does after inlining, in assembly and in code without unwind "
      "data, or the names belong to another kernel. The innermost functions are right unless names are "
      "wrong; "
      "callers and inclusive shares are in doubt.";
  finding.remedy = {"give the symbols of the kernel that was recorded (--kallsyms)",
                    "perf record --call-graph lbr, where the CPU has it"};
  verdict.found(std::move(finding));
}

}  // namespace nettoll
