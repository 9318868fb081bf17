// SPDX-License-Identifier: Apache-2.0
// Whether a comparison is bad enough to fail a build.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "correlate/diff.h"
#include "model/cost_diff.h"

namespace nettoll {

/// "[EVENT][:PER]+N%": the cost of EVENT (if not given: the headline's) a PER may not grow by more than N
/// percent.
struct FailLimit {
  std::string event;           ///< "" for the first one compared
  std::optional<DiffPer> per;  ///< of totals: packet, second or share
  double growth = 0;           ///< as a part: 0.05 for +5%

  bool operator==(const FailLimit&) const = default;
};

/// Reads a limit as typed; errors are usage errors.
Result<FailLimit> parse_fail_limit(std::string_view text);

/// That the event of a limit, and the functions to be judged with it, are on one side at least: else they are
/// misspelt, and no gate. Errors are usage errors.
Status check_gate(const FailLimit& limit, const std::vector<std::string>& functions, const DiffInput& a,
                  const DiffInput& b);

/// What grew beyond the limit, a sentence each: the total, and the self and inclusive cost of named
/// functions. Only what is significant counts, and a named function that A has no sample of grew beyond any
/// limit. Fails where the event or a named function was not compared, its total could not be tested, the
/// sides do not compare as a whole, or one is damaged: no answer is not a good one.
Result<std::vector<std::string>> regressions(const CostDiff& diff, const FailLimit& limit);

}  // namespace nettoll
