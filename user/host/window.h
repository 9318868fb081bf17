// SPDX-License-Identifier: Apache-2.0
// What happened between two readings.
#pragma once

#include "model/host_state.h"

namespace nettoll {

/// The set-up of `after`, with counters as their differences over `seconds`. What came in between (a device,
/// a vector, a CPU, a socket) has its own counts; what went is left out. Backlogs and queued bytes are those
/// of `after`. UDP sockets that neither dropped anything meanwhile nor hold anything are left out.
///
/// A counter that went back was set to zero and counts from there, with two exceptions. Those that the kernel
/// holds in 32 bits (softnet, interrupts, softirqs, drops of qdiscs) wrap, and so does the difference. Times
/// of CPUs are estimates that may go back by a tick (proc_stat(5)), never resets: then none has passed.
HostState window(const HostState& before, const HostState& after, double seconds);

}  // namespace nettoll
