// SPDX-License-Identifier: Apache-2.0
// Where the code is that took the events: kernel, modules, programs and libraries.
#pragma once

#include <string>
#include <vector>

#include "model/cost_table.h"

namespace nettoll {

/// One file of code, or what stands for one.
struct Place {
  SymbolKind kind = SymbolKind::unknown;
  /// A module, or the path of a program or library; "" where the kind says it all or more is not known.
  std::string module;
  std::vector<Estimate> events;  ///< own cost of its code, by event index
};

/// All places that were sampled, by cost of the first event that has any.
std::vector<Place> places_of(const CostTable& cost);

/// As a person names it: "kernel", "module veth", "/usr/bin/python3.11", "user mode", "[unknown]".
std::string name_of(const Place& place);

}  // namespace nettoll
