// SPDX-License-Identifier: Apache-2.0
// Who dropped a packet: functions whose only work is to free packets are never meant.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nettoll {

/// Functions that free packets for whoever calls them: where packets end, not why. By the name in the source,
/// without suffixes of compilers.
bool is_free_helper(std::string_view function);

/// A function's code, from its first byte to the first behind it.
struct CodeRange {
  std::string function;
  uint64_t begin = 0;
  uint64_t end = 0;

  /// Whether a call in this code returns to `address`: the call may be the last thing in it.
  bool returns_here(uint64_t address) const { return address > begin && address <= end; }
  bool operator==(const CodeRange&) const = default;
};

/// Code of this kernel that tells whose a drop is.
struct DropCode {
  std::vector<CodeRange> helpers;   ///< free packets for whoever calls them
  std::vector<CodeRange> transmit;  ///< hand packets to drivers

  /// The helper that a call returns to, or null.
  const CodeRange* helper_of(uint64_t return_address) const;
};

/// Whose a drop is.
struct DropOrigin {
  uint64_t location = 0;      ///< the first return address outside all helpers
  std::string helper;         ///< the helper that freed the packet, "" if it was freed right there
  bool transmitting = false;  ///< a driver was being handed packets; only told of drops through a helper

  bool operator==(const DropOrigin&) const = default;
};

/// Follows `location`, an address that skb:kfree_skb gives, through helpers. `stack` is that of the drop,
/// innermost first. Without a caller on the stack outside all helpers the drop stays where it was.
DropOrigin find_drop_origin(uint64_t location, std::span<const uint64_t> stack, const DropCode& code);

/// The part of a drop's stack from its location on: what is above belongs to the tracepoint. The whole stack
/// where the location is not on it.
std::span<const uint64_t> stack_from_location(uint64_t location, std::span<const uint64_t> stack);

}  // namespace nettoll
