// SPDX-License-Identifier: Apache-2.0
// Keeps serve within --max-overhead: measures, has decided, does, tells.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/live_session.h"
#include "collect/shed_plan.h"
#include "model/overhead.h"

namespace nettoll {

class ServeBudget {
 public:
  /// Another budget, as a part of all CPU time; none: full detail, whatever it takes. At the first one it is
  /// measured what our code takes here, which takes some tens of milliseconds. Where that fails there is no
  /// budget.
  Status use(std::optional<double> budget, LiveSession& session);

  /// After an interval was read: sheds, or has back, what that calls for. Empty where there is no budget.
  std::optional<Overhead> judge(LiveSession& session);

 private:
  void change(const Shedding& wanted, LiveSession& session);

  std::optional<double> budget_;
  bool measured_ = false;
  Shedding shedding_;
  uint64_t sheds_ = 0;
  uint64_t restores_ = 0;
};

}  // namespace nettoll
