// SPDX-License-Identifier: Apache-2.0
// One reading of how the network of a host is set up and what it counted.
#pragma once

#include "base/kernel_fs.h"
#include "host/ethtool_source.h"
#include "host/route_source.h"
#include "model/host_state.h"

namespace nettoll {

/// Counters are since boot. A part that cannot be read is absent and has its sentence in `notes`; only where
/// the online CPUs cannot be told at all does the reading fail.
///
/// /proc/net is the calling process's namespace, /sys/class/net that in which /sys was mounted, and each
/// source has its own; a note tells where they are not the same.
Result<HostState> read_host(const KernelFs& fs, EthtoolSource& ethtool, RouteSource& route);

}  // namespace nettoll
