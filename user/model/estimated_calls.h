// SPDX-License-Identifier: Apache-2.0
// Calls that were counted for a part of the time and estimated for the rest.
#pragma once

#include <cstdint>
#include <string>

#include "model/function.h"

namespace nettoll {

/// Calls of a function in a time of which slices were counted.
struct EstimatedCalls {
  std::string function;
  std::string module;
  Method method = Method::samples;  ///< in the slices
  double calls = 0;
  uint64_t seen = 0;  ///< calls in the slices, which the estimate is made from

  bool operator==(const EstimatedCalls&) const = default;
};

}  // namespace nettoll
