// SPDX-License-Identifier: Apache-2.0
// Which interrupts are a device's.
#pragma once

#include <vector>

#include "base/kernel_fs.h"
#include "host/proc_interrupts.h"
#include "model/host_state.h"

namespace nettoll {

/// Fills the vectors of physical devices: the interrupts in msi_irqs of the device (for virtio, of the PCI
/// function below it), since names need not tell; without such a folder those that are named after the
/// network device or the device below it. Interrupts without a handler are left out, and those of a function
/// with several ports that are named after another port.
void add_vectors(const KernelFs& fs, const InterruptTable& interrupts, std::vector<Nic>& nics);

}  // namespace nettoll
