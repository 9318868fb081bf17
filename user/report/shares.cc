// SPDX-License-Identifier: Apache-2.0
#include "report/shares.h"

#include <fmt/format.h>

#include "report/format.h"

namespace nettoll {

double percent_of(double part, double total) {
  return total > 0 ? 100.0 * part / total : 0;
}

std::string format_part(const Estimate& part, double total) {
  if (part.samples == 0 || !(total > 0)) return kMissing;
  return fmt::format("{}{:.2f}%", part.too_few() ? "~" : "", percent_of(part.value, total));
}

std::vector<uint32_t> sampled_events(const CostTable& cost) {
  std::vector<uint32_t> events;
  for (const auto& total : cost.events) {
    if (total.samples > 0) events.push_back(total.event);
  }
  return events;
}

}  // namespace nettoll
