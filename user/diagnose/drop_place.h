// SPDX-License-Identifier: Apache-2.0
// Where on its way a packet was when skb:kfree_skb reported its drop.
#pragma once

#include "model/ledger.h"
#include "model/net.h"

namespace nettoll {

struct DropPlace {
  DropLayer layer = DropLayer::stack;
  /// Somebody set the host up so: a firewall, a port without a listener.
  bool policy = false;
  bool operator==(const DropPlace&) const = default;
};

/// By the reason; whether a packet was lost at all is classify()'s question.
DropPlace place_of(const Drops& drop);

}  // namespace nettoll
