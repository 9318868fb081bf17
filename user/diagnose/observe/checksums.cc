// SPDX-License-Identifier: Apache-2.0
// Sums that a device could do.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {
namespace {

/// Which way most of the packets went whose data was summed; "" where that is not known of most.
std::string direction(const Sight& sight) {
  const auto sums = [&](Work work) {
    const auto holds = [&](uint32_t stack) {
      return sight.stack_works(stack).has(Work::checksum) && sight.stack_works(stack).has(work);
    };
    return sight.sum(*sight.time(), holds).network.value;
  };
  const double half = sums(Work::checksum) / 2;
  if (sums(Work::checksum_send) > half) return "Most of it is for packets that go out. ";
  if (sums(Work::checksum_check) > half) return "Most of it checks packets that came in. ";
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
