// SPDX-License-Identifier: Apache-2.0
// Folded stacks: the lines that flamegraph.pl and its kin read.
#pragma once

#include <cstdint>

#include "base/byte_sink.h"
#include "model/named_stacks.h"

namespace nettoll {

struct FoldedOptions {
  /// Puts "_[k]" behind functions of the kernel and its modules, as stackcollapse-perf.pl --kernel does.
  bool annotate = false;
};

/// Writes a line "outermost;...;innermost weight" for each stack that has a cost of `event`. The weights add
/// up to the event's total (see WholeWeights). Frames are called as frame_name() says.
/// Of names, ';' becomes ':', and what is not printable '?' or U+FFFD.
Status write_folded(const NamedStacks& costs, uint32_t event, const FoldedOptions& options, ByteSink& sink);

}  // namespace nettoll
