// SPDX-License-Identifier: Apache-2.0
#include "diagnose/ip_drops.h"

namespace nettoll {
namespace {

bool is_unnamed(const Drops& drop) {
  return drop.reason == "NOT_SPECIFIED" || drop.reason == "unclassified";
}

bool is_by_netfilter(const Drops& drop) {
  return drop.reason == "NETFILTER_DROP" || (is_unnamed(drop) && drop.function == "nf_hook_slow");
}

bool is_by_routing(const Drops& drop) {
  if (drop.protocol == "ipv6") return drop.function == "ip6_mc_input";
  // Inlined here or there, by kernel.
  const bool there = drop.function == "ip_rcv_finish_core" || drop.function == "ip_rcv_finish" ||
                     drop.function == "ip_list_rcv_finish";
  // These two have counters: TcpExt.IPReversePathFilter, and Ip.InHdrErrors for options that make no sense.
  return there && drop.reason != "IP_RPFILTER" && drop.reason != "IP_INHDR";
}

}  // namespace

bool is_uncounted_ip_drop(const Drops& drop, std::string_view ethertype) {
  if (drop.protocol != ethertype || drop.device.empty()) return false;
  return may_follow_forwarding(drop) || is_by_routing(drop);
}

bool may_be_reverse_path_filter(const Drops& drop) {
  return drop.protocol == "ipv4" && is_unnamed(drop) && is_by_routing(drop);
}

bool may_follow_forwarding(const Drops& drop) {
  return is_by_netfilter(drop) || (drop.reason == "PKT_TOO_BIG" && drop.function == "ip_forward");
}

}  // namespace nettoll
