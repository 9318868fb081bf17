// SPDX-License-Identifier: Apache-2.0
// Packet data that is copied.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void copy_cost(const Sight& sight, Verdict& verdict) {
  const Works copies{Work::user_copy};
  judge(
      sight, verdict,
      {.of = WorkShare::Of::network,
       .limit = limit::kUserCopy,
       .holds = in_stack(sight, copies),
       .what = "copying data to and from programs",
       .explanation =
           "It grows with bytes, not packets, and is mostly waiting for memory: on another CPU or NUMA "
           "node than the packet's data it takes longer.",
       .remedy =
           {"in the program: MSG_ZEROCOPY, sendfile or io_uring for large sends; fewer, larger reads do not "
            "copy less",
            "receive on the CPU where the program runs (RFS)"},
       .list = "called by",
       .listed_under = caller_of(sight, copies, {Work::usercopy_check})});
}

void packet_copies(const Sight& sight, Verdict& verdict) {
  const Works copies{Work::packet_copy};
  judge(sight, verdict,
        {.of = WorkShare::Of::network,
         .limit = limit::kPacketCopy,
         .holds = in_stack(sight, copies),
         .what = "copying packets inside the kernel",
         .explanation =
             "Packets are passed on by reference; they are copied where somebody needs data of their own: "
             "a header without room in front, data in fragments that must be in one piece, a clone that "
             "is changed, generic XDP.",
         .remedy = {"the callers say who; ip -d link    # tunnels, needed headroom, xdpgeneric",
                    "ethtool -k DEV | grep scatter-gather"},
         .list = "called by",
         .listed_under = caller_of(sight, copies)});
}

}  // namespace nettoll
