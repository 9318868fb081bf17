// SPDX-License-Identifier: Apache-2.0
// Words for the numbers that come with a drop.
#pragma once

#include <cstdint>
#include <string>

#include "model/drop_reasons.h"

namespace nettoll {

/// The reason's name in the running kernel without its prefix: "NO_SOCKET"; "unknown_<n>" with all 32 bits in
/// decimal where the kernel's BTF has no such value. A reason is never guessed: numbers move between kernels.
std::string drop_reason_name(const DropReasonNames& names, uint32_t reason);

/// The subsystem that owns a reason (its high 16 bits, SKB_DROP_REASON_SUBSYS_SHIFT in
/// include/net/dropreason.h): "core" for 0, "subsys_<n>" for one the kernel's BTF does not name.
std::string drop_subsystem_name(const DropReasonNames& names, uint32_t reason);

/// "ipv4", "ipv6", "arp", "none" for 0, else the EtherType in hex: "0x88cc" (include/uapi/linux/if_ether.h).
std::string protocol_name(uint16_t ethertype);

}  // namespace nettoll
