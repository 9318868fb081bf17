// SPDX-License-Identifier: Apache-2.0
// Which function of one kernel is which of another.
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

/// Matches symbols, each list without repeats: those of equal name and module; of the rest those of one name
/// that stand alone on both sides (a module that the other kernel has built in); then those of one module and
/// source name that stand alone on both sides (.isra.0 became .isra.1). Where several could be meant none is
/// taken: adding up copies of a function would count calls among them twice.
std::vector<MatchedFunction> match_functions(std::span<const Symbol> a, std::span<const Symbol> b);

/// The functions of two cost tables, by their places there.
std::vector<MatchedFunction> match_functions(const CostTable& a, const CostTable& b);

}  // namespace nettoll
