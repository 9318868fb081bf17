// SPDX-License-Identifier: Apache-2.0
#include "symbolize/drop_names.h"

#include <fmt/format.h>
#include <linux/if_ether.h>

namespace nettoll {

std::string drop_reason_name(const DropReasonNames& names, uint32_t reason) {
  const auto found = names.reasons.find(reason);
  return found != names.reasons.end() ? found->second : fmt::format("unknown_{}", reason);
}

std::string drop_subsystem_name(const DropReasonNames& names, uint32_t reason) {
  const uint32_t subsystem = reason >> 16;
  const auto found = names.subsystems.find(subsystem);
  if (found != names.subsystems.end()) return found->second;
  // Kernels before 6.4 have reasons but no subsystems: all of theirs are the core's.
  return subsystem == 0 ? "core" : fmt::format("subsys_{}", subsystem);
}

std::string protocol_name(uint16_t ethertype) {
  switch (ethertype) {
    case 0:
      return "none";
    case ETH_P_IP:
      return "ipv4";
    case ETH_P_IPV6:
      return "ipv6";
    case ETH_P_ARP:
      return "arp";
    default:
      return fmt::format("{:#06x}", ethertype);
  }
}

}  // namespace nettoll
