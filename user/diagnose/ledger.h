// SPDX-License-Identifier: Apache-2.0
// The ledger of drops.
#pragma once

#include "model/host_state.h"
#include "model/ledger.h"
#include "model/profile.h"

namespace nettoll {

/// Losses of a window by layer. `profile` is null where nothing was traced.
///
/// One packet has one row: where a layer has counters of its own (backlog, qdisc, socket) and they saw
/// losses, drops with a reason of that layer are the same packets and left out. Names of one device for the
/// same losses overlap, so of a kind the largest counts. A trace sees every namespace and the window one, so
/// rows of a trace may be of devices that the window does not have.
Ledger make_ledger(const HostState& window, const Profile* profile);

}  // namespace nettoll
