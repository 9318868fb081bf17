// SPDX-License-Identifier: Apache-2.0
// Sums that a device could do.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {
namespace {

/// Which way the packets went whose data was summed.
std::string direction(const Sight& sight) {
  const auto of = [&](Work work) {
    return sight
        .sum(*sight.time(),
             [&](uint32_t stack) {
               const Works& works = sight.stack_works(stack);
               return works.has(Work::checksum) && works.has(work);
             })
        .network.value;
  };
  const double sent = of(Work::checksum_send), checked = of(Work::checksum_check);
  if (sent > 2 * checked) return "Most of it is for packets that go out. ";
  if (checked > 2 * sent) return "Most of it checks packets that came in. ";
  return "";
}

}  // namespace

void checksum_cost(const Sight& sight, Verdict& verdict) {
  const Works sums{Work::checksum};
  judge(
      sight, verdict,
      {.of = WorkShare::Of::network,
       .limit = limit::kChecksum,
       .holds = in_stack(sight, sums),
       .what = "summing packet data",
       .explanation =
           direction(sight) +
           "The kernel sums what the device does not: checksum offload is off or missing, or something undid "
           "what the device did (tunnels, NAT of odd packets, taps). Functions that sum while they copy are "
           "counted whole, and would still copy.",
       .remedy = {"ethtool -k DEV | grep -i checksum", "ethtool -K DEV rx on tx on    # where it is off"},
       .list = "called by",
       .listed_under = caller_of(sight, sums)});
}

}  // namespace nettoll
