// SPDX-License-Identifier: Apache-2.0
// How often a host may be diagnosed.
#pragma once

#include <algorithm>
#include <chrono>

namespace nettoll {

/// Part of one CPU's time that diagnosis may take.
inline constexpr int kDiagnosisPart = 100;

/// Time between windows where one costs `cpu`: `asked`, or as much longer as keeps the cost to one part in
/// kDiagnosisPart.
inline std::chrono::nanoseconds diagnosis_interval(std::chrono::nanoseconds asked,
                                                   std::chrono::nanoseconds cpu) {
  return std::max(asked, cpu * kDiagnosisPart);
}

}  // namespace nettoll
