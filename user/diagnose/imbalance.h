// SPDX-License-Identifier: Apache-2.0
// The spread of received packets over queues as a number, from the facts that rules judge it by.
#pragma once

#include <vector>

#include "model/host_state.h"
#include "model/profile.h"
#include "model/rx_imbalance.h"

namespace nettoll {

/// One row for each hardware device that is up, has several receive queues and enough traffic to judge
/// (threshold::kPackets, kPacketsPerSecond), where its driver or the trace counted packets by queue.
/// Interrupts do not stand in for packets here: a queue that is polled all the time raises none and would
/// look idle. `profile` is null where nothing was traced.
std::vector<RxImbalance> rx_imbalances(const HostState& window, const Profile* profile);

}  // namespace nettoll
