// SPDX-License-Identifier: Apache-2.0
#include "model/cost_table.h"

namespace nettoll {

Estimate FunctionCost::self(uint32_t event, std::optional<Path> path) const {
  Estimate sum;
  for (const auto& cell : cells) {
    if (cell.event == event && (!path || cell.path == *path)) sum.add(cell.self);
  }
  return sum;
}

Estimate FunctionCost::inclusive(uint32_t event, std::optional<Path> path) const {
  Estimate sum;
  for (const auto& cell : cells) {
    if (cell.event == event && (!path || cell.path == *path)) sum.add(cell.inclusive);
  }
  return sum;
}

std::optional<double> FunctionCost::per_call(uint32_t event) const {
  if (!denominator || !calls || *calls == 0) return std::nullopt;
  const Estimate all = inclusive(event);
  if (all.samples == 0) return std::nullopt;
  return all.value / static_cast<double>(*calls);
}

std::optional<double> PathCost::per_packet(uint32_t event) const {
  if (!packets || *packets == 0 || event >= events.size() || events[event].samples == 0) return std::nullopt;
  return events[event].value / static_cast<double>(*packets);
}

const PathCost* CostTable::path(Path which) const {
  for (const auto& row : paths) {
    if (row.path == which) return &row;
  }
  return nullptr;
}

}  // namespace nettoll
