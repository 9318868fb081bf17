// SPDX-License-Identifier: Apache-2.0
// What a drop that skb:kfree_skb reported stands for.
#pragma once

#include <string>
#include <string_view>

#include "model/ledger.h"
#include "model/net.h"

namespace nettoll {

struct DropClass {
  DropLayer layer = DropLayer::stack;
  /// No packet was lost: a local socket closed, a driver freed what it had sent, a frame was for another
  /// host.
  bool noise = false;
  /// Somebody set the host up so: a firewall, a port without a listener.
  bool policy = false;
  bool operator==(const DropClass&) const = default;
};

/// By reason first. The function decides where the reason says nothing, and helpers that free packets for
/// anybody say nothing about who dropped.
DropClass class_of(const Drops& drop);

/// kfree_skb_list_reason, sk_skb_reason_drop and others: where packets are freed, not why.
bool is_free_helper(std::string_view function);

/// The reason with its subsystem where that is not the core: "mac80211_unusable:RX_UNUSABLE".
std::string reason_of(const Drops& drop);

}  // namespace nettoll
