// SPDX-License-Identifier: Apache-2.0
#include "diagnose/drop_class.h"

#include <algorithm>
#include <iterator>

namespace nettoll {
namespace {

struct ReasonRow {
  std::string_view reason;
  bool prefix;
  DropClass what;
};

constexpr DropClass kNoise{DropLayer::stack, true, false};
constexpr DropClass kPolicy{DropLayer::stack, false, true};

// clang-format off
/// Names of include/net/dropreason-core.h; what is not here is a loss in the stack.
constexpr ReasonRow kReasons[] = {
    {"SOCKET_RCVBUFF", false, {DropLayer::socket, false, false}},
    {"SOCKET_BACKLOG", false, {DropLayer::socket, false, false}},
    {"PROTO_MEM", false, {DropLayer::socket, false, false}},
    {"CPU_BACKLOG", false, {DropLayer::backlog, false, false}},
    {"XDP", false, {DropLayer::xdp, false, true}},
    {"QDISC_", true, {DropLayer::qdisc, false, false}},  // QDISC_DROP; OVERLIMIT, CONGESTED from 6.18 on
    {"FQ_", true, {DropLayer::qdisc, false, false}},     // FQ_BAND_LIMIT, FQ_HORIZON_LIMIT, FQ_FLOW_LIMIT
    {"CAKE_", true, {DropLayer::qdisc, false, false}},
    {"TC_EGRESS", false, {DropLayer::transmit, false, true}},
    {"FULL_RING", false, {DropLayer::transmit, false, false}},
    {"DEV_HDR", false, {DropLayer::transmit, false, false}},
    {"DEV_READY", false, {DropLayer::transmit, false, false}},
    {"NETFILTER_DROP", false, kPolicy},
    {"BPF_CGROUP_EGRESS", false, kPolicy},
    {"TC_INGRESS", false, kPolicy},
    {"SOCKET_FILTER", false, kPolicy},
    {"SECURITY_HOOK", false, kPolicy},
    {"XFRM_POLICY", false, kPolicy},
    {"IP_RPFILTER", false, kPolicy},
    {"NO_SOCKET", false, kPolicy},
    {"UNHANDLED_PROTO", false, kPolicy},
    {"CONSUMED", false, kNoise},           // freed as intended
    {"NOT_DROPPED_YET", false, kNoise},
    {"OTHERHOST", false, kNoise},          // promiscuous mode, or a switch that floods
    {"UNIX_", true, kNoise},               // AF_UNIX, from 6.14 on
};

/// Drivers free what they have sent with these, without a reason, where that may be in an interrupt
/// (net/core/dev.c); net_tx_action frees what waited for it.
constexpr std::string_view kAnyContext[] = {
    "dev_kfree_skb_any_reason", "__dev_kfree_skb_any", "dev_kfree_skb_irq_reason", "__dev_kfree_skb_irq",
    "net_tx_action",
};

constexpr std::string_view kFreeHelpers[] = {
    "kfree_skb", "__kfree_skb", "kfree_skb_reason", "__kfree_skb_reason", "kfree_skb_list",
    "kfree_skb_list_reason", "sk_skb_reason_drop", "kfree_skb_partial", "tcf_kfree_skb_list",
    "skb_queue_purge", "skb_queue_purge_reason", "skb_rbtree_purge", "rtnl_kfree_skbs",
    "dev_kfree_skb_any_reason", "__dev_kfree_skb_any", "dev_kfree_skb_irq_reason", "__dev_kfree_skb_irq",
};
// clang-format on

std::string_view plain(std::string_view function) {
  return function.substr(0, function.find('.', 1));
}

template <size_t N>
bool is_one_of(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), plain(name)) != std::end(names);
}

bool is_local_socket(const Drops& drop) {
  return drop.protocol == "none" && (drop.function.starts_with("unix_") || drop.module == "unix" ||
                                     drop.function.starts_with("netlink_"));
}

}  // namespace

bool is_free_helper(std::string_view function) {
  return is_one_of(kFreeHelpers, function);
}

DropClass class_of(const Drops& drop) {
  if (is_local_socket(drop)) return kNoise;
  if (!drop.subsystem.empty() && drop.subsystem != "core") return {};
  for (const auto& row : kReasons) {
    if (row.prefix ? drop.reason.starts_with(row.reason) : drop.reason == row.reason) return row.what;
  }
  const bool no_reason = drop.reason == "NOT_SPECIFIED" || drop.reason == "unclassified";
  if (no_reason && is_one_of(kAnyContext, drop.function)) return {DropLayer::transmit, true, false};
  return {};
}

std::string reason_of(const Drops& drop) {
  const bool core = drop.subsystem.empty() || drop.subsystem == "core";
  return core ? drop.reason : drop.subsystem + ":" + drop.reason;
}

}  // namespace nettoll
