// SPDX-License-Identifier: Apache-2.0
// The functions of a set and how their calls are counted.
#pragma once

#include <string>
#include <vector>

#include "model/function.h"

namespace nettoll {

/// A row for each function, the notes that they share below, and how many are in which state.
std::string counted_functions_view(const std::vector<CountedFunction>& functions, const std::string& set,
                                   double hooks_per_packet);

}  // namespace nettoll
