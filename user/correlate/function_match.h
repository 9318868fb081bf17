// SPDX-License-Identifier: Apache-2.0
// Which function of one side is which of the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/cost_table.h"
#include "model/function.h"

namespace nettoll {

/// A function's place in both lists; empty where a side lacks it.
struct MatchedFunction {
  std::optional<uint32_t> a;
  std::optional<uint32_t> b;
};

/// What tells a symbol's module on both sides: a program or library, which may lie in another folder there,
/// goes by the name of its file, as with perf diff.
std::string_view module_key(const Symbol& symbol);

/// Matches symbols, each list without repeats: those of equal name and module; of the rest those of one name
/// that stand alone on both sides, which is one of a kernel module that the other side has built in, or one
/// of a program that lies elsewhere there; then those of one module and source name that stand alone on both
/// sides
/// (.isra.0 became .isra.1). Where several could be meant none is taken: adding up copies of a function would
/// count calls among them twice. What has no name is one place for each module, whatever kind its reader took
/// it for.
std::vector<MatchedFunction> match_functions(std::span<const Symbol> a, std::span<const Symbol> b);

/// The functions of two cost tables, by their places there.
std::vector<MatchedFunction> match_functions(const CostTable& a, const CostTable& b);

}  // namespace nettoll
