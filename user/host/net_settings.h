// SPDX-License-Identifier: Apache-2.0
// /proc/sys/net/core (Documentation/admin-guide/sysctl/net.rst).
#pragma once

#include <string>
#include <vector>

#include "base/kernel_fs.h"
#include "model/host_state.h"

namespace nettoll {

/// What cannot be read is absent, and named in one note: a namespace that is not the first lacks most of it.
NetSettings read_net_settings(const KernelFs& fs, std::vector<std::string>& notes);

}  // namespace nettoll
