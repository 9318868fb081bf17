// SPDX-License-Identifier: Apache-2.0
// Stacks of two windows, so that they can be laid over each other.
#pragma once

#include <map>
#include <span>

#include "model/cost_table.h"
#include "model/named_stacks.h"

namespace nettoll {

/// New names of functions by the old ones.
using NewNames = std::map<Symbol, Symbol>;

/// What B calls those functions of A that have another name or module there, as match_functions() pairs them.
/// No two get one name.
NewNames names_in(const CostTable& b, const CostTable& a);

/// `stacks` with other names for some functions. No two may get one name, nor the name of a third.
NamedStacks renamed(const NamedStacks& stacks, const NewNames& names);

/// `stacks` with the costs in `paths` alone. What is in no stack is in no path.
NamedStacks in_paths(NamedStacks stacks, std::span<const Path> paths);

}  // namespace nettoll
