// SPDX-License-Identifier: Apache-2.0
// Which functions a profile speaks of: sampled symbols and counted functions, matched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/profile.h"
#include "model/symbol_identity.h"

namespace nettoll {

/// The calls of one counted function.
struct CountedCalls {
  uint32_t function = 0;  ///< index into Session::functions
  uint64_t calls = 0;
};

/// Calls of each function that has a row in Profile::calls. Several rows add up.
std::vector<CountedCalls> calls_by_function(const Profile& profile);

/// The symbol of each of Session::functions, by its index; empty where the profile has none.
///
/// Name and module must be equal. One case more: a tracepoint stands for a source function, and compilers
/// rename those (__netif_receive_skb_core.constprop.0); such a proxy takes the renamed symbol where there is
/// exactly one. A hooked function is never matched so: its hook counts that symbol alone.
std::vector<std::optional<uint32_t>> symbols_of_functions(const Profile& profile,
                                                          const std::vector<uint32_t>& first);

}  // namespace nettoll
