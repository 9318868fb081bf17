// SPDX-License-Identifier: Apache-2.0
// Sampled drops with names.
#pragma once

#include <vector>

#include "model/drop_attribution.h"
#include "model/drop_reasons.h"
#include "model/drop_sample.h"
#include "symbolize/kernel_symbols.h"

namespace nettoll {

/// What gives names to samples. Holds references.
struct DropSampleNames {
  const KernelSymbols& symbols;
  const DropCode& code;
  const DropReasonNames& reasons;
  bool has_reasons = true;
};

/// A sample in words: whose drop it is as find_drop_origin() tells, its stack from the place of the drop on,
/// its headers.
DropSample name_drop_sample(RawDropSample raw, const DropSampleNames& names);

}  // namespace nettoll
