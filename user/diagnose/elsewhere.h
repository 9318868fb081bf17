// SPDX-License-Identifier: Apache-2.0
// Drops in network namespaces whose counters and settings are not at hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "diagnose/facts.h"
#include "model/finding.h"
#include "model/net.h"

namespace nettoll {

/// Subject of findings about them.
inline constexpr const char* kElsewhere = "other namespaces";

/// Whether a drop was in another namespace than the one that was watched: what is to be done is to be done
/// there.
bool is_elsewhere(const Drops& drop, const Facts& facts);

/// Where such drops were.
class Elsewhere {
 public:
  void add(const Drops& drop);
  /// Adds the places with most of them, and how to look there.
  void tell(Finding& finding, const Facts& facts) const;

 private:
  std::map<std::pair<uint32_t, std::string>, double> places_;  ///< packets by namespace and device
};

}  // namespace nettoll
