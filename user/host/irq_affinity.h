// SPDX-License-Identifier: Apache-2.0
// Where an interrupt may go, and where it goes (Documentation/core-api/irq/irq-affinity.rst).
#pragma once

#include <cstdint>
#include <optional>

#include "base/kernel_fs.h"

namespace nettoll {

struct IrqAffinity {
  std::optional<CpuSet> allowed;    ///< smp_affinity
  std::optional<CpuSet> effective;  ///< effective_affinity, of kernels that know it
};

/// Of /proc/irq/N. What cannot be read is absent.
IrqAffinity read_irq_affinity(const KernelFs& fs, uint32_t irq);

}  // namespace nettoll
