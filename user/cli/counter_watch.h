// SPDX-License-Identifier: Apache-2.0
// Which events stand without a hardware counter. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/cpu_set.h"
#include "model/profile.h"

namespace nettoll {

/// Compares each stretch of windows with the one before: others may hold all counters for long (Counterless).
/// Windows may be shorter than events that share counters take for one turn each, so one alone tells nothing.
class CounterWatch {
 public:
  struct Notice {
    bool lost = false;  ///< on more or other CPUs than before; else it is back on some or all
    std::string text;
  };

  /// What changed, an event each; nothing until the windows make a stretch.
  std::vector<Notice> judge(const Profile& window);

 private:
  uint64_t stretch_ns_ = 0;
  std::vector<EventCount> counts_;         ///< of the stretch
  std::map<std::string, CpuSet> without_;  ///< where events lacked counters in the last stretch
};

}  // namespace nettoll
