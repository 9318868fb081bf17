// SPDX-License-Identifier: Apache-2.0
// What looks at each packet on its way.
#include "diagnose/observe/observation.h"
#include "diagnose/observe/work_share.h"

namespace nettoll {

void packet_taps(const Sight& sight, Verdict& verdict) {
  const Works taps{Work::tap};
  judge(sight, verdict,
        {.of = WorkShare::Of::either,
         .limit = limit::kTap,
         .holds = in_stack(sight, taps),
         .what = "handing packets to packet sockets",
         .explanation =
             "A program listens by AF_PACKET (tcpdump, a DHCP client, an IDS): each packet is cloned, and "
             "copied where the socket's filter accepts it.",
         .remedy = {"ss -0 -a -p    # who listens", "cat /proc/net/packet",
                    "a filter in the kernel (tcpdump EXPRESSION), and a snapshot length (tcpdump -s 96)"},
         .list = "in",
         .listed_under = leaf(sight)});
}

void conntrack_cost(const Sight& sight, Verdict& verdict) {
  const Works tracks{Work::conntrack};
  judge(sight, verdict,
        {.of = WorkShare::Of::either,
         .limit = limit::kConntrack,
         .holds = in_stack(sight, tracks),
         .what = "connection tracking",
         .explanation =
             "A rule that asks for a packet's state, NAT, or a module that registers conntrack makes the "
             "kernel look up a connection for each packet, also where no rule needs it.",
         .remedy =
             {"conntrack -S; sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max",
              "nft: 'notrack' in a chain of priority raw for traffic that needs no state; a flowtable for "
              "what is forwarded",
              "sysctl net.netfilter.nf_conntrack_buckets    # long chains: cache misses in "
              "__nf_conntrack_find_get"},
         .list = "in",
         .listed_under = leaf(sight)});
}

void filter_cost(const Sight& sight, Verdict& verdict) {
  const Works rules{Work::filter};
  judge(
      sight, verdict,
      {.of = WorkShare::Of::either,
       .limit = limit::kFilter,
       .holds = in_stack(sight, rules),
       .what = "walking rules of iptables or nftables",
       .explanation = "Rules are tried one after another for each packet until one decides. What rules call "
                      "(sets, conntrack, log, reject) is in it.",
       .remedy =
           {"nft list ruleset | wc -l; iptables-save -c",
            "sets and verdict maps in place of many rules; the rule that most packets meet first; 'ct state "
            "established accept' at the top"},
       .list = "in",
       .listed_under = leaf(sight)});
}

}  // namespace nettoll
