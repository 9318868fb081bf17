// SPDX-License-Identifier: Apache-2.0
// Which events stand without a hardware counter. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "model/profile.h"

namespace nettoll {

/// Compares each window with the one before: others may hold all counters for long (Counterless).
class CounterWatch {
 public:
  struct Notice {
    bool lost = false;  ///< on more or other CPUs than before; else it is back on some or all
    std::string text;
  };

  /// What changed, an event each.
  std::vector<Notice> judge(const Profile& window);

 private:
  std::map<std::string, CpuSet> without_;  ///< of events that lacked counters in the last window
};

}  // namespace nettoll
