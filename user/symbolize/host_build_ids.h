// SPDX-License-Identifier: Apache-2.0
// Build ids of the kernel that runs here.
#pragma once

#include <vector>

#include "base/kernel_fs.h"
#include "model/build_id.h"
#include "model/function.h"

namespace nettoll {

/// The build ids of the kernel and of those of its modules that `symbols` are of, by name. They are read from
/// /sys/kernel/notes and /sys/module/NAME/notes/.note.gnu.build-id; what has none, or is gone, is left out.
std::vector<ModuleBuildId> host_build_ids(const std::vector<Symbol>& symbols, const KernelFs& fs);

}  // namespace nettoll
