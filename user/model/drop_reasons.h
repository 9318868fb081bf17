// SPDX-License-Identifier: Apache-2.0
// Drop-reason numbers of the running kernel.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace nettoll {

/// Reason names as the running kernel's BTF has them, with the prefix (SKB_DROP_REASON_, SKB_) removed, by
/// the whole 32-bit value (enum skb_drop_reason; the high 16 bits are the subsystem,
/// include/net/dropreason.h). Empty where the kernel has none.
struct DropReasonNames {
  std::map<uint32_t, std::string> reasons;
  std::map<uint32_t, std::string> subsystems;  ///< by the high 16 bits, lower case: 0 is "core"
};

}  // namespace nettoll
