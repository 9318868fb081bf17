// SPDX-License-Identifier: Apache-2.0
// Packets that the queueing disciplines of a device dropped, each once.
#pragma once

#include <cstdint>
#include <vector>

#include "model/host_state.h"

namespace nettoll {

/// What one queueing discipline dropped and none below it did.
struct QdiscLoss {
  const Qdisc* qdisc = nullptr;
  uint64_t packets = 0;
};

/// Those that dropped something, in the kernel's order. Some parents add up what their children dropped (mq),
/// some count what a child refused as well (htb_enqueue in net/sched/sch_htb.c), and some drop themselves: a
/// parent has what it counted beyond all below it. Ingress and clsact are left out: what their filters drop
/// is no queue's loss, and has drop reasons of its own.
std::vector<QdiscLoss> qdisc_losses(const Nic& nic);

}  // namespace nettoll
