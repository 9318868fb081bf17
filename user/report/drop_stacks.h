// SPDX-License-Identifier: Apache-2.0
// Stacks of sampled drops, those alike summed.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drop_sample.h"

namespace nettoll {

/// Samples of one reason, subsystem and stack.
struct DropStack {
  std::string reason;
  std::string subsystem;
  std::vector<Symbol> frames;
  uint64_t samples = 0;
};

/// Most samples first. Samples without a stack are left out.
std::vector<DropStack> sum_drop_stacks(const std::vector<DropSample>& samples);

}  // namespace nettoll
