// SPDX-License-Identifier: Apache-2.0
#include "model/drop_attribution.h"

#include <algorithm>
#include <iterator>

namespace nettoll {
namespace {

/// Functions that free packets for their callers. Those up to 5.16 have no _reason; 6.11 added
/// sk_skb_reason_drop. net_tx_action is none: it drops what was handed over long before.
constexpr std::string_view kFreeHelpers[] = {
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
    // net/sched/sch_generic.c
    "tcf_kfree_skb_list",
    // net/ipv4/tcp_input.c
    "tcp_drop", "tcp_drop_reason", "__tcp_drop"};

const CodeRange* range_of(const std::vector<CodeRange>& ranges, uint64_t return_address) {
  const auto found = std::find_if(ranges.begin(), ranges.end(),
                                  [&](const CodeRange& range) { return range.returns_here(return_address); });
  return found == ranges.end() ? nullptr : &*found;
}

}  // namespace

bool is_free_helper(std::string_view function) {
  return std::find(std::begin(kFreeHelpers), std::end(kFreeHelpers), function) != std::end(kFreeHelpers);
}

const CodeRange* DropCode::helper_of(uint64_t return_address) const {
  return range_of(helpers, return_address);
}

std::span<const uint64_t> stack_from_location(uint64_t location, std::span<const uint64_t> stack) {
  const auto found = std::find(stack.begin(), stack.end(), location);
  return found == stack.end() ? stack : stack.subspan(static_cast<size_t>(found - stack.begin()));
}

DropOrigin find_drop_origin(uint64_t location, std::span<const uint64_t> stack, const DropCode& code) {
  DropOrigin origin{location, "", false};
  const CodeRange* helper = code.helper_of(location);
  if (!helper || std::find(stack.begin(), stack.end(), location) == stack.end()) return origin;
  const auto callers = stack_from_location(location, stack);
  const auto caller = std::find_if(callers.begin(), callers.end(),
                                   [&](uint64_t address) { return !code.helper_of(address); });
  if (caller == callers.end()) return origin;
  origin.location = *caller;
  origin.helper = helper->function;
  origin.transmitting = std::any_of(
      caller, callers.end(), [&](uint64_t address) { return range_of(code.transmit, address) != nullptr; });
  return origin;
}

}  // namespace nettoll
