// SPDX-License-Identifier: Apache-2.0
// Drop reasons as BTF describes them: numbers differ between kernels, names hold.
#pragma once

#include <array>
#include <cstdint>

#include "model/drop_reasons.h"

struct btf;

namespace nettoll {

/// Modules that give reasons of their own.
inline constexpr std::array kDropReasonModules = {"mac80211", "openvswitch"};

/// Which argument of skb:kfree_skb is the reason, counted from 0 (the skb), found by its type; 0 where there
/// is none (kernels before 5.17).
uint32_t drop_reason_argument(const struct btf* vmlinux);

/// Which argument is the socket that was to receive the packet, by its type too; 0 where there is none
/// (kernels before 6.11).
uint32_t drop_socket_argument(const struct btf* vmlinux);

/// Adds the reasons and subsystems that `btf` names, of vmlinux or of a module, whose split BTF names those
/// of vmlinux too. What is there already stays.
void add_drop_reasons(const struct btf* btf, DropReasonNames& names);

}  // namespace nettoll
