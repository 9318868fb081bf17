// SPDX-License-Identifier: Apache-2.0
#include "diagnose/drop_place.h"

#include <string_view>

#include "model/drop_class.h"

namespace nettoll {
namespace {

struct ReasonRow {
  std::string_view reason;
  bool prefix;
  DropPlace place;
};

constexpr DropPlace kPolicy{DropLayer::stack, true};

// clang-format off
/// Names of include/net/dropreason-core.h; what is not here is a loss in the stack.
constexpr ReasonRow kReasons[] = {
    {"SOCKET_RCVBUFF", false, {DropLayer::socket, false}},
    {"SOCKET_BACKLOG", false, {DropLayer::socket, false}},
    {"PROTO_MEM", false, {DropLayer::socket, false}},
    {"CPU_BACKLOG", false, {DropLayer::backlog, false}},
    {"XDP", false, {DropLayer::xdp, true}},
    {"QDISC_", true, {DropLayer::qdisc, false}},  // QDISC_DROP; OVERLIMIT, CONGESTED from 6.18 on
    {"FQ_", true, {DropLayer::qdisc, false}},     // FQ_BAND_LIMIT, FQ_HORIZON_LIMIT, FQ_FLOW_LIMIT
    {"CAKE_", true, {DropLayer::qdisc, false}},
    {"TC_EGRESS", false, {DropLayer::transmit, true}},
    {"FULL_RING", false, {DropLayer::transmit, false}},
    {"DEV_HDR", false, {DropLayer::transmit, false}},
    {"DEV_READY", false, {DropLayer::transmit, false}},
    {"NETFILTER_DROP", false, kPolicy},
    {"BPF_CGROUP_EGRESS", false, kPolicy},
    {"TC_INGRESS", false, kPolicy},
    {"SOCKET_FILTER", false, kPolicy},
    {"SECURITY_HOOK", false, kPolicy},
    {"XFRM_POLICY", false, kPolicy},
    {"IP_RPFILTER", false, kPolicy},
    {"NO_SOCKET", false, kPolicy},
    {"UNHANDLED_PROTO", false, kPolicy},
};
// clang-format on

}  // namespace

DropPlace place_of(const Drops& drop) {
  if (classify(drop) == DropClass::tx_completion) return {DropLayer::transmit, false};
  if (!is_core(drop.subsystem)) return {};
  for (const auto& row : kReasons) {
    if (row.prefix ? drop.reason.starts_with(row.reason) : drop.reason == row.reason) return row.place;
  }
  return {};
}

}  // namespace nettoll
