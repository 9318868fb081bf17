// SPDX-License-Identifier: Apache-2.0
// What one refresh of the live screen shows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cost_table.h"
#include "model/finding.h"
#include "model/host_state.h"
#include "model/ledger.h"
#include "model/profile.h"

namespace nettoll::tui {

/// What diagnosis said of the last window that was long enough to judge.
struct Judgement {
  Diagnosis diagnosis;
  Ledger ledger;
  double seconds = 0;  ///< length of that window
  std::vector<std::string> notes;
};

/// CPU time of nettoll itself since the refresh before: reading, joining, judging, drawing, answering keys.
struct RefreshCost {
  uint64_t cpu_ns = 0;
  uint64_t window_ns = 0;
};

struct TopData {
  Profile profile;
  CostTable cost;
  std::optional<Judgement> judgement;  ///< empty until the first window was judged
  std::optional<RefreshCost> own;      ///< empty in the first refresh
  std::vector<std::string> notes;      ///< what went wrong and did not end the run, a sentence each
};

}  // namespace nettoll::tui
