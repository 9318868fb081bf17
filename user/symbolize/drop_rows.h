// SPDX-License-Identifier: Apache-2.0
// Drops with names.
#pragma once

#include <vector>

#include "model/drop_reasons.h"
#include "model/function.h"
#include "model/net.h"

namespace nettoll {

/// The reason where the kernel gives no reasons (before 5.17).
inline constexpr const char* kUnclassified = "unclassified";

/// A drop in words. `where` is the symbol of its location; of kind unknown, the function is the address in
/// hex. Without `has_reasons` the reason is kUnclassified and there is no subsystem ("").
Drops name_drop(const RawDrops& drop, const Symbol& where, const DropReasonNames& names, bool has_reasons);

/// Sums rows that differ in their packets alone; sorted by everything else.
std::vector<Drops> merge_drops(std::vector<Drops> drops);

}  // namespace nettoll
