// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_code.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "symbolize/symbol_names.h"

namespace nettoll {
namespace {

/// Functions that free packets for their callers. Those up to 5.16 have no _reason; 6.11 added
/// sk_skb_reason_drop. net_tx_action is none: it drops what was handed over long before.
constexpr std::array<std::string_view, 37> kHelpers = {
    // net/core/skbuff.c
    "kfree_skb", "kfree_skb_reason", "sk_skb_reason_drop", "__kfree_skb_reason", "__kfree_skb",
    "kfree_skb_list", "kfree_skb_list_reason", "kfree_skb_partial", "kfree_skbmem", "consume_skb",
    "__consume_stateless_skb", "napi_consume_skb", "__kfree_skb_defer", "__napi_kfree_skb",
    "napi_skb_free_stolen_head", "skb_release_head_state", "skb_release_all", "skb_release_data",
    "skb_free_head", "skb_attempt_defer_free", "skb_queue_purge", "skb_queue_purge_reason",
    "__skb_queue_purge", "__skb_queue_purge_reason", "skb_errqueue_purge", "skb_rbtree_purge",
    // net/core/datagram.c
    "skb_free_datagram", "__skb_free_datagram_locked",
    // net/core/dev.c and rtnetlink.c
    "dev_kfree_skb_any", "__dev_kfree_skb_any", "dev_kfree_skb_any_reason", "__dev_kfree_skb_irq",
    "dev_kfree_skb_irq_reason", "rtnl_kfree_skbs",
    // net/ipv4/tcp_input.c
    "tcp_drop", "tcp_drop_reason", "__tcp_drop"};

/// Functions that call a driver's ndo_start_xmit.
constexpr std::array<std::string_view, 4> kTransmit = {"dev_hard_start_xmit", "__dev_direct_xmit",
                                                       "dev_direct_xmit", "netpoll_start_xmit"};

/// No helper comes near: more means that its end is not known.
constexpr uint64_t kLongest = 16384;

template <size_t N>
bool holds(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

DropCode find_drop_code(const KernelSymbols& symbols) {
  DropCode code;
  // Functions that wait for their end, all at one address.
  std::vector<std::pair<std::vector<CodeRange>*, CodeRange>> open;
  symbols.for_each_function([&](const Hit& hit) {
    if (!open.empty() && hit.start > open.front().second.begin) {
      for (auto& [list, range] : open) {
        range.end = std::min(hit.start, range.begin + kLongest);
        // Aliases are one piece of code.
        if (list->empty() || list->back().begin != range.begin) list->push_back(std::move(range));
      }
      open.clear();
    }
    if (hit.kind != SymbolKind::kernel || hit.module != kVmlinux) return;
    const std::string_view name = base_name(hit.name);
    auto* list = holds(kHelpers, name) ? &code.helpers : holds(kTransmit, name) ? &code.transmit : nullptr;
    if (list) open.push_back({list, {std::string(name), hit.start, 0}});
  });
  for (auto& [list, range] : open) {
    range.end = range.begin + kLongest;
    list->push_back(std::move(range));
  }
  return code;
}

}  // namespace nettoll
