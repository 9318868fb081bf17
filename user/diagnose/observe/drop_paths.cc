// SPDX-License-Identifier: Apache-2.0
// Packets that are dropped after they cost something.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {
namespace {

/// The function that dropped a packet: the first above the free functions and their helpers. None where what
/// is freed was consumed or sent, or is no packet of a network.
std::optional<uint32_t> dropping(const Sight& sight, uint32_t stack) {
  bool dropped = false;
  for (const uint32_t frame : sight.frames(stack)) {
    const Works& works = sight.works(frame);
    if (!dropped) {
      dropped = works.has(Work::free_dropped);
      continue;
    }
    if (works.has(Work::free_no_loss)) return std::nullopt;
    if (!works.any_of({Work::free_dropped, Work::free_helper})) return frame;
  }
  return std::nullopt;
}

}  // namespace

void drop_path_cost(const Sight& sight, Verdict& verdict) {
  const ListedUnder by = [&sight](uint32_t stack) { return dropping(sight, stack); };
  judge(
      sight, verdict,
      {.of = WorkShare::Of::network,
       .limit = limit::kDrops,
       .holds = [by](uint32_t stack) { return by(stack).has_value(); },
       .what = "freeing dropped packets",
       .explanation =
           "Freeing is the end of what a dropped packet cost: all work before it on its way was for nothing. "
           "Kernels before 5.17 also end packets without a loss by kfree_skb, such as bare acknowledgements.",
       .remedy = {"nettoll drops -d 10    # by reason, function and device", "nettoll diagnose -d 10"},
       .list = "dropped by",
       .listed_under = by});
}

}  // namespace nettoll
