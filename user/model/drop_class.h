// SPDX-License-Identifier: Apache-2.0
// Which frees that skb:kfree_skb reports are lost packets, and which only look like them.
#pragma once

#include <string>
#include <string_view>

#include "model/net.h"

namespace nettoll {

/// What a row of drops is. All but `loss` are noise: the host lost no packet.
enum class DropClass : uint8_t {
  loss,
  local_socket,   ///< messages of AF_UNIX and netlink sockets, which never were on a network
  tx_completion,  ///< packets that were sent: their driver frees them as if dropped
  consumed,       ///< the reason itself says that nothing was dropped
  other_host,     ///< frames for other hosts: promiscuous mode, or a switch that floods
};
inline constexpr DropClass kNoiseClasses[] = {DropClass::local_socket, DropClass::tx_completion,
                                              DropClass::consumed, DropClass::other_host};

/// The class of a row. In doubt it is loss:
/// - local_socket: no protocol, no device, dropped by a function unix_* or netlink_*; the reasons UNIX_*,
/// which
///   are there from 6.14 on.
/// - tx_completion: without a specific reason, through dev_kfree_skb_any() (drivers that ought to call
///   dev_consume_skb_any()) outside of transmission, or through net_tx_action(), which frees what hard
///   interrupts left to it; packets of a known protocol, since what a driver drops as it comes in has none
///   yet.
/// - consumed: SKB_CONSUMED and SKB_NOT_DROPPED_YET; other_host: OTHERHOST.
/// Reasons are the core's (include/net/dropreason-core.h): one of the same name in another subsystem is loss.
DropClass classify(const Drops& drop);

/// Whether a drop's subsystem is the core, which kernels without subsystems have alone.
bool is_core(std::string_view subsystem);
/// The reason with its subsystem where that is not the core: "mac80211_unusable:RX_UNUSABLE".
std::string reason_text(const std::string& reason, const std::string& subsystem);

/// "loss", "local_socket", "tx_completion", "consumed", "other_host".
const char* name_of(DropClass c);
/// For a person: what such a row counts instead of lost packets; "" for loss.
const char* meaning_of(DropClass c);

}  // namespace nettoll
