// SPDX-License-Identifier: Apache-2.0
#include "report/own_cost_note.h"

#include <fmt/format.h>

#include "model/ratios.h"
#include "report/format.h"

namespace nettoll {
namespace {

constexpr double kMuchOfNetwork = 0.1;
constexpr double kMuchOfAll = 0.02;

}  // namespace

std::string own_cost_note(const Profile& profile, const CostTable& cost) {
  const PathCost* own = cost.path(Path::own);
  if (!own || own->events.empty() || profile.session.set != "wide") return {};
  const auto clock = roles_of(profile.session.events).cpu_clock;
  const uint32_t event = clock.value_or(0);
  if (event >= own->events.size()) return {};
  const Estimate& spent = own->events[event];
  const auto part = share_of_all(cost, event, spent);
  if (!part || spent.too_few()) return {};
  const Estimate network = network_total(cost, event);
  const bool much =
      part->value > kMuchOfAll || (!network.too_few() && spent.value > kMuchOfNetwork * network.value);
  if (!much) return {};
  const auto beside = share_of_all(cost, event, network);
  return fmt::format("tracing itself took {} of {}{}: --set core has fewer hooks", format_share(part),
                     clock ? "CPU time" : profile.session.events[event].name,
                     beside ? fmt::format(", the network {}", format_share(beside)) : "");
}

}  // namespace nettoll
