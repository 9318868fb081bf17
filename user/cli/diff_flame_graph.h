// SPDX-License-Identifier: Apache-2.0
// A comparison as a flame graph.
#pragma once

#include "base/byte_sink.h"
#include "base/result.h"
#include "correlate/diff_basis.h"
#include "model/cost_diff.h"

namespace nettoll {

/// Writes the differential flame graph of the first event of `diff`, which was made of `a` and `b`: costs in
/// the paths that were compared, divided as the totals of `diff` are, its notes with them. Fails where no
/// event was compared.
Status write_flame_graph(const CostDiff& diff, const DiffInput& a, const DiffInput& b, ByteSink& sink);

}  // namespace nettoll
